"""What a night counts of its calls, and the wait that a server asked for.

It is apart from the decisions (:mod:`.call_budget`), because several processes may be at one
night: then they must count in one place, or two of them would make twice the calls that were
allowed, and each would have to run into a rate limit to learn of it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from siliconfriend.errors import ModelUnavailable


class BudgetSpentError(Exception):
    """No call is left to this night, or it is to end; what is not done is for the next."""


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
    """How the wait before a retry is done.

    Attributes:
        now: seconds that only grow.
        sleep: waits for so many seconds; None waits on the real time, and not longer than
            until the night is stopped.
    """

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] | None = None


class CallLedger(Protocol):
    """The counts of one night; safe between threads, and between processes where it is shared."""

    def take(self) -> float:
        """Take one call and return 0; while nobody may ask, take none and return the seconds left.

        Raises:
            BudgetSpentError: no call is left.
            ModelGivenUpError: the model failed too often to be asked again.
        """
        ...

    def pause(self, seconds: float) -> None:
        """Let nobody ask for so many seconds from now."""
        ...

    def count_failure(self) -> int:
        """Count a failure; how many there were in a row."""
        ...

    def forget_failures(self) -> None:
        """Begin to count failures anew."""
        ...

    def give_up(self, cause: ModelUnavailable) -> None:
        """Let nobody ask any more."""
        ...


class LocalLedger:
    """The counts of a night that one process runs.

    Args:
        max_calls: how many calls the night may make; None for any number.
        timer: tells the time.
    """

    def __init__(self, max_calls: int | None = None, timer: RetryTimer | None = None) -> None:
        self._left = max_calls
        self._now = (timer or RetryTimer()).now
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._given_up: ModelUnavailable | None = None
        self._resume_at = 0.0

    def take(self) -> float:
        """Take one call and return 0; while nobody may ask, return the seconds left."""
        with self._lock:
            if self._left == 0:
                raise BudgetSpentError
            if self._given_up is not None:
                raise ModelGivenUpError(self._given_up)
            wait = self._resume_at - self._now()
            if wait <= 0 and self._left is not None:
                self._left -= 1
            return max(0.0, wait)

    def pause(self, seconds: float) -> None:
        """Let nobody ask for so many seconds from now."""
        with self._lock:
            self._resume_at = max(self._resume_at, self._now() + seconds)

    def count_failure(self) -> int:
        """Count a failure; how many there were in a row."""
        with self._lock:
            self._in_a_row += 1
            return self._in_a_row

    def forget_failures(self) -> None:
        """Begin to count failures anew."""
        with self._lock:
            self._in_a_row = 0

    def give_up(self, cause: ModelUnavailable) -> None:
        """Let nobody ask any more."""
        with self._lock:
            self._given_up = cause
