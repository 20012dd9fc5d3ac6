"""Work behind the prompt: it ends before it is needed, and its errors are not lost."""

from __future__ import annotations

import threading

import pytest

from siliconfriend.cli.background import Background
from siliconfriend.errors import StoreError


def test_wait_returns_when_the_work_has_ended() -> None:
    """What was begun is done after the wait, and the main thread was free until then."""
    go, done = threading.Event(), []
    work = Background(lambda: done.append(go.wait(10)))
    assert not work.is_done
    go.set()
    work.wait()
    assert work.is_done
    assert done == [True]


def test_an_error_is_raised_where_it_is_waited_for_and_only_once() -> None:
    """A damaged store found in the background ends the talk like any other."""

    def fail() -> None:
        raise StoreError("nothing_said")

    work = Background(fail)
    with pytest.raises(StoreError):
        work.wait()
    work.wait()


def test_a_long_wait_tells_how_it_goes_on() -> None:
    """Again and again while the work lasts, and not once where it is done before."""
    go = threading.Event()
    told: list[str] = []

    def tell() -> None:
        told.append("still")
        if len(told) == 3:
            go.set()

    Background(go.wait).wait(tell, every=0.001)
    assert len(told) >= 3
    told.clear()
    work = Background(lambda: None)
    work.wait()
    work.wait(tell, every=0.001)
    assert told == []
