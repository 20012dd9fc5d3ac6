"""The budget of model calls that all people of one night share, and what each person used.

Several people's texts are written at once, so the count of calls, the wait that a server
asked for and the decision that retrying is no use are kept here, behind one lock. Where
each kept its own, a night would ask more often than it may and run into the same wall once
a person. A key that is refused is refused for every day of every person, and a server that
is gone does not come back within the minute; asking on would only cost the operator hours
and a blocked account. What was not asked stays pending, so nothing is lost by stopping.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from siliconfriend.errors import ModelError, ModelUnavailable
from siliconfriend.models.base import Answer, ChatModel, Message
from siliconfriend.models.usage import Usage

_PATIENCE: Mapping[str, int] = {
    "model_key": 1,
    "model_missing": 1,
    "model_unpaid": 1,
    "model_busy": 3,
    "model_silent": 3,
    "model_unreachable": 3,
    "both_failed": 3,
}
_USUAL_PATIENCE = 10
"""Failures in a row after which the model is given up for this night, by kind of failure."""

ATTEMPTS: Mapping[str, int] = {
    "model_busy": 6,
    "model_down": 2,
    "model_unreachable": 2,
    "both_failed": 2,
}
"""How often one question is asked in all, by kind of failure that a retry may mend."""
LONGEST_WAIT = 120.0
"""Seconds; a server that asks for a longer wait is not asked again this night."""
FIRST_WAIT = 1.0
"""Seconds before the first retry where the server names none; doubled with each retry."""


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


class CallBudget:
    """The calls of one night; safe between threads.

    Args:
        max_calls: how many calls the night may make; None for any number.
        timer: does the wait before a retry.
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
        """Take one call from the budget, after any wait that a server asked for.

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
        """Forget the failures before an answer: they count in a row only."""
        with self._lock:
            self._in_a_row = 0

    def failed(self, error: ModelError, attempts: int) -> bool:
        """Count a failure after so many attempts of one question; True if it should be retried.

        A rate limit holds all of the night, for as long as the server says.
        """
        with self._lock:
            if not isinstance(error, ModelUnavailable):
                self._in_a_row = 0
                return False
            wait = _wait_before(error, attempts)
            if wait > LONGEST_WAIT:
                self._given_up = error
                return False
            if attempts < ATTEMPTS.get(error.key, 1):
                self._resume_at = max(self._resume_at, self._timer.now() + wait)
                return True
            self._in_a_row += 1
            if self._in_a_row >= _PATIENCE.get(error.key, _USUAL_PATIENCE):
                self._given_up = error
            return False

    def stop(self) -> None:
        """Let no further call begin, and end the waits."""
        self._stopped.set()


class MeteredChat:
    """The chat model of one person's night; counts calls and reattempts them within the budget.

    Args:
        chat: the model.
        budget: that of the whole night.

    Attributes:
        name: that of the model which answered last.
        usage: so far.
    """

    def __init__(self, chat: ChatModel, budget: CallBudget) -> None:
        self.name = chat.name
        self._first = chat.name
        self.context_tokens = chat.context_tokens
        self.usage = Usage()
        self._chat = chat
        self._budget = budget

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """Ask the model and count the call; retry after a failure that may pass.

        Raises:
            BudgetSpentError: no call is left.
            ModelGivenUpError: the model failed too often to be asked again.
            ModelError: it failed this time.
        """
        for attempts in count(1):
            self._budget.take()
            try:
                answer = self._chat.complete(messages, schema)
            except ModelError as error:
                self.usage += Usage(1)
                if self._budget.failed(error, attempts):
                    continue
                raise
            self._budget.answered()
            self.name = answer.model or self.name
            counted = Usage.of(answer.input_tokens, answer.output_tokens, answer.price)
            self.usage += replace(counted, fallback_calls=int(self.name != self._first))
            return answer
        raise AssertionError


def _wait_before(error: ModelUnavailable, attempts: int) -> float:
    """Seconds until the next retry: as the server said, else longer with each."""
    retry_after = error.details.get("retry_after")
    return (
        float(retry_after)
        if isinstance(retry_after, int | float)
        else FIRST_WAIT * 2.0 ** (attempts - 1)
    )
