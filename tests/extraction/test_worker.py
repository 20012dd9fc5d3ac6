"""The worker reads behind the talk, and loses nothing when it cannot."""

import threading
from collections.abc import Iterator, Sequence

import pytest

from siliconfriend.errors import ModelUnavailable, UnusableAnswer
from siliconfriend.extraction.extractor import Extracted, Known, Subject
from siliconfriend.extraction.offline_extractor import OfflineExtractor
from siliconfriend.extraction.queue import Batch, live_in_queue
from siliconfriend.extraction.worker import Reader, Worker
from siliconfriend.memory.changes import PutContext
from siliconfriend.testing import MovingClock
from tests.extraction.world import Reading, at, settle


class Slow:
    """Reads by rule once it may; fails as it is told to.

    Attributes:
        read: the first words of every batch it was given.
    """

    made_by = "slow"

    def __init__(self, *fails: Exception | None) -> None:
        self.may = threading.Event()
        self.began = threading.Event()
        self.read: list[str] = []
        self._fails = list(fails)

    def extract(self, subject: Subject, batch: Batch, known: Sequence[Known]) -> Extracted:
        """By rule, once it may."""
        self.began.set()
        assert self.may.wait(30)
        self.read.append(batch.turns[0].query)
        failure = self._fails.pop(0) if self._fails else None
        if failure is not None:
            raise failure
        return OfflineExtractor().extract(subject, batch, known)


class Bench:
    """A worker over one person's talk."""

    def __init__(self) -> None:
        self.world = Reading()
        self.slow = Slow()
        self.worker = Worker(
            self.world.store,
            lambda _scope: Reader(self.slow, self.world.subject),
            MovingClock(at("3 20:00")),
        )

    def pending(self, *moments: str) -> None:
        """Say something at these moments and let all of it leave the talk."""
        for moment in moments:
            self.world.say(moment, f"I live in Oslo. It is {moment.split()[1]}.")
        self.world.put(
            PutContext(tuple(one.id for one in live_in_queue(self.world.memory())), "pending")
        )

    def wake(self) -> None:
        """Have it read."""
        self.worker.wake(self.world.scope)

    def states(self) -> list[str]:
        """Where the turns are."""
        return [turn.context for turn in self.world.memory().turns()]


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A worker that is closed in the end."""
    bench = Bench()
    yield bench
    bench.slow.may.set()
    bench.worker.close()


def test_waking_returns_at_once_and_the_batch_is_read(bench: Bench) -> None:
    """The talk goes on while the model reads."""
    bench.pending("3 14:00", "3 14:01")
    bench.wake()
    assert bench.slow.began.wait(30)
    assert bench.states() == ["pending"] * 2
    bench.slow.may.set()
    settle()
    assert bench.states() == ["extracted"] * 2
    assert bench.world.facts()[0].provenance.made_by == "slow"


def test_what_became_pending_meanwhile_is_read_too(bench: Bench) -> None:
    """Woken while it reads, it looks again; nothing is read twice."""
    bench.pending("3 14:00")
    bench.wake()
    assert bench.slow.began.wait(30)
    bench.pending("3 15:00")
    bench.wake()
    bench.wake()
    bench.slow.may.set()
    settle()
    assert bench.slow.read == ["I live in Oslo. It is 14:00.", "I live in Oslo. It is 15:00."]


@pytest.mark.parametrize(
    ("failure", "states"),
    [
        (UnusableAnswer("model_not_json", name="slow"), ["pending", "extracted"]),
        (ModelUnavailable("model_broke_off", name="slow", address="here"), ["pending"] * 2),
        (ZeroDivisionError(), ["pending"] * 2),
    ],
)
def test_a_failed_batch_stays_pending(bench: Bench, failure: Exception, states: list[str]) -> None:
    """The next is read where it need not fail as well; the next waking reads what is left."""
    bench.slow = Slow(failure)
    bench.slow.may.set()
    bench.pending("3 14:00", "3 15:00")
    bench.wake()
    settle()
    assert bench.states() == states
    bench.wake()
    settle()
    assert bench.states() == ["extracted"] * 2


def test_closing_waits_for_what_is_read_and_begins_nothing(bench: Bench) -> None:
    """The batch under way is kept; the next one waits for another time."""
    bench.pending("3 14:00", "3 15:00")
    bench.wake()
    assert bench.slow.began.wait(30)
    closing = threading.Thread(target=bench.worker.close)
    closing.start()
    while not bench.worker.is_closed:
        pass
    bench.slow.may.set()
    closing.join(30)
    assert not closing.is_alive()
    assert bench.states() == ["extracted", "pending"]
    bench.wake()
    settle()
    assert bench.states() == ["extracted", "pending"]
