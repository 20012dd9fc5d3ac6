"""What did not change since the last night is passed over; what did is found, however old it is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.memory.changes import Change, Erase, PutTrace, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Turn
from siliconfriend.night.report import PersonReport
from tests.night.test_growth import BEGAN, told_on
from tests.night.world import ADA, World

DAYS = 40


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty days in files, with one night over all of them."""
    home = tmp_path_factory.mktemp("lived")
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
    world = World(settings, FileStore(home))
    for day in range(DAYS):
        told_on(world, day)
    after_night(world, DAYS)
    return home


@pytest.fixture
def lived(files: Path, world: World) -> World:
    """The same in a folder of the test's own, on the morning after that night."""
    shutil.copytree(files, world.settings.home)
    world.clock.set(f"{BEGAN + timedelta(days=DAYS)}T03:00:00+00:00")
    world.store = FileStore(world.settings.home)
    return world


def after_night(world: World, day: int, *, allow_large: bool = False) -> PersonReport:
    """The night before a day by a fresh process, and what it reports of the one person."""
    world.clock.set(f"{BEGAN + timedelta(days=day)}T03:00:00+00:00")
    world.store = FileStore(world.settings.home)
    report = world.night(allow_large=allow_large)
    assert report.exit_code == 0
    return report.people[0]


def a_turn(world: World, day: int) -> Turn:
    """The first turn of a day."""
    return world.memory().days[(BEGAN + timedelta(days=day)).isoformat()].turns[0]


def done(report: PersonReport) -> dict[str, int]:
    """How much each stage did that did something."""
    return {stage: counts["done"] for stage, counts in report.stages.items() if counts["done"]}


@pytest.mark.parametrize(
    "change",
    [
        lambda turn: PutTurn(replace(turn, query="I sold my blue bicycle.")),
        lambda turn: Erase((turn.id,)),
    ],
    ids=["words", "erased"],
)
def test_an_old_day_that_changed_is_summarised_again(
    lived: World, change: Callable[[Turn], Change]
) -> None:
    """It alone, and what rests on all days."""
    turn = a_turn(lived, 3)
    with lived.store.edit(ADA) as edit:
        edit.add(change(turn))
    lived.store.tidy(ADA)
    assert after_night(lived, DAYS).summarised == [turn.date]
    assert done(after_night(lived, DAYS)) == {}


def test_an_old_memory_that_is_unpinned_fades_on(lived: World) -> None:
    """Put away in the night after, though its day was passed over for a year."""
    turn = a_turn(lived, 3)
    with lived.store.edit(ADA) as edit:
        edit.add(PutTrace(turn.id, replace(turn.trace, pinned=True)))
    for day in range(DAYS, 400, 60):
        after_night(lived, day, allow_large=True)
    kept = lived.memory().find(turn.id)
    assert isinstance(kept, Turn)
    assert kept.trace.archived is None
    assert a_turn(lived, 4).trace.archived is not None
    with lived.store.edit(ADA) as edit:
        edit.add(PutTrace(turn.id, replace(kept.trace, pinned=False)))
    assert after_night(lived, 401).archived["turn"] == 1
