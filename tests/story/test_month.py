"""Thirty days with a friend of opposite tastes, a corrected birthday, a game, promises, a move.

What is recalled, composed and forgotten on day 31 and on day 120, item by item. The model is scripted and makes mistakes; everything else is the real thing.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.control.edit import act
from siliconfriend.control.listing import memory_rows
from siliconfriend.extraction.topics import heat
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Turn
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.factory import open_embedder
from tests.story.storyteller import DAYS, Life, Story

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    """The one that comes with the program."""
    found = open_embedder(load_settings(home=Path("unused"), environ={}))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Life:
    """Thirty days lived, with their nights, on the morning of day 31."""
    home = tmp_path_factory.mktemp("month")
    settings = load_settings(home=home, environ={}, timezone="UTC")
    life = Life.begin(Story.read(), settings, embedder)
    for day in range(1, DAYS + 1):
        life.live(day)
        if day == 20:
            pinned = _turn(life, life.story.expected["pinned"]).id
            act(FileStore(home), life.scope, "pin", [pinned], life.clock.moment)
    life.clock.set(f"{life.story.day(31)}T09:00:00+00:00")
    return life


@pytest.fixture(scope="module")
def season(month: Life, tmp_path_factory: pytest.TempPathFactory) -> Life:
    """The same on the morning of day 120, after ninety days of silence and one more night."""
    home = tmp_path_factory.mktemp("season")
    shutil.copytree(month.settings.home, home, dirs_exist_ok=True)
    life = replace(month, settings=replace(month.settings, home=home))
    life.clock = type(month.clock)(f"{month.story.day(120)}T03:00:00+00:00")
    life.night(allow_large=True)
    life.clock.set(f"{month.story.day(120)}T09:00:00+00:00")
    return life


@pytest.fixture(params=["month", "season"])
def life(request: pytest.FixtureRequest, month: Life, season: Life) -> Life:
    """Both mornings in turn."""
    return month if request.param == "month" else season


def _turn(life: Life, said: str) -> Turn:
    return next(it for it in life.memory().turns() if it.query == said)


def _facts(life: Life, question: str) -> list[Fact]:
    """The facts that a question brings to mind, best first."""
    friend, _prompt = life.ask(question)
    assert friend.last_reply is not None
    found = [it.memory for it in friend.last_reply.recalled.facts]
    return [it for it in found if isinstance(it, Fact)]


def _states(life: Life) -> dict[str, str]:
    policy = ForgettingPolicy.named("companion")
    memory = life.memory()
    now = life.clock.now(memory.profile.zone)
    return {it.memory.id: it.prospect.state for it in memory_rows(memory, policy, now)}


def _known(prompt: str) -> str:
    """The facts of the last message of a prompt."""
    return prompt.rpartition("<known>")[2].partition("</known>")[0]


def test_tastes_are_kept_apart(life: Life) -> None:
    """What the person likes is theirs, what the friend likes the friend's."""
    expected = life.story.expected
    mine = {it.text for it in life.memory().facts() if it.entity_type == "object"}
    assert set(expected["coffee_mine"]) <= mine
    assert expected["friend_fact"] not in mine
    asked = _facts(life, expected["coffee"])
    assert set(expected["coffee_mine"]) <= {it.text for it in asked}
    assert asked[0].entity_type == "object"
    assert expected["friend_fact"] in [it.text for it in _facts(life, expected["friend"])]
    _friend, prompt = life.ask(expected["friend"])
    assert expected["friend_fact"] in _known(prompt)


@pytest.mark.parametrize("matter", ["birthday", "home"])
def test_a_correction_wins_and_the_older_stays_as_history(life: Life, matter: str) -> None:
    """Only what holds now is recalled; what it was before can still be seen."""
    expected = life.story.expected
    now, before = expected[f"{matter}_now"], expected[f"{matter}_before"]
    asked = [it.text for it in _facts(life, expected[matter])]
    assert now in asked
    assert before not in asked
    _friend, prompt = life.ask(expected[matter])
    assert now in _known(prompt)
    assert before not in _known(prompt)
    by_text = {it.text: it for it in life.memory().facts()}
    assert by_text[before].superseded_by == by_text[now].id
    assert by_text[now].superseded_by == ""


def test_a_game_and_the_companions_guesses_are_nobodys_facts(life: Life) -> None:
    """Whatever the model noted of them."""
    told = "\n".join(it.text for it in life.memory().facts())
    for words in life.story.expected["never"]:
        assert words not in told


@pytest.mark.parametrize("matter", ["promise", "recommended"])
def test_what_the_companion_promised_is_kept(life: Life, matter: str) -> None:
    """With its day, as its own and not as what is known of the person."""
    expected = life.story.expected
    told = expected[f"{matter}_fact"]
    (fact,) = (it for it in _facts(life, expected[matter]) if it.text == told)
    assert fact.entity_type == "subject"
    assert fact.last == life.story.day(8 if matter == "promise" else 22).isoformat()


def test_what_returns_is_one_topic(life: Life) -> None:
    """All talk of the choir belongs together, and its facts became knowledge."""
    expected, memory = life.story.expected, life.memory()
    pages = {_turn(life, said).id for said in expected["choir_pages"]}
    topics = [it for it in memory.topics() if pages & set(it.pages)]
    assert len(topics) == 1
    assert pages <= set(topics[0].pages)
    assert set(topics[0].pages) <= {
        it.id
        for it in memory.turns()
        if any(it.query == turn["said"] for turn in life.story.said() if turn["theme"] == "choir")
    }
    knowledge = {it.text for it in memory.facts() if it.topic == topics[0].id}
    assert set(expected["choir_knowledge"]) <= knowledge
    assert heat(topics[0], life.clock.now(memory.profile.zone)) < 5.0
    now = life.clock.now(memory.profile.zone)
    found = life.runtime().recaller.recall(
        life.scope, expected["choir"], now=now, recipe="memoryos"
    )
    assert pages & {it.memory.id for it in found.memories}


def test_the_prompt_is_in_order(life: Life) -> None:
    """The history that the night wrote, what was told, the message; a move stands at most twice."""
    expected = life.story.expected
    _friend, prompt = life.ask(expected["home"])
    places = [prompt.index("<life_so_far>"), prompt.index("<memories>"), len(prompt)]
    assert places == sorted(places)
    assert prompt.endswith(expected["home"])
    assert prompt.count(expected["move"].rstrip("!！")) <= 2


def test_after_a_season_small_talk_is_put_away_and_what_matters_is_not(season: Life) -> None:
    """Early small talk is archived and found by its day; loss, pins, summaries and facts stay."""
    states, expected = _states(season), season.story.expected
    small = _turn(season, expected["dim"])
    assert states[small.id] == "archived"
    assert states[_turn(season, expected["important"]).id] == "vivid"
    assert states[_turn(season, expected["pinned"]).id] == "vivid"
    for kind in ("day", "fact"):
        assert {state for it, state in states.items() if it.startswith(f"{kind}-")} == {"vivid"}
    assert "faded" in {state for it, state in states.items() if it.startswith("event-")}
    _friend, prompt = season.ask(expected["dim_question"])
    assert expected["dim"] in prompt
    unasked, _prompt = season.ask(expected["choir"])
    assert unasked.last_reply is not None
    assert small.id not in [it.memory.id for it in unasked.last_reply.recalled.memories]
    assert season.memory().overall_personality is not None
