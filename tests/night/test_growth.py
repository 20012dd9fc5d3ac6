"""A night costs what is new; what changed since the last one is found, however old it is."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.config import load_settings
from siliconfriend.memory.changes import Change, Erase, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Turn
from siliconfriend.night.report import PersonReport
from siliconfriend.night.writer import EARLIER, LAST, portrayed_dates
from tests.embedding import WordEmbedder
from tests.night.world import ADA, World

VOCABULARY = [
    "alder",
    "birch",
    "cedar",
    "elm",
    "fir",
    "hazel",
    "larch",
    "maple",
    "oak",
    "pine",
    "rowan",
    "willow",
]
pytestmark = pytest.mark.slow
BEGAN = date(2026, 2, 1)
DAYS = 40


def told_on(world: World, day: int) -> None:
    """Tell six things on a day, in words that no other day has."""
    on = (BEGAN + timedelta(days=day)).isoformat()
    for number in range(6):
        one, other = VOCABULARY[(day + number) % 12], VOCABULARY[(day * 5 + number * 7) % 12]
        world.say(f"I planted {one} {day} beside {other} tree {number} in the park.", on=on)


def test_a_night_with_one_new_day_embeds_as_much_late_as_early(world: World) -> None:
    world.store, new = FileStore(world.settings.home), []
    for day in range(DAYS):
        told_on(world, day)
        if day in (8, 9, 38, 39):
            embedder = WordEmbedder(VOCABULARY)
            after_night(world, day + 1, embedder=embedder)
            new.append(len(embedder.embedded))
    assert new[3] <= new[1]


def test_portraits_use_the_last_days_and_some_of_each_year() -> None:
    dates = _dates(3650)
    chosen = portrayed_dates(dates)
    assert len(chosen) <= LAST + EARLIER
    assert chosen[-LAST:] == dates[-LAST:]
    assert {each[:4] for each in chosen} == {one[:4] for one in dates}


def test_a_day_that_was_left_out_is_never_taken_again() -> None:
    dates, out = _dates(400), set[str]()
    for count in range(1, 401):
        chosen = set(portrayed_dates(dates[:count]))
        assert not chosen & out
        out |= set(dates[:count]) - chosen


def _dates(count: int) -> list[str]:
    return [(BEGAN + timedelta(days=number)).isoformat() for number in range(count)]


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


def after_night(world: World, day: int, **how: Any) -> PersonReport:
    """The night before a day by a fresh process, and what it reports of the one person."""
    world.clock.set(f"{BEGAN + timedelta(days=day)}T03:00:00+00:00")
    world.store = FileStore(world.settings.home)
    report = world.night(**how)
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
    turn = a_turn(lived, 3)
    with lived.store.edit(ADA) as edit:
        edit.add(change(turn))
    lived.store.tidy(ADA)
    assert after_night(lived, DAYS).summarised == [turn.date]
    assert done(after_night(lived, DAYS)) == {}
