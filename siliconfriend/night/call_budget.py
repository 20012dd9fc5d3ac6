"""The budget of model calls that all people of one night share, and what each person used.

Several people's texts are written at once, so the count of calls, the wait that a server
asked for and the decision that retrying is no use are made here for all. Where
each kept its own, a night would ask more often than it may and run into the same wall once
a person. A key that is refused is refused for every day of every person, and a server that
is gone does not come back within the minute; asking on would only cost the operator hours
and a blocked account. What was not asked stays pending, so nothing is lost by stopping.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from siliconfriend.errors import ModelError, ModelUnavailable
from siliconfriend.models.base import Answer, ChatModel, Message
from siliconfriend.models.usage import Usage
from siliconfriend.night.call_ledger import BudgetSpentError, CallLedger, LocalLedger, RetryTimer

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


class CallBudget:
    """The calls of one night; safe between threads.

    Args:
        ledger: what is counted; a night of this process alone without a limit unless given.
        timer: does the wait before a retry.
    """

    def __init__(self, ledger: CallLedger | None = None, timer: RetryTimer | None = None) -> None:
        self._timer = timer or RetryTimer()
        self._ledger = ledger or LocalLedger(timer=self._timer)
        self._stopped = threading.Event()

    def take(self) -> None:
        """Take one call from the budget, after any wait that a server asked for.

        Raises:
            BudgetSpentError: no call is left, or the night was stopped.
            ModelGivenUpError: the model failed too often to be asked again.
        """
        while True:
            if self._stopped.is_set():
                raise BudgetSpentError
            wait = self._ledger.take()
            if not wait:
                return
            (self._timer.sleep or self._stopped.wait)(wait)

    def answered(self) -> None:
        """Forget the failures before an answer: they count in a row only."""
        self._ledger.forget_failures()

    def failed(self, error: ModelError, attempts: int) -> bool:
        """Count a failure after so many attempts of one question; True if it should be retried.

        A rate limit holds all of the night, for as long as the server says.
        """
        if not isinstance(error, ModelUnavailable):
            self._ledger.forget_failures()
            return False
        wait = _wait_before(error, attempts)
        if wait > LONGEST_WAIT:
            self._ledger.give_up(error)
            return False
        if attempts < ATTEMPTS.get(error.key, 1):
            self._ledger.pause(wait)
            return True
        if self._ledger.count_failure() >= _PATIENCE.get(error.key, _USUAL_PATIENCE):
            self._ledger.give_up(error)
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
