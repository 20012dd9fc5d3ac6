"""Kill a night at any moment and see whether the next one ends where an undisturbed one does."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from tests.night.many_people import SlowModel, export, night, said_today, start

CALL = 0.004
"""Seconds a call takes, so that kills meet the night while it asks and while it writes."""


def undisturbed(home: Path) -> tuple[dict[str, Any], float]:
    """What a whole night leaves of everyone, and how many seconds it took."""
    process = start("night", home, "whole", CALL)
    assert process.stdout is not None
    process.stdout.readline()
    began = time.perf_counter()
    process.communicate()
    seconds = time.perf_counter() - began
    model = SlowModel()
    if night(home, model).exit_code or model.calls:
        sys.exit("the undisturbed night left something to do")
    return export(home), seconds


def kill_once(home: Path, name: str, after: float) -> list[str]:
    """Kill a night so many seconds after it began; gives the turns it acknowledged.

    The last of them is :data:`ENDED` where the night was over before that.
    """
    process = start("night", home, name, CALL)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(after)
    process.kill()
    rest, _ = process.communicate()
    whole, _, _torn = rest.rpartition("\n")
    return whole.split()


def fault(home: Path, expected: dict[str, Any], promised: list[str]) -> str:
    """Finish the night; what is wrong afterwards, empty for nothing."""
    report = night(home, SlowModel(CALL), concurrency=4)
    if report.exit_code:
        return f"the next night failed: {report.to_json()}"
    if export(home) != expected:
        return "the memory is not what an undisturbed night leaves"
    lost = set(promised) - said_today(home)
    if lost:
        return f"{len(lost)} acknowledged turns are gone: {sorted(lost)[:5]}"
    again = SlowModel()
    night(home, again)
    return f"a further night asked {again.calls} times" if again.calls else ""
