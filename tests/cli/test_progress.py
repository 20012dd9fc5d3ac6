"""Work that takes long: it ends before it is needed, its errors are not lost, nobody waits in silence."""

from __future__ import annotations

import threading

import pytest

from siliconfriend.cli.terminal import BackgroundTask
from siliconfriend.errors import StoreError


def test_an_error_is_raised_where_it_is_waited_for_and_only_once() -> None:
    """A damaged store found in the background ends the talk like any other."""

    def fail() -> None:
        raise StoreError("nothing_said")

    work = BackgroundTask(fail)
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

    BackgroundTask(go.wait).wait(tell, every=0.001)
    assert len(told) >= 3
    told.clear()
    work = BackgroundTask(lambda: None)
    work.wait()
    work.wait(tell, every=0.001)
    assert told == []
