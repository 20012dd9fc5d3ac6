"""Options of one answer, as a client asks for them, where a model knows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
    """

    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()

    def further_parameters(self) -> dict[str, Any]:
        """The parameters of a request beside temperature and length, as OpenAI names them."""
        names = ("top_p", "presence_penalty", "frequency_penalty", "seed")
        found = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return found | ({"stop": list(self.stop)} if self.stop else {})


@dataclass(slots=True)
class TokenCount:
    """The tokens of one answer as the server counted them; 0 where it did not."""

    prompt: int = 0
    answer: int = 0
