"""What all people of one night share: how often the model may be asked, and when.

Several people's texts are written at once, so the count of calls, the wait that a server
asked for and the decision that asking on is no use are kept here, behind one lock. Where
each kept its own, a night would ask more often than it may and run into the same wall once
a person.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from siliconfriend.errors import ModelError, ModelUnavailable

_PATIENCE: Mapping[str, int] = {
    "model_key": 1,
    "model_missing": 1,
    "model_busy": 3,
    "model_silent": 3,
    "model_unreachable": 3,
}
_USUAL_PATIENCE = 10
"""Failures in a row after which the model is given up for this night, by kind of failure."""

TRIES: Mapping[str, int] = {"model_busy": 6, "model_down": 2, "model_unreachable": 2}
"""How often one question is asked in all where it failed in a way that may pass."""
LONGEST_WAIT = 120.0
"""Seconds; a server that asks for a longer wait is not asked again this night."""
FIRST_WAIT = 1.0
"""Seconds before the second try where the server names none; doubled with each try."""


class BudgetSpentError(Exception):
    """The night has made as many calls as it may, or is to end; what is left is for the next."""


class ModelGivenUpError(Exception):
    """The model failed so often that it is not asked any more this night.

    Attributes:
        cause: the failure that was met last.
    """

    def __init__(self, cause: ModelUnavailable) -> None:
        super().__init__(cause.key)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class RetryTimer:
    """How waiting is done.

    Attributes:
        now: seconds that only grow.
        sleep: waits for so many seconds; None waits on the real time, and not longer than
            until the night is stopped.
    """

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] | None = None


class CallBudget:
    """The calls of one night; safe between threads.

    Args:
        max_calls: how many calls the night may make; None for any number.
        timer: how waiting is done.
    """

    def __init__(self, max_calls: int | None = None, timer: RetryTimer | None = None) -> None:
        self._left = max_calls
        self._timer = timer or RetryTimer()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._in_a_row = 0
        self._given_up: ModelUnavailable | None = None
        self._resume_at = 0.0

    def take(self) -> None:
        """Take one call, after any wait that a server asked for.

        Raises:
            BudgetSpentError: no call is left, or the night was stopped.
            ModelGivenUpError: the model failed too often to be asked again.
        """
        while True:
            with self._lock:
                if self._stopped.is_set() or self._left == 0:
                    raise BudgetSpentError
                if self._given_up is not None:
                    raise ModelGivenUpError(self._given_up)
                wait = self._resume_at - self._timer.now()
                if wait <= 0:
                    if self._left is not None:
                        self._left -= 1
                    return
            (self._timer.sleep or self._stopped.wait)(wait)

    def answered(self) -> None:
        """The model answered: what failed before it does not count any more."""
        with self._lock:
            self._in_a_row = 0

    def failed(self, error: ModelError, tries: int) -> bool:
        """Note a failure after so many tries of one question; whether to try it again.

        A rate limit holds all of the night, for as long as the server says.
        """
        with self._lock:
            if not isinstance(error, ModelUnavailable):
                self._in_a_row = 0
                return False
            wait = _wait_before(error, tries)
            if wait > LONGEST_WAIT:
                self._given_up = error
                return False
            if tries < TRIES.get(error.key, 1) and error.details.get("status") != 402:
                self._resume_at = max(self._resume_at, self._timer.now() + wait)
                return True
            self._in_a_row += 1
            if self._in_a_row >= _PATIENCE.get(error.key, _USUAL_PATIENCE):
                self._given_up = error
            return False

    def stop(self) -> None:
        """Let no further call begin; who waits stops waiting."""
        self._stopped.set()


def _wait_before(error: ModelUnavailable, tries: int) -> float:
    """Seconds until the next try: as the server said, else longer with each."""
    said = error.details.get("retry_after")
    return float(said) if isinstance(said, int | float) else FIRST_WAIT * 2.0 ** (tries - 1)
