"""A right is one process's at a time, and passes on when that one is dead, cut off or stopped."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.installation import leases as module
from siliconfriend.installation.installation import Installation
from siliconfriend.memory.records import Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import MovingClock
from tests.installation.conftest import Open, open_at
from tests.memory.temporary import TemporaryStore
from tests.waiting import until

ADA = Scope.of("Ada")

HOLDER = """
import sys, time
from tests.installation.conftest import open_at
lease = open_at(sys.argv[1]).leases.lease("night")
print(lease.take(), flush=True)
time.sleep(60)
"""


def test_one_process_holds_a_lease_at_a_time(opened: Open) -> None:
    first, second = opened().leases.lease("night"), opened().leases.lease("night")
    assert first.take()
    assert first.take()
    assert not second.take()
    assert not second.acquire(0.1)
    first.give_back()
    assert second.take()
    first.give_back()
    assert opened().leases.is_held("night")


def test_a_lease_lasts_while_it_is_renewed(opened: Open) -> None:
    renewed = opened().leases.lease("night", ttl=0.5)
    assert renewed.take()
    time.sleep(0.8)
    assert not renewed.is_lost
    assert not opened().leases.lease("night").take()
    cut_off = opened().leases.lease("reply", ttl=0.2)
    with cut_off._leases.tables.write() as transaction:
        assert cut_off.take_in(transaction)  # and nobody renews it
    time.sleep(0.3)
    assert cut_off.is_lost
    assert opened().leases.lease("reply").take()


def test_the_holder_hears_that_it_is_stopped_or_lost(opened: Open) -> None:
    heard: list[bool] = []

    def end(was_lost: bool) -> None:
        heard.append(was_lost)

    here, there = opened().leases, opened().leases
    assert here.lease("reply", ttl=0.3, on_end=end).take()
    there.stop("reply")
    until(lambda: heard == [False])
    assert here.lease("other", ttl=0.3, on_end=end).take()
    there.tables.change("UPDATE lease SET holder = 'somebody' WHERE name = 'other'")
    until(lambda: heard == [False, True])


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_the_lease_of_a_killed_process_is_free_at_once(address: str, how: int) -> None:
    command = [sys.executable, "-c", HOLDER, address]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2], text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        process.send_signal(how)
        if how == signal.SIGKILL:
            process.wait()
        leases = open_at(address).leases
        began = time.monotonic()
        assert leases.lease("night").acquire(1) == (how == signal.SIGKILL)
        assert how == signal.SIGSTOP or time.monotonic() - began < module.TTL / 10
        process.kill()


def test_jobs_survive_until_they_are_ended(opened: Open) -> None:
    job = opened().jobs.begin({"person": "Ada", "ids": ["turn-1"]})
    job.update(step="memory gone")
    (found,) = opened().jobs.unfinished()
    assert (found.name, dict(found.intent)) == (
        job.name,
        {"person": "Ada", "ids": ["turn-1"], "step": "memory gone"},
    )
    found.end()
    assert opened().jobs.unfinished() == []


def test_the_state_of_a_talk_tells_its_newest_change_and_a_reply(opened: Open) -> None:
    store, clock = TemporaryStore(), MovingClock()
    now = clock.now(ZoneInfo("UTC"))
    profile = Profile(ADA.person, language="en", timezone="UTC", created=now)
    store.create(ADA, profile)
    replies = Installation(opened().tables.database, store)
    right = replies.reply_lease(ADA, lambda was_lost: None)
    assert right.take()
    assert replies.talk_state(Scope.of("Ben")) == (0, False)
    assert replies.talk_state(ADA) == (1, True)
    right.give_back()
    assert replies.talk_state(ADA) == (1, False)
