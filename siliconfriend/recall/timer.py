"""How long each step of a recall takes, so that a slow one can be named and not only felt."""

from __future__ import annotations

import time


class Timer:
    """Milliseconds between steps.

    Attributes:
        steps: how long each took, by name, in order.
    """

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self._last = time.perf_counter()

    def step(self, name: str) -> None:
        """End a step, which began with the end of the one before."""
        now = time.perf_counter()
        self.steps[name] = round((now - self._last) * 1000, 3)
        self._last = now
