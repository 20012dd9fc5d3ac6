"""A clock that jumps back and forth: nothing is lost, refused or out of its place."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from siliconfriend.forgetting.policy import POLICIES
from siliconfriend.memory.file_store import FileStore
from siliconfriend.person.bank import MemoryBank
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
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
            assert all(0 <= (one.retention or 0) <= 1 for one in found)


def test_a_night_before_the_last_one_changes_nothing(home: Path) -> None:
    """With the clock set back the days are done already; put right again it goes on."""
    _talk(home)
    for now in MOMENTS[:3]:
        _world(home, now).night()
    FileStore(home).tidy(NORA)
    before = tree(home / "people")
    _world(home, datetime(1999, 1, 1, tzinfo=UTC)).night(stages=["summarise", "portrait"])
    assert tree(home / "people") == before


def _said_and_shown(home: Path, moves: dict[str, str | timedelta]) -> tuple[list[str], list[str]]:
    """Say words after each change of zone or clock; all turns, and the talk in the last prompt."""
    model, clock = (
        ScriptedChatModel(otherwise=lambda _: "I see."),
        MovingClock("2026-11-22T20:00:00+00:00"),
    )
    settings = replace(settings_of(home), timezone="Pacific/Auckland")
    with MemoryBank(settings=settings, clock=clock, chat=model) as bank:
        person = bank.person("Ada")
        for words, move in moves.items():
            if isinstance(move, str):
                person.update(timezone=move)
            else:
                clock.move(minutes=move / timedelta(minutes=1))
            person.reply(words)
        shown = [call.content for call in model.calls[-1] if call.role == "user"]
        assert [turn.query for turn in person.conversation()] == list(moves)
        return [turn.query for turn in person.turns()], shown


JOURNEYS: dict[str, dict[str, str | timedelta]] = {
    "flown west over the date line": {
        "I am boarding in Auckland now.": timedelta(0),
        "I have landed in Los Angeles.": "America/Los_Angeles",
        "The airport is huge.": timedelta(minutes=2),
    },
    "the clock set back by two days": {
        "The first thing.": timedelta(0),
        "The second thing.": timedelta(days=-2),
        "The third thing.": timedelta(minutes=1),
    },
    "another server's clock is behind": {
        "My parrot is called Kiko.": timedelta(0),
        "What is my parrot called?": timedelta(seconds=-14),
    },
}


@pytest.mark.parametrize("moves", JOURNEYS.values(), ids=JOURNEYS.keys())
def test_a_talk_keeps_its_order(home: Path, moves: dict[str, str | timedelta]) -> None:
    """The date is a label: turns are listed and sent to the model as they were said."""
    said, shown = _said_and_shown(home, moves)
    assert said == list(moves)
    places = [next(at for at, one in enumerate(shown) if words in one) for words in moves]
    assert places == sorted(places)
