"""Real processes around one night: talked to, and two nights at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.night import run
from siliconfriend.night.queue import lease_name
from tests.night.many_people import SlowModel, night, said_today, settle, start
from tests.waiting import until

pytestmark = [pytest.mark.on_disk, pytest.mark.slow]


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


def test_a_second_night_says_who_is_at_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other person is done, and a free person is done later."""
    settle(tmp_path, 2)
    lease = installation_in(tmp_path).leases.lease(lease_name(Scope.of("Person 00")))
    assert lease.take()
    assert night(tmp_path, SlowModel(), dry_run=True).exit_code == 0, "it changes nothing"
    monkeypatch.setattr(run, "MAX_WAIT", 0.05)
    report = night(tmp_path, SlowModel())
    held, free = report.to_json()["users"]
    assert (held["status"], held["llm"]["calls"]) == ("failed", 0)
    assert "at work on Person 00" in held["errors"][0]
    assert free["status"] == "ok"
    lease.give_back()
    assert night(tmp_path, SlowModel()).exit_code == 0


def test_a_second_night_waits_for_the_first(tmp_path: Path) -> None:
    """Both run to their end, and no text is asked for twice."""
    settle(tmp_path, 1)
    first = start("night", tmp_path, "first", 0.05)
    assert first.stdout is not None
    first.stdout.readline()
    leases, name = installation_in(tmp_path).leases, lease_name(Scope.of("Person 00"))
    until(lambda: leases.is_held(name))
    model = SlowModel()
    assert night(tmp_path, model).exit_code == 0
    first.communicate(timeout=120)
    assert model.calls == 0
