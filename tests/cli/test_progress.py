"""Work that takes long: its errors are not lost, nobody waits in silence."""

from __future__ import annotations

import threading

import pytest

from siliconfriend.cli.terminal import in_background, wait_for
from siliconfriend.errors import StoreError


def test_an_error_is_raised_where_it_is_waited_for() -> None:
    """A damaged store found in the background ends the talk like any other."""

    def fail() -> None:
        raise StoreError("nothing_said")

    with pytest.raises(StoreError):
        wait_for(in_background(fail), lambda: None)


def test_a_long_wait_tells_how_it_goes_on() -> None:
    """Again and again while the work lasts."""
    go = threading.Event()
    told: list[str] = []

    def tell() -> None:
        told.append("still")
        if len(told) == 3:
            go.set()

    wait_for(in_background(go.wait), tell, every=0.001)
    assert len(told) >= 3
