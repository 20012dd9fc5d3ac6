"""A life: its form, filler between, and what is found by day and after a night."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest

from siliconfriend.errors import UnreadableFile
from siliconfriend.evaluation.bench import Bench, Told
from siliconfriend.evaluation.life import (
    KINDS,
    evaluate_life,
    read_filler,
    read_life,
    spread_filler,
)
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.night.reports import NightReports
from tests.evaluation import banks

ADA = Scope.of("Ada")


def _changed(**keys: Any) -> dict[str, Any]:
    return deepcopy(banks.LIFE) | keys


def test_figures_are_those_worked_out_by_hand(bench: Bench) -> None:
    """All is told while it fits; of four one is said, of two without an answer one is claimed."""
    (document,) = evaluate_life(bench, read_life(banks.LIFE), ["siliconfriend"], night=False)
    assert [document[key] for key in ("recipe", "lang", "phase")] == ["siliconfriend", "en", "day"]
    assert (document["asked"], document["prompt"], document["said"]) == (4, 0.75, 0.25)
    assert (document["claimed"], document["nothing_to_find"]) == (1, 2)
    assert document["by_kind"] == {
        "direct": {"asked": 1, "prompt": 1, "said": 1},
        "fact": {"asked": 1, "prompt": 1, "said": 0},
        "several": {"asked": 2, "prompt": 1, "said": 0},
    }
    misses = [(it["kind"], it["ask"], it["in_prompt"], it["said"]) for it in document["misses"]]
    assert misses == [
        ("fact", "Who has a telescope?", True, False),
        ("several", "Kiln, glaze or harbour?", True, False),
        ("several", "Where is the kayak?", False, False),
    ]
    assert "kayak" in document["misses"][2]["reply"]
    assert [it["ask"] for it in document["claims"]] == ["Where did I build the kiln?"]


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
    assert [(row["phase"], row["recipe"]) for row in rows] == [
        ("day", "siliconfriend"),
        ("day", "memorybank"),
        ("night", "siliconfriend"),
        ("night", "memorybank"),
    ]
    assert all(row["night_errors"] == [] for row in rows)
    memory = bench.store.load(ADA)
    assert all(turn.is_read for turn in memory.turns())
    assert _summarised(memory) == ["2026-01-05", "2026-01-20", "2026-02-03"]
    report = NightReports(bench.runtime.installation).last([ADA])
    assert report is not None
    assert datetime.fromisoformat(report["now"]) == datetime(2026, 3, 1, 4, tzinfo=UTC)


def test_filler_is_spread_evenly_over_the_days() -> None:
    """Of ten days from the first to the last thing told, every second gets one of five."""
    told = [Told("2026-01-01", "first"), Told("2026-01-10", "last")]
    filler = [Told("2020-05-05", f"day {number}", "Well.") for number in range(5)]
    spread = spread_filler(told, filler)
    assert [(it.day[-2:], it.words) for it in spread] == [
        ("01", "first"),
        ("01", "day 0"),
        ("03", "day 1"),
        ("05", "day 2"),
        ("07", "day 3"),
        ("09", "day 4"),
        ("10", "last"),
    ]
    assert spread[1].reply == "Well."
    assert spread_filler(told, ()) == told
    many = spread_filler(told, filler * 20)
    assert {sum(it.day == day for it in many) for day in {it.day for it in many}} == {10, 11}
    assert all(earlier.day <= later.day for earlier, later in pairwise(many))


def test_the_turns_of_a_bank_are_filler(bench: Bench) -> None:
    """Of all its people, whatever is summed up of them; they are turns of the person who lives."""
    filler = read_filler(banks.BANK)
    assert [it.words for it in filler[3:]] == ["harbour", "river kayak", "harbour"]
    life = read_life(banks.LIFE)
    evaluate_life(bench, life, ["memorybank"], filler=filler, night=False)
    assert [scope.person for scope in bench.store.scopes()] == ["Ada"]
    memory = bench.store.load(ADA)
    assert len(list(memory.turns())) == len(life.told) + len(filler)
    assert (_summarised(memory), min(memory.days), max(memory.days)) == (
        [],
        "2026-01-05",
        "2026-02-03",
    )


def _summarised(memory: PersonMemory) -> list[str]:
    return [day.date for day in memory.days.values() if day.summary]


@pytest.mark.parametrize(
    "data",
    [
        *({}, [], None, "text", [1]),
        _changed(lang="fr"),
        _changed(now="today"),
        _changed(turns=[]),
        _changed(turns=[["2026-01-05"]]),
        _changed(turns=[["2026-01-05", "kiln", 7]]),
        _changed(turns=[["2026-01-05", ""]]),
        _changed(ask=[]),
        _changed(ask=[["direct", "kiln?", []]]),
        _changed(ask=[["direct", "kiln?", "kiln"]]),
        _changed(ask=[["none", "kiln?", ["kiln"]]]),
        _changed(ask=[["riddle", "kiln?", ["kiln"]]]),
    ],
)
def test_what_is_no_life_is_refused(data: Any) -> None:
    """With a sentence, not a traceback."""
    with pytest.raises(UnreadableFile):
        read_life(data)


def test_every_kind_is_told_apart(bench: Bench) -> None:
    """In the order of the table, whatever the order of the file; ``none`` counts for nothing."""
    untold = ("none", "small")
    asked = [[kind, "kiln?", [] if kind in untold else ["kiln"]] for kind in KINDS[::-1]]
    (result,) = evaluate_life(bench, read_life(_changed(ask=asked)), ["memorybank"], night=False)
    assert list(result["by_kind"]) == [kind for kind in KINDS if kind not in untold]
    assert result["asked"] == len(KINDS) - 2
    assert (result["reminded"], result["small_talk"]) == (1, 1)
