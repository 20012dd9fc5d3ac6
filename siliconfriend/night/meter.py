"""Counts what a night asks of its model, and stops asking when asking is no use.

A key that is refused is refused for every day of every person, and a server that is gone
does not come back within the minute; asking on would only cost the operator hours and a
blocked account. What was not asked stays pending, so nothing is lost by stopping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siliconfriend.errors import ModelError, ModelUnavailable
from siliconfriend.models.base import Answer, ChatModel, Message

_PATIENCE: Mapping[str, int] = {
    "model_key": 1,
    "model_missing": 1,
    "model_silent": 3,
    "model_unreachable": 3,
}
_USUAL_PATIENCE = 10
"""Failures in a row after which the model is given up for this night, by kind of failure."""


class BudgetSpentError(Exception):
    """The night has made as many calls as it may; what is left is for the next."""


class GivenUpError(Exception):
    """The model failed so often that it is not asked any more this night.

    Attributes:
        cause: the failure that was met last.
    """

    def __init__(self, cause: ModelUnavailable) -> None:
        super().__init__(cause.key)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Spent:
    """What was asked of the model: calls, and tokens as its server counted them."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __sub__(self, other: Spent) -> Spent:
        return Spent(
            self.calls - other.calls,
            self.input_tokens - other.input_tokens,
            self.output_tokens - other.output_tokens,
        )


class Meter:
    """A chat model, as far as a night needs one, that counts its calls.

    Args:
        chat: the model.
        max_calls: how many calls the night may make; None for any number.

    Attributes:
        spent: what was asked so far.
    """

    def __init__(self, chat: ChatModel, max_calls: int | None = None) -> None:
        self.name = chat.name
        self.context_tokens = chat.context_tokens
        self.spent = Spent()
        self._chat = chat
        self._max_calls = max_calls
        self._in_a_row = 0
        self._given_up: ModelUnavailable | None = None

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """The model's answer, counted.

        Raises:
            BudgetSpentError: no call is left.
            GivenUpError: the model failed too often to be asked again.
            ModelError: it failed this time.
        """
        if self._given_up is not None:
            raise GivenUpError(self._given_up)
        if self._max_calls is not None and self.spent.calls >= self._max_calls:
            raise BudgetSpentError
        try:
            answer = self._chat.complete(messages, schema)
        except ModelError as error:
            self._count(0, 0)
            self._note(error)
            raise
        self._count(answer.input_tokens, answer.output_tokens)
        self._in_a_row = 0
        return answer

    def _count(self, input_tokens: int, output_tokens: int) -> None:
        self.spent = Spent(
            self.spent.calls + 1,
            self.spent.input_tokens + input_tokens,
            self.spent.output_tokens + output_tokens,
        )

    def _note(self, error: ModelError) -> None:
        if not isinstance(error, ModelUnavailable):
            self._in_a_row = 0
            return
        self._in_a_row += 1
        if self._in_a_row >= _PATIENCE.get(error.key, _USUAL_PATIENCE):
            self._given_up = error
