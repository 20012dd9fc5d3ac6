"""How often a model may be asked in a night, and when it is no use asking again.

Shared by everyone's night, so that a wrong key is found out once and not once a day of
every person.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from siliconfriend.errors import ModelUnavailable

PATIENCE = 3
"""Failures in a row after which a model is left alone until the next night."""

_HOPELESS = frozenset({"model_key", "model_missing"})


class BudgetSpent(Exception):
    """No call is left in this night's budget; the rest waits for the next."""


@dataclass(slots=True)
class Budget:
    """Counts a night's calls.

    Attributes:
        calls_left: how many more may be made; None is no limit.
    """

    calls_left: int | None = None
    _failures: int = 0
    _given_up: ModelUnavailable | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def spend(self) -> None:
        """Take one call.

        Raises:
            BudgetSpent: there is none left.
            ModelUnavailable: the model failed so often that it is left alone.
        """
        with self._lock:
            if self._given_up is not None:
                raise self._given_up
            if self.calls_left is not None:
                if self.calls_left <= 0:
                    raise BudgetSpent
                self.calls_left -= 1

    def failed(self, error: ModelUnavailable) -> None:
        """Note that the model could not be had."""
        with self._lock:
            self._failures += 1
            if error.key in _HOPELESS or self._failures >= PATIENCE:
                self._given_up = error

    def succeeded(self) -> None:
        """Note that the model answered."""
        with self._lock:
            self._failures = 0
