"""A life: its form, filler between, and what is found by day and after a night."""

from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest

from siliconfriend.errors import UnreadableFile
from siliconfriend.evaluation.bench import Bench, read_turns
from siliconfriend.evaluation.life import evaluate_life, read_life
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.night.queue import NightReports
from tests.evaluation import banks

ADA = Scope.of("Ada")


def _changed(**keys: Any) -> dict[str, Any]:
    return deepcopy(banks.LIFE) | keys


def test_figures_are_those_worked_out_by_hand(bench: Bench) -> None:
    """All is told while it fits; of four two are said, of two without an answer one is claimed."""
    (document,) = evaluate_life(bench, read_life(banks.LIFE), ["siliconfriend"], night=False)
    assert [document[key] for key in ("recipe", "lang", "phase")] == ["siliconfriend", "en", "day"]
    assert (document["asked"], document["prompt"], document["said"]) == (4, 0.75, 0.5)
    assert (document["claimed"], document["nothing_to_find"]) == (1, 2)
    assert document["by_kind"] == {
        "direct": {"asked": 1, "prompt": 1, "said": 1},
        "fact": {"asked": 1, "prompt": 1, "said": 0},
        "several": {"asked": 2, "prompt": 1, "said": 1},
    }
    misses = [
        (miss["kind"], miss["ask"], miss["in_prompt"], miss["said"]) for miss in document["misses"]
    ]
    assert misses == [
        ("fact", "Who has a telescope?", True, False),
        ("several", "Where is the kayak?", False, False),
    ]
    assert "kayak" in document["misses"][1]["reply"]
    assert [claim["ask"] for claim in document["claims"]] == ["Where did I build the kiln?"]


def test_each_question_is_asked_alone(bench: Bench) -> None:
    """Off the record: nothing is written, strengthened or put into another's talk."""
    life = read_life(banks.LIFE)
    (first,) = evaluate_life(bench, life, ["siliconfriend"], night=False)
    before = bench.store.load(ADA)
    backwards = read_life(_changed(ask=banks.LIFE["ask"][::-1]))
    (second,) = evaluate_life(bench, backwards, ["siliconfriend"], night=False)
    assert bench.store.load(ADA).days == before.days
    assert second["by_kind"] == first["by_kind"]
    assert sorted(map(str, second["misses"])) == sorted(map(str, first["misses"]))


def test_the_night_comes_between(bench: Bench) -> None:
    """One night at 04:00 of the day of asking; every recipe by day, then every one after it."""
    recipes = ["siliconfriend", "memorybank"]
    rows = evaluate_life(bench, read_life(banks.LIFE), recipes)
    wanted = [(phase, recipe) for phase in ("day", "night") for recipe in recipes]
    assert [(row["phase"], row["recipe"]) for row in rows] == wanted
    assert all(row["night_errors"] == [] for row in rows)
    memory = bench.store.load(ADA)
    assert all(turn.is_read for turn in memory.turns())
    assert _summarised(memory) == ["2026-01-05", "2026-01-20", "2026-02-03"]
    report = NightReports(bench.runtime.installation).last([ADA])
    assert report is not None
    assert datetime.fromisoformat(report["now"]) == datetime(2026, 3, 1, 4, tzinfo=UTC)


def test_the_turns_of_a_bank_are_filler(bench: Bench) -> None:
    """Of all its people, whatever is summed up of them; they are turns of the person who lives."""
    filler = read_turns(banks.BANK)
    assert [told.words for told in filler[3:]] == ["harbour", "river kayak", "harbour"]
    life = read_life(banks.LIFE)
    evaluate_life(bench, life, ["memorybank"], filler=filler, night=False)
    assert [scope.person for scope in bench.store.scopes()] == ["Ada"]
    memory = bench.store.load(ADA)
    assert len(list(memory.turns())) == len(life.told) + len(filler)
    everyday = [
        turn.date for turn in memory.turns() if turn.query in {told.words for told in filler}
    ]
    assert everyday == [f"2026-01-{day:02}" for day in range(5, 31, 5)]
    assert _summarised(memory) == []


def _summarised(memory: PersonMemory) -> list[str]:
    return [day.date for day in memory.days.values() if day.summary]


@pytest.mark.parametrize(
    "data",
    [
        *({}, [], None, "text", [1]),
        _changed(lang="fr"),
        _changed(now="today"),
        _changed(turns=[]),
        _changed(turns=[["2026-01-05", ""]]),
        _changed(ask=[["direct", "kiln?", []]]),
        _changed(ask=[["none", "kiln?", ["kiln"]]]),
        _changed(ask=[["riddle", "kiln?", ["kiln"]]]),
    ],
)
def test_what_is_no_life_is_refused(data: Any) -> None:
    """With a sentence, not a traceback."""
    with pytest.raises(UnreadableFile):
        read_life(data)
