"""Options of one answer, as a client asks for them, where a model knows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from siliconfriend.models.usage import Price, Usage


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """What a client wants of one answer; None leaves it to the settings.

    Attributes:
        temperature: 0 to 2.
        max_tokens: longest answer.
        top_p: share of the likeliest words to choose from.
        presence_penalty, frequency_penalty: against words that were said already.
        seed: for answers that repeat.
        stop: words at which the answer ends.
        tools: what the model may call, as OpenAI describes it; the client calls it.
        tool_choice: which of them it must call.
        tool_messages: the calls that were made for this message so far and what they gave,
            as OpenAI's messages; they follow the message itself.
    """

    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    tools: tuple[Mapping[str, Any], ...] = ()
    tool_choice: str | Mapping[str, Any] | None = None
    tool_messages: tuple[Mapping[str, Any], ...] = ()

    def further_parameters(self) -> dict[str, Any]:
        """The parameters of a request beside temperature and length, as OpenAI names them."""
        names = ("top_p", "presence_penalty", "frequency_penalty", "seed")
        found = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        if self.stop:
            found["stop"] = list(self.stop)
        if self.tools:
            found["tools"] = list(self.tools)
            if self.tool_choice is not None:
                found["tool_choice"] = self.tool_choice
        return found


@dataclass(slots=True)
class AnswerFacts:
    """What one answer was besides its words.

    Attributes:
        prompt_tokens, answer_tokens: as the server counted them; 0 where it did not.
        tool_calls: the calls that the model asks for, as OpenAI's messages hold them.
        price: of the model; None where none is known.
    """

    prompt_tokens: int = 0
    answer_tokens: int = 0
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    price: Price | None = None

    @property
    def usage(self) -> Usage:
        """The request that it was."""
        return Usage.of(self.prompt_tokens, self.answer_tokens, self.price)
