"""A night costs what is new: what earlier nights embedded, wrote or asked for is not done again."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest

from siliconfriend.memory.file_store import FileStore
from siliconfriend.night.writer import EARLIER, LAST, portrayed_dates
from siliconfriend.testing import WordEmbedder
from tests.night.world import World

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
BEGAN = date(2026, 2, 1)


@pytest.fixture
def filed(world: World) -> World:
    """The world of a night with its memories in files, as a home has them."""
    world.store = FileStore(world.settings.home)
    return world


def told_on(world: World, day: int) -> None:
    """Tell six things on a day, in words that no other day has."""
    on = (BEGAN + timedelta(days=day)).isoformat()
    for number in range(6):
        one, other = VOCABULARY[(day + number) % 12], VOCABULARY[(day * 5 + number * 7) % 12]
        world.say(f"I planted {one} {day} beside {other} tree {number} in the park.", on=on)


def night_after(world: World, day: int) -> Counter[str]:
    """What the night after a day embeds, by a fresh process."""
    world.clock.set(f"{BEGAN + timedelta(days=day + 1)}T03:00:00+00:00")
    embedder = WordEmbedder(VOCABULARY)
    assert world.night(embedder=embedder).exit_code == 0
    return Counter(embedder.embedded)


def test_a_night_with_one_new_day_embeds_as_much_late_as_early(filed: World) -> None:
    """On the fortieth day no more than on the tenth."""
    new = []
    for day in range(40):
        told_on(filed, day)
        if day in (8, 9, 38, 39):
            new.append(night_after(filed, day).total())
    assert new[3] <= new[1]


def test_of_a_long_life_the_last_days_and_some_of_each_year() -> None:
    """Ten years are portrayed from no more days than two months, all the years among them."""
    dates = _dates(3650)
    chosen = portrayed_dates(dates)
    assert len(chosen) <= LAST + EARLIER
    assert chosen[-LAST:] == dates[-LAST:]
    assert {it[:4] for it in chosen} == {it[:4] for it in dates}


def test_a_day_that_was_left_out_is_never_taken_again() -> None:
    """So nothing that was made of it need be kept."""
    dates, out = _dates(400), set[str]()
    for count in range(1, 401):
        chosen = set(portrayed_dates(dates[:count]))
        assert not chosen & out
        out |= set(dates[:count]) - chosen


def _dates(count: int) -> list[str]:
    return [(BEGAN + timedelta(days=number)).isoformat() for number in range(count)]
