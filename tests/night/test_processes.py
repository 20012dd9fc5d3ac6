"""Real processes around one night: killed, talked to, and two nights at once."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from siliconfriend.errors import MemoryBusy
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.night.night_lock import hold_night
from tests.night.kills import fault, kill_once, undisturbed
from tests.night.many_people import ENDED, SlowModel, night, said_today, settle, start
from tests.night.world import JUNE_5
from tests.waiting import until

pytestmark = [pytest.mark.on_disk, pytest.mark.slow]


def test_a_killed_night_goes_on_to_the_same_end(tmp_path: Path) -> None:
    """Three kills by chance over six people; nothing acknowledged is missing."""
    chance = random.Random(11)
    before, whole = tmp_path / "before", tmp_path / "whole"
    settle(before, 6)
    shutil.copytree(before, whole)
    expected, seconds = undisturbed(whole)
    promised: list[str] = []
    for number in range(3):
        promised += kill_once(before, f"run{number}", chance.uniform(0, seconds / 2))
    assert fault(before, expected, [it for it in promised if it != ENDED]) == ""


def test_what_two_processes_say_during_a_slow_night_is_all_there(tmp_path: Path) -> None:
    """200 turns of a day that counts as over; the next night sums each person's up whole."""
    settle(tmp_path, 4)
    talkers = [start("talk", tmp_path, name, 100) for name in ("web", "terminal")]
    night(tmp_path, SlowModel(0.05), concurrency=4, today=True)
    promised = [it for talker in talkers for it in talker.communicate(timeout=120)[0].split()]
    assert [talker.returncode for talker in talkers] == [0, 0]
    assert len(promised) == 200
    assert said_today(tmp_path) == set(promised)
    report = night(tmp_path, SlowModel(), concurrency=4, today=True, stages=["summarise"])
    assert report.exit_code == 0
    store = FileStore(tmp_path)
    for scope in store.scopes():
        day = store.load(scope).days["2026-06-05"]
        assert day.summary is not None
        assert day.summary.provenance.from_ids == tuple(turn.id for turn in day.turns)
        assert len(day.turns) == 50


def test_a_second_night_says_who_holds_a_person(tmp_path: Path) -> None:
    """By process and since when; the other person is done, and a free person is done later."""
    settle(tmp_path, 2)
    with hold_night(tmp_path, Scope.of("Person 00"), JUNE_5):
        report = night(tmp_path, SlowModel(), wait=0.05)
    held, free = report.to_json()["users"]
    assert (held["status"], held["llm"]["calls"]) == ("failed", 0)
    assert "at work on Person 00: process " in held["errors"][0]
    assert "since 2026-06-05 03:00 UTC" in held["errors"][0]
    assert free["status"] == "ok"
    assert night(tmp_path, SlowModel()).exit_code == 0


def test_a_second_night_waits_for_the_first(tmp_path: Path) -> None:
    """Both run to their end, and no text is asked for twice."""
    settle(tmp_path, 1)
    first = start("night", tmp_path, "first", 0.05)
    assert first.stdout is not None
    first.stdout.readline()

    def is_held() -> bool:
        assert first.poll() is None
        return _is_held(tmp_path)

    until(is_held)
    model = SlowModel()
    assert night(tmp_path, model, wait=30).exit_code == 0
    first.communicate(timeout=120)
    assert model.calls == 0


def test_a_dry_run_waits_for_nobody(tmp_path: Path) -> None:
    """It changes nothing, so it may look while a night is at work."""
    settle(tmp_path, 1)
    with hold_night(tmp_path, Scope.of("Person 00"), JUNE_5):
        assert night(tmp_path, SlowModel(), dry_run=True, wait=0).exit_code == 0


def test_the_lock_ends_with_the_work(tmp_path: Path) -> None:
    """Also where the work failed; no note stays behind."""
    ada = Scope.of("Ada")
    with pytest.raises(ZeroDivisionError), hold_night(tmp_path, ada, JUNE_5):
        raise ZeroDivisionError
    assert not list(tmp_path.rglob("*.held"))
    with hold_night(tmp_path, ada, JUNE_5, wait=0):
        pass


def _is_held(home: Path) -> bool:
    try:
        with hold_night(home, Scope.of("Person 00"), JUNE_5, wait=0):
            return False
    except MemoryBusy:
        return True
