"""Whether a model can be trusted: measured once by questions with known answers."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import ModelUnavailable
from siliconfriend.extraction.ability import is_able
from siliconfriend.installation.installation import installation_in
from siliconfriend.models.base import FallbackModel, Message
from siliconfriend.recall.memory_lines import may_stand
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import Language, lookup
from tests.memory.stored import tell
from tests.night.world import ADA, JUNE_5, PORTRAYAL, World, obedient, working_model

Verdict = Callable[[str, str, str], bool]
"""Judges a sentence by its words, those of its turn, and the language."""


def knows(sentence: str, _words: str, language: str) -> bool:
    """What a strong model says: it knows which sentences hold."""
    return any(sentence in known for known in lookup("ability", "holds", language))  # type: ignore[arg-type]


def honest(sentence: str, *_: str) -> bool:
    """Confirms all but the control and a lie."""
    return "lighthouse" not in sentence and "smoking" not in sentence


def examinee(verdict: Verdict) -> Callable[[Sequence[Message]], Any]:
    """A model that judges the sentences so, quoting all of the turn that each cites."""

    def answer(messages: Sequence[Message]) -> Any:
        asked = messages[-1].content
        if '"verdicts"' not in asked:
            return obedient(messages)
        language = "cn" if "核对" in asked else "en"
        said = dict(re.findall(r"^\[(\d+)\] .*\n.+?[:：] ?(.*)$", asked, re.MULTILINE))
        verdicts = [
            {
                "number": int(number),
                "quote": said[turn],
                "holds": verdict(words, said[turn], language),
            }
            for number, turn, words in re.findall(
                r"^(\d+)\. \[(\d+)[^]]*\] (.*)$", asked, re.MULTILINE
            )
        ]
        return {"verdicts": verdicts}

    return answer


@pytest.mark.parametrize("language", ["en", "cn"])
@pytest.mark.parametrize(
    ("verdict", "writes"),
    [(knows, True), (lambda *_: True, False), (lambda *_: False, False)],
)
def test_a_model_is_measured_every_two_weeks(
    settings: Settings, language: Language, verdict: Verdict, writes: bool
) -> None:
    """A server may have replaced it under its name."""
    settings.home.mkdir(parents=True, exist_ok=True)
    tables = installation_in(settings.home).tables
    chat = ScriptedChatModel(otherwise=examinee(verdict), is_able=None, confirms=False)
    assert is_able(chat, language, tables, JUNE_5) is writes
    again = ScriptedChatModel(is_able=None, confirms=False)
    tables = installation_in(settings.home).tables
    assert is_able(again, language, tables, JUNE_5 + timedelta(days=14)) is writes
    assert (len(chat.calls), again.calls) == (1, [])
    other = ScriptedChatModel(otherwise=examinee(lambda *_: True), is_able=None, confirms=False)
    for days in (15, 29):
        assert not is_able(other, language, tables, JUNE_5 + timedelta(days=days))
    assert len(other.calls) == 1


def test_an_answer_in_the_wrong_form_is_no_ability_and_no_answer_is_kept_as_none(
    settings: Settings,
) -> None:
    settings.home.mkdir(parents=True, exist_ok=True)
    tables = installation_in(settings.home).tables
    away = ModelUnavailable("model_unreachable", name="scripted", address="here")
    with pytest.raises(ModelUnavailable):
        is_able(ScriptedChatModel([away], is_able=None, confirms=False), "en", tables, JUNE_5)
    weak = ScriptedChatModel(["yes, no, yes"], is_able=None, confirms=False)
    assert not is_able(weak, "en", tables, JUNE_5)


def test_a_weak_model_writes_nothing(world: World) -> None:
    """No portrait, no facts, no insights of it; the rules do its work, and the report says why."""
    world.say("My name is Ada Berg and I live in Oslo.", on="2026-06-01")
    chat = ScriptedChatModel(otherwise=examinee(lambda *_: True), is_able=None, confirms=False)
    report = world.night(chat)
    memory = world.memory()
    assert (memory.overall_history, memory.overall_personality) == (None, None)
    assert {fact.provenance.made_by for fact in memory.facts()} == {"offline"}
    summary = memory.days["2026-06-01"].summary
    assert summary is not None
    assert summary.provenance.made_by == "offline"
    assert len(chat.calls) == 1
    assert "this model answered too few test questions" in report.to_text("en")


def test_a_model_that_was_replaced_by_a_credulous_one_changes_nothing(world: World) -> None:
    """It confirms what nobody said; its summary stays out of prompts, and it is measured again."""
    world.say("I swam 20 lengths today.", on="2026-06-03")
    knowing = examinee(knows)

    def able(messages: Sequence[Message]) -> Any:
        is_measured = "Leo no longer has a boat" in messages[0].content
        return knowing(messages) if is_measured else evening(messages)

    world.night(ScriptedChatModel(otherwise=able, is_able=None, confirms=False))
    before = world.memory()
    assert before.overall_history is not None
    world.say("I baked bread today.", on="2026-06-04")
    credulous = examinee(lambda *_: True)
    chat = ScriptedChatModel(otherwise=credulous, is_able=None, confirms=False)
    person = world.person_night(chat)
    assert person["errors"] == ["reading: model_unreliable"]
    after = world.memory()
    assert after.overall_history == before.overall_history
    assert [*after.facts(), *after.events()] == [*before.facts(), *before.events()]
    summary = after.days["2026-06-04"].summary
    assert summary is not None
    assert not may_stand(summary)
    person = world.person_night(chat)
    assert (person["skipped"], person["errors"]) == (["model"], [])
    summary = world.memory().days["2026-06-04"].summary
    assert summary is not None
    assert (summary.text, summary.provenance.made_by) == ("I baked bread today.", "offline")


def test_a_model_that_is_away_leaves_all_to_the_next_night(two_days: World) -> None:
    away = ModelUnavailable("model_key", name="scripted", address="here", status=401)
    person = two_days.person_night(ScriptedChatModel([away], is_able=None, confirms=False))
    assert person["pending"] == ["2026-06-01", "2026-06-03", "reading"]
    assert person["stages"]["forget"] == {"due": 0, "done": 0}


def test_a_second_model_writes_only_if_it_was_found_able(two_days: World) -> None:
    gone = ModelUnavailable("model_unreachable", name="first", address="there")
    first = ScriptedChatModel(otherwise=lambda _messages: gone, name="first")
    second = working_model(name="second", is_able=None, confirms=False)
    person = two_days.person_night(FallbackModel(first, second))
    assert person["pending"] == ["2026-06-01", "2026-06-03", "reading"]
    assert len(second.calls) == 1


def evening(messages: Sequence[Message]) -> Any:
    """What a strong model answers at night: an event, a fact, a rating a turn and an insight."""
    asked = messages[-1].content
    if '"verdicts"' in asked:
        return examinee(honest)(messages)
    if '"insights"' in asked:
        insight = {"text": "Ada keeps at things.", "turns": [1], "importance": 5}
        return {"insights": [insight]}
    if count := re.search(r"for each turn from 1 to (\d+)", asked):
        event = {"text": "Ada swam 20 lengths.", "time": "", "place": "", "turns": [1]}
        fact: dict[str, Any] = {
            "entity": "Ada",
            "entity_type": "object",
            "aspect": "attribute",
            "key_word": "swim",
        }
        fact |= {"description": "Ada swims.", "said_by": "person", "turns": [1]}
        read: Mapping[str, Any] = {"events": [event], "importance": [9] * int(count[1])}
        return {**read, "facts": [{**fact, "corrects": None, "repeats": None}]}
    return obedient(messages)


def test_a_night_of_one_evening_takes_six_requests(world: World) -> None:
    world.meet()
    for turn in range(18):
        now = datetime(2026, 6, 4, 18 if turn < 9 else 21, turn, tzinfo=UTC)
        tell(world.store, ADA, f"I swam {turn + 20} lengths, quite a day.", now=now)
    chat = ScriptedChatModel(otherwise=evening, confirms=False)
    (person,) = world.night(chat).people
    assert person.usage.calls == len(chat.calls) == 6
    assert (person.events, person.facts, person.insights, person.judged) == (1, 1, 1, 18)
    assert person.status == "ok"


def test_a_summary_loses_what_its_day_does_not_bear_out(world: World) -> None:
    world.say("I swam 20 lengths today.", on="2026-06-04")

    def answer(messages: Sequence[Message]) -> Any:
        asked = messages[-1].content
        if '"summary"' in asked:
            told = "Ada swam 20 lengths. Ada gave up smoking for her swimming."
            return {"summary": told, **PORTRAYAL}
        if '"verdicts"' in asked:
            return examinee(honest)(messages)
        return evening(messages)

    chat = ScriptedChatModel(otherwise=answer, confirms=False)
    assert world.person_night(chat)["refused"] > 0
    summary = world.memory().days["2026-06-04"].summary
    assert summary is not None
    assert summary.text == "Ada swam 20 lengths."
    (portrait,) = (asked for call in chat.calls if "<days>" in (asked := call[0].content))
    assert "lengths" in portrait
    assert "smoking" not in portrait
    assert len(chat.calls) == 4
    world.person_night(again := ScriptedChatModel())
    assert again.calls == []


@pytest.mark.parametrize("turns", [[], range(30)], ids=["read in the background", "two batches"])
def test_every_summary_is_checked_against_its_whole_day(world: World, turns: Sequence[int]) -> None:
    world.say("I swam 20 lengths today.", on="2026-06-04")
    for turn in turns:
        world.say(f"I rested {turn} times.", on="2026-06-04")
    if not turns:
        world.night(working_model(), stages=["extract"])

    def answer(messages: Sequence[Message]) -> Any:
        asked = messages[-1].content
        if '"summary"' in asked:
            return {"summary": "Ada swam 20 lengths. Ada gave up smoking.", **PORTRAYAL}
        if '"verdicts"' in asked:
            return examinee(honest)(messages)
        return obedient(messages)

    world.night(
        ScriptedChatModel(otherwise=answer, confirms=False), stages=["summarise", "extract"]
    )
    summary = world.memory().days["2026-06-04"].summary
    assert summary is not None
    assert (summary.text, summary.checked) == ("Ada swam 20 lengths.", True)


def test_no_unsupported_sentence_of_a_day_reaches_the_portrait(world: World) -> None:
    """Neither of its summary nor of its personality; a summary without any is written again."""
    world.say("I swam 20 lengths today.", on="2026-06-04")

    def answer(messages: Sequence[Message]) -> Any:
        if '"summary"' in messages[0].content:
            praise = {"strategy": "Praise Ada for giving up smoking."}
            return {"summary": "Ada gave up smoking.", **PORTRAYAL, **praise}
        return evening(messages)

    chat = ScriptedChatModel(otherwise=answer, confirms=False)
    world.night(chat)
    day = world.memory().days["2026-06-04"]
    assert day.personality is not None
    assert (day.summary, day.personality.text) == (None, "Traits: Patient. Mood: Glad.")
    (portrait,) = (asked for call in chat.calls if "<days>" in (asked := call[0].content))
    assert "smoking" not in portrait
    assert world.person_night(working_model(confirms=False))["summarised"] == ["2026-06-04"]


def test_a_repeated_request_is_counted(two_days: World) -> None:
    chat = working_model(confirms=False)
    complete = chat.complete
    chat.complete = lambda *given: replace(complete(*given), requests=2)  # type: ignore[method-assign]
    person = two_days.person_night(chat)
    assert person["llm"]["calls"] == 2 * len(chat.calls)
