"""Nights after a past was brought along, or after a season away: what fades, and what does not.

Hand values: under ``companion`` a turn has u = 30 / ln 2 days, so R < 0.1 after
30 · log2(10) = 99.66 days; a turn brought at 03:00 on 5 June is still there on the night of
12 September (99 days) and goes on that of 13 September (100 days).
"""

from datetime import UTC, datetime, timedelta

import pytest

from siliconfriend.config import Settings
from siliconfriend.control.listing import MemoryRow, memory_row
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.importers.ledger import take_in
from siliconfriend.importers.turns import TurnDraft, Words
from siliconfriend.memory.import_export import import_bank
from tests.night.world import ADA, JUNE_5, World

COMPANION = ForgettingPolicy.named("companion")
CUPS = 40


@pytest.fixture
def world(settings: Settings) -> World:
    """Ada, offline, on 5 June 2026."""
    world = World(settings)
    world.meet(ADA)
    return world


def _bring(world: World) -> None:
    """Forty cups of tea, one every 45 days of the five years up to 2026."""
    drafts = []
    for cup in range(CUPS):
        moment = datetime(2021, 1, 1, 12, tzinfo=UTC) + timedelta(days=45 * cup)
        day = moment.date()
        asked = Words(f"{cup:016x}", f"Tea by the window, cup {cup}.", True, day, moment)
        answered = Words(f"{cup + 100:016x}", "I see.", False, day, moment)
        drafts.append(TurnDraft((asked, answered)))
    assert take_in(world.store, ADA, drafts, world.clock.moment).added == CUPS


def _bring_bank(world: World) -> None:
    """The same past as a file of MemoryBank, which gives no strengths."""
    history = {
        (datetime(2021, 1, 1, tzinfo=UTC) + timedelta(days=45 * cup)).date().isoformat(): [
            {"query": f"Tea by the window, cup {cup}.", "response": "I see."}
        ]
        for cup in range(CUPS)
    }
    bank = {"Ada": {"name": "Ada", "history": history}}
    zone = world.memory().profile.zone
    import_bank(world.store, bank, language="en", zone=zone, now=world.clock.moment)


def _archived(world: World) -> int:
    return sum(turn.trace.archived is not None for turn in world.memory().turns())


def _rows(world: World) -> list[MemoryRow]:
    memory = world.memory()
    return [memory_row(memory, one, COMPANION, world.clock.moment) for one in memory.memories()]


def test_the_night_after_five_years_were_brought_archives_nothing(world: World) -> None:
    _bring(world)
    report = world.night()
    (person,) = report.to_json()["users"]
    assert (report.exit_code, person["status"], person["archived"]) == (0, "ok", {})
    assert (person["held_back"], len(person["summarised"])) == (None, CUPS)
    rows = _rows(world)
    assert {row.prospect.state for row in rows} == {"vivid"}
    first = next(row for row in rows if row.to_json()["kind"] == "turn").to_json()
    assert (first["date"], first["last_recalled"]) == ("2021-01-01", "2021-01-01")
    assert (first["brought_on"], first["dims_on"]) == ("2026-06-05", "2026-07-05")
    assert (first["retention"], first["strength"]) == (1.0, 1.0)


def test_a_clock_that_jumps_archives_nothing_that_was_brought(world: World) -> None:
    """Nor on the next nights of the wrong time, nor when the clock is right again."""
    _bring(world)
    world.night()
    for days in (3650, 3651, 1):
        world.clock.set(JUNE_5 + timedelta(days=days))
        report = world.night()
        assert (report.exit_code, _archived(world)) == (0, 0)
        assert (report.people[0].held_back is None) == (days == 1)


def test_a_memorybank_file_keeps_its_days_and_is_held_back_without_failing(world: World) -> None:
    """Its own state counts; every night says so and ends with 0 until a person decides."""
    _bring_bank(world)
    for _ in range(3):
        report = world.night()
        (person,) = report.to_json()["users"]
        assert (report.exit_code, person["status"], person["errors"]) == (0, "pending", [])
        assert (person["held_back"]["alive"], _archived(world)) == (CUPS, 0)
        assert "--allow-large" in report.to_text("en")
        world.clock.move(days=1)
    rows = [row.to_json() for row in _rows(world)]
    oldest = next(row for row in rows if row["kind"] == "turn")
    assert (oldest["state"], oldest["brought_on"]) == ("faded", None)
    assert oldest["dims_on"] == "2021-01-31"
    world.night(allow_large=True)
    assert _archived(world) == person["held_back"]["due"]
    assert world.night().people[0].status == "ok"
