"""The calls of a model in one night: a budget for all its people, and the usage of each.

What is counted stands in the night's row, so that however many processes are at one night they
make no more calls than it may, and wait together where a server asks for that.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from siliconfriend.errors import MemoryBusy, ModelError, ModelUnavailable, SiliconFriendError
from siliconfriend.installation.tables import Tables
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
MAX_WAIT = 120.0
"""Seconds; a server that asks for a longer wait is not asked again this night."""
FIRST_WAIT = 1.0
"""Seconds before the first retry where the server names none; doubled with each retry."""
GIVEN_UP_FOR = 300.0
"""Seconds for which nobody asks a model whose failure may pass; else it is all of the night."""
_FOR_GOOD = 1e15

_PASSING = frozenset(
    {
        *("model_busy", "model_down", "model_silent", "model_unreachable", "both_failed"),
        *("database_unreachable", "database_read_only", "database_full"),
    }
)


def may_pass(error: SiliconFriendError) -> bool:
    """True if the same may well succeed some minutes later, though nobody does anything."""
    return isinstance(error, MemoryBusy) or error.key in _PASSING


class BudgetSpentError(Exception):
    """No call is left to this night, or it is to end; what is not done is for the next."""


class ModelGivenUpError(Exception):
    """The model failed so often that it is not asked any more this night.

    Attributes:
        cause: its last failure.
    """

    def __init__(self, cause: ModelUnavailable) -> None:
        super().__init__(cause.key)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class RetryTimer:
    """How the wait before a retry is done.

    Attributes:
        now: seconds that only grow; the clock of the installation unless given.
        sleep: waits for so many seconds; None waits on the real time, and not longer than
            until the night is stopped.
    """

    now: Callable[[], float] | None = None
    sleep: Callable[[float], None] | None = None


class CallBudget:
    """The calls of one night, counted over all processes at it; safe between threads.

    Args:
        tables: of the installation.
        night: the number of its row; with 0 there is no call.
        model: the name of the model that is asked.
        max_calls: calls that this process lets the night have, beside the limit in its row.
        timer: does the wait before a retry.
    """

    def __init__(
        self,
        tables: Tables,
        night: int,
        model: str,
        max_calls: int | None = None,
        timer: RetryTimer | None = None,
    ) -> None:
        self._tables, self._night, self._model = tables, night, model
        self._max_calls, self._timer = max_calls, timer or RetryTimer()
        self._now = self._timer.now or tables.now
        self._stopped = threading.Event()

    def take(self) -> None:
        """Take one call from the budget, after any wait that a server asked for.

        Raises:
            BudgetSpentError: no call is left, or the night was stopped.
            ModelGivenUpError: the model failed too often to be asked again.
        """
        while not self._stopped.is_set():
            wait = self._try_to_take()
            if not wait:
                return
            (self._timer.sleep or self._stopped.wait)(wait)
        raise BudgetSpentError

    def answered(self) -> None:
        """Forget the failures before an answer: they count in a row only."""
        self._update("failures = 0", "failures > 0")

    def failed(self, error: ModelError, attempts: int) -> bool:
        """Count a failure after so many attempts of one question; True if it should be retried.

        A rate limit holds all of the night, for as long as the server says.
        """
        if not isinstance(error, ModelUnavailable):
            self.answered()
            return False
        wait = _wait_before(error, attempts)
        if wait > MAX_WAIT:
            self._give_up(error)
        elif attempts < ATTEMPTS.get(error.key, 1):
            self._pause(wait)
            return True
        else:
            self._update("failures = failures + 1")
            row = self._tables.read("SELECT failures FROM night WHERE id = ?", (self._night,))
            if row and row[0][0] >= _PATIENCE.get(error.key, _USUAL_PATIENCE):
                self._give_up(error)
        return False

    def stop(self) -> None:
        """Let no further call begin, and end the waits."""
        self._stopped.set()

    def _try_to_take(self) -> float:
        """Take one call and return 0; while nobody may ask, take none and return the seconds left."""
        now = self._now()
        with self._tables.write() as transaction:
            query = "SELECT max_calls, calls, given_up, given_up_until FROM night WHERE id = ?"
            row = transaction.one(query + transaction.for_update, (self._night,))
            if row is None:
                raise BudgetSpentError
            limits = [it for it in (row[0], self._max_calls) if it is not None]
            if limits and row[1] >= min(limits):
                raise BudgetSpentError
            if row[2] is not None and row[3] > now:
                given_up = json.loads(row[2])
                raise ModelGivenUpError(ModelUnavailable(given_up["key"], **given_up["details"]))
            query = "SELECT until FROM model_pause WHERE model = ? AND until > ?"
            paused = transaction.one(query, (self._model, now))
            if paused is not None:
                return max(0.001, float(paused[0]) - now)
            transaction.execute("UPDATE night SET calls = calls + 1 WHERE id = ?", (self._night,))
        return 0.0

    def _pause(self, seconds: float) -> None:
        """Let nobody ask this model for so many seconds from now, whichever night it is for."""
        self._tables.change(
            "INSERT INTO model_pause (model, until) VALUES (?, ?) ON CONFLICT (model) DO UPDATE"
            " SET until = excluded.until WHERE model_pause.until < excluded.until",
            (self._model, self._now() + seconds),
        )

    def _give_up(self, cause: ModelUnavailable) -> None:
        """Stop model calls: five minutes for a failure that may pass, else for all of the night."""
        until = self._now() + GIVEN_UP_FOR if may_pass(cause) else _FOR_GOOD
        given_up = json.dumps({"key": cause.key, "details": cause.details}, default=str)
        self._update("failures = 0, given_up = ?, given_up_until = ?", values=(given_up, until))

    def _update(self, what: str, where: str = "1 = 1", values: tuple[object, ...] = ()) -> None:
        statement = f"UPDATE night SET {what} WHERE id = ? AND {where}"  # noqa: S608
        self._tables.change(statement, (*values, self._night))


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
            counted = Usage(1, answer.input_tokens, answer.output_tokens)
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
