"""Counts what one person's night asks of its model, and asks again where that may help.

A key that is refused is refused for every day of every person, and a server that is gone
does not come back within the minute; asking on would only cost the operator hours and a
blocked account. What was not asked stays pending, so nothing is lost by stopping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from siliconfriend.errors import ModelError
from siliconfriend.models.base import Answer, ChatModel, Message
from siliconfriend.night.call_budget import CallBudget


@dataclass(frozen=True, slots=True)
class Usage:
    """What was asked of the model: calls, and tokens as its server counted them."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class MeteredChat:
    """A chat model, as far as one person's night needs one, that counts its calls.

    Args:
        chat: the model.
        budget: what the whole night may ask.

    Attributes:
        usage: what was asked so far.
    """

    def __init__(self, chat: ChatModel, budget: CallBudget) -> None:
        self.name = chat.name
        self.context_tokens = chat.context_tokens
        self.usage = Usage()
        self._chat = chat
        self._budget = budget

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """The model's answer, counted; a passing failure is waited out and asked again.

        Raises:
            BudgetSpentError: no call is left.
            ModelGivenUpError: the model failed too often to be asked again.
            ModelError: it failed this time.
        """
        for tries in count(1):
            self._budget.take()
            try:
                answer = self._chat.complete(messages, schema)
            except ModelError as error:
                self._count(0, 0)
                if self._budget.failed(error, tries):
                    continue
                raise
            self._budget.answered()
            self._count(answer.input_tokens, answer.output_tokens)
            return answer
        raise AssertionError

    def _count(self, input_tokens: int, output_tokens: int) -> None:
        self.usage = Usage(
            self.usage.calls + 1,
            self.usage.input_tokens + input_tokens,
            self.usage.output_tokens + output_tokens,
        )
