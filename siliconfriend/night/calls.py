"""Model calls of one night: a shared budget, and the usage per person.

The count is stored in the night's row, so all processes of a night share the budget.
"""

import threading
from collections.abc import Mapping, Sequence
from itertools import count
from time import monotonic
from typing import Any, NamedTuple

from siliconfriend.errors import MemoryBusy, ModelError, ModelUnavailable, SiliconFriendError
from siliconfriend.installation.tables import Tables
from siliconfriend.models.base import Answer, ChatModel, Message, Usage
from siliconfriend.night.report import PersonReport

MAX_WAIT = 120.0
"""Longest accepted wait in seconds; a server that asks for more is not called again this night."""
FIRST_WAIT = 1.0
"""Default delay in seconds before the first retry; doubled with each retry."""
GIVEN_UP_FOR = 300.0
"""Pause in seconds after a temporary failure; a permanent failure lasts all night."""


class _Failure(NamedTuple):
    """Retry limits for a kind of failure: attempts per call, and consecutive failed calls."""

    attempts: int = 1
    in_a_row: int = 10
    may_pass: bool = False


_FAILURES = {
    **dict.fromkeys(
        ("gguf_unreadable", "model_key", "model_missing", "model_no_api", "model_unpaid"),
        _Failure(in_a_row=1),
    ),
    "model_busy": _Failure(6, 3, may_pass=True),
    "model_silent": _Failure(1, 3, may_pass=True),
    **dict.fromkeys(("model_unreachable", "both_failed"), _Failure(2, 3, may_pass=True)),
    "model_down": _Failure(2, may_pass=True),
    **dict.fromkeys(
        ("database_unreachable", "database_read_only", "database_full"), _Failure(may_pass=True)
    ),
}


def may_pass(error: SiliconFriendError) -> bool:
    """Return True if a retry some minutes later may succeed without intervention."""
    return isinstance(error, MemoryBusy) or _FAILURES.get(error.key, _Failure()).may_pass


class NoMoreCallsError(Exception):
    """The model is not called again this night; the rest is left to the next night.

    ``cause``: the repeated failure; None if the budget is spent or the night is stopped.
    """

    def __init__(self, cause: ModelUnavailable | None = None) -> None:
        super().__init__(cause)
        self.cause = cause


def pause(stopped: threading.Event, seconds: float) -> None:
    """Wait before a retry, or until the night is stopped."""
    stopped.wait(seconds)


class CallBudget:
    """Call counter of one night, shared by its processes; thread-safe.

    ``night`` is its number, 0 for no call; ``max_calls`` a limit beside that in its row. Once
    ``stopped`` is set, no further call begins, and the waits end.
    """

    def __init__(
        self,
        tables: Tables,
        night: int,
        max_calls: int | None = None,
        stopped: threading.Event | None = None,
    ) -> None:
        self._tables, self._night = tables, night
        self._max_calls = 2**31 - 1 if max_calls is None else max_calls
        self._stopped, self._guard = stopped or threading.Event(), threading.Lock()
        self._failures, self._paused_until = 0, 0.0
        self._given_up: tuple[ModelUnavailable, float] | None = None

    def take(self) -> None:
        """Acquire one call, after any requested wait (NoMoreCallsError: none is left)."""
        while not self._stopped.is_set():
            with self._guard:
                now = monotonic()
                wait = self._paused_until - now
                if self._given_up is not None and self._given_up[1] > now:
                    raise NoMoreCallsError(self._given_up[0])
            if wait <= 0:
                statement = (
                    "UPDATE night SET calls = calls + 1 WHERE id = ? AND calls < ?"
                    " AND (max_calls IS NULL OR calls < max_calls)"
                )
                if self._tables.change(statement, (self._night, self._max_calls)):
                    return
                break
            pause(self._stopped, wait)
        raise NoMoreCallsError

    def add(self, requests: int) -> None:
        """Count further requests of an acquired call."""
        if requests:
            statement = "UPDATE night SET calls = calls + ? WHERE id = ?"
            self._tables.change(statement, (requests, self._night))

    def answered(self) -> None:
        """Reset the count of consecutive failures."""
        with self._guard:
            self._failures = 0

    def failed(self, error: ModelError, attempts: int) -> bool:
        """Count a failure after so many attempts of one question; True if it should be retried.

        A rate limit pauses all calls of this process for the time the server requests.
        """
        if not isinstance(error, ModelUnavailable):
            self.answered()
            return False
        failure, wait = _FAILURES.get(error.key, _Failure()), error.retry_after
        if wait is None:
            wait = FIRST_WAIT * 2.0 ** (attempts - 1)
        with self._guard:
            now = monotonic()
            if wait <= MAX_WAIT and attempts < failure.attempts:
                self._paused_until = max(self._paused_until, now + wait)
                return True
            self._failures += 1
            if wait > MAX_WAIT or self._failures >= failure.in_a_row:
                until = now + GIVEN_UP_FOR if failure.may_pass else float("inf")
                self._failures, self._given_up = 0, (error, until)
        return False


class MeteredChat:
    """Count the requests of a chat model; ``name`` is the last answering model."""

    def __init__(self, chat: ChatModel, budget: CallBudget, report: PersonReport) -> None:
        self.name = self._first = chat.name
        self.context_tokens = chat.context_tokens
        self.is_able = getattr(chat, "is_able", None)
        self._chat, self._budget, self._report = chat, budget, report

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """Ask the model and count the call; retry after a failure that may pass.

        NoMoreCallsError: no further call is allowed. ModelError: this call failed.
        """
        for attempts in count(1):
            self._budget.take()
            try:
                answer = self._chat.complete(messages, schema)
                break
            except ModelError as error:
                used = error.details.get("usage")
                self._count(used if isinstance(used, Usage) else Usage(1))
                if not self._budget.failed(error, attempts):
                    raise
        self._budget.answered()
        self.name = answer.model or self.name
        is_second = int(self.name != self._first)
        used = Usage(answer.requests, answer.input_tokens, answer.output_tokens, is_second)
        self._count(used)
        return answer

    def _count(self, used: Usage) -> None:
        """Add to the usage; the budget has counted the first of the requests."""
        self._report.usage += used
        self._budget.add(used.calls - 1)
