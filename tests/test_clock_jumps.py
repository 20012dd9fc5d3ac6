"""A clock that jumps back and forth: nothing is lost, refused or out of its place."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.forgetting.policy import POLICIES
from siliconfriend.memory.file_store import FileStore
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.control.world import NORA, World
from tests.crash_scenarios import settings_of
from tests.memory.flips import tree

MOMENTS = [
    datetime(2026, 3, 14, 9, tzinfo=UTC),
    datetime(2009, 1, 1, tzinfo=UTC),
    datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC),
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime(2026, 3, 14, 8, 59, 59, tzinfo=UTC),
    datetime(2026, 3, 14, 9, tzinfo=UTC),
]


def _world(home: Path, now: datetime, policy: str = "companion") -> World:
    settings = settings_of(home)
    return World(FileStore(home), replace(settings, policy=policy), clock=MovingClock(now))


def _talk(home: Path, policy: str = "companion") -> list[str]:
    said = []
    for number, now in enumerate(MOMENTS):
        world = _world(home, now, policy)
        companion = world.companion()
        said.append(f"I planted bean{number}x.")
        companion.reply(said[-1])
        companion.close()
    return said


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_what_was_said_is_there_whatever_the_clock_said(home: Path, policy: str) -> None:
    """Talk, night and recall at each moment; every turn is kept on the day its clock named."""
    said = _talk(home, policy)
    for now in MOMENTS:
        report = _world(home, now, policy).night(allow_large=True)
        assert report.exit_code == 0
        assert report.now == now
    turns = list(FileStore(home).load(NORA).turns())
    assert sorted(turn.query for turn in turns) == said
    assert {turn.date for turn in turns} == {now.date().isoformat() for now in MOMENTS}
    recaller = Runtime(settings_of(home), MovingClock()).recaller
    for now in MOMENTS:
        for words in said:
            found = recaller.recall(NORA, words, now=now, top=3).memories
            assert all(0 <= (it.retention or 0) <= 1 for it in found)


def test_a_night_before_the_last_one_changes_nothing(home: Path) -> None:
    """With the clock set back the days are done already; put right again it goes on."""
    _talk(home)
    for now in MOMENTS[:3]:
        _world(home, now).night()
    FileStore(home).tidy(NORA)
    before = tree(home / "people")
    _world(home, datetime(1999, 1, 1, tzinfo=UTC)).night(stages=["summarise", "portrait"])
    assert tree(home / "people") == before
