"""Curves in words and marks: what comes next of a memory, and what tells curves apart in grey."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from siliconfriend.control.listing import MemoryRow, memory_rows
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language
from tests.memory.people import a_profile, a_turn
from webui.fading.curve_marks import MOST_CURVES, dash, letter, mark, sample
from webui.fading.words import legend, told
from webui.words.phrases import shortened

SAID = datetime(2026, 3, 1, 12, tzinfo=UTC)
POLICY = ForgettingPolicy.named("companion")
"""A turn's unit is 43.3 days: at half after 43.3 ln 2 = 30.0 days, at a tenth after 99.7 (before dawn of 9 June)."""


def row_of(now: datetime, **trace: Any) -> MemoryRow:
    """A turn said at noon on 1 March, with changes of its trace, as it stands at ``now``."""
    turn = a_turn("I planted beans.", "Good.", day="2026-03-01")
    turn = replace(turn, trace=replace(Trace(SAID), **trace))
    (row,) = memory_rows(PutTurn(turn).apply(PersonMemory(a_profile())), POLICY, now)
    return row


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            "89% vivid; dims on 31 March; goes to the archive on 9 June; not recalled yet",
        ),
        ("cn", "清晰度 89%；3月31日开始模糊；6月9日进入归档；还没有被想起过"),
    ],
)
def test_what_comes_next_is_said_in_words(language: Language, words: str) -> None:
    """Five days on e^(-5 / 43.3) = 0.89 is left; each event has its day."""
    row = row_of(SAID + timedelta(days=5))
    assert told(row, date(2026, 3, 6), language) == words


def test_a_pinned_and_an_archived_memory_have_no_next_event() -> None:
    """One never fades, the other has; a recall is told with its day."""
    now, today = SAID + timedelta(days=5), date(2026, 3, 6)
    pinned = told(row_of(now, pinned=True), today, "en")
    assert pinned.endswith("pinned: never fades; not recalled yet")
    archived = told(row_of(now, archived=SAID + timedelta(days=4)), today, "en")
    assert "in the archive since yesterday" in archived
    assert "goes to" not in archived
    recalls = (SAID + timedelta(days=2), SAID + timedelta(days=4))
    assert "recalled two times, last yesterday" in told(row_of(now, recalls=recalls), today, "en")


def test_what_is_overdue_waits_for_the_night() -> None:
    """Its day has gone by and no night has run since: no day of the past is foretold."""
    row = row_of(SAID + timedelta(days=200))
    assert "goes to the archive next night" in told(row, date(2026, 9, 17), "en")
    assert "下一夜进入归档" in told(row, date(2026, 9, 17), "cn")


def test_no_two_curves_look_alike_without_colour() -> None:
    """Letter, dash and mark differ for as many as may be chosen, and the list shows the same."""
    numbers = range(MOST_CURVES)
    assert len({letter(it) for it in numbers}) == MOST_CURVES
    assert len({dash(it) for it in numbers}) == MOST_CURVES
    assert len({mark(it, 0, 0) for it in numbers}) == MOST_CURVES
    row = row_of(SAID + timedelta(days=5))
    listed = legend([row, row], date(2026, 3, 6), "en")
    assert sample(0) in listed
    assert sample(1) in listed


@pytest.mark.parametrize(
    ("words", "cut"),
    [("I planted beans.", "I planted…"), ("我种了豆子和花", "我种了豆子…"), ("beans", "beans")],
)
def test_a_title_is_cut_by_its_width(words: str, cut: str) -> None:
    """Ten columns hold ten letters or five Han characters, so that both fit a line."""
    assert shortened(words, 10) == cut
