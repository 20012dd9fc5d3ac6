"""How many tokens of a model's context a prompt, an answer and thinking may have.

One number is the model's, one the server's, one the operator's, and the smallest counts.
Prompts and requests both go by it: a prompt made for more would be cut at the front, where
the memories stand, and a longer answer than is left would be refused.
"""

from __future__ import annotations

import re

from siliconfriend.models.served_context import ServedContext

UNKNOWN_CONTEXT = 8192
THINKING_TOKENS = 8000
"""Tokens for thinking, above the length of an answer: servers count both
together, and an answer that is cut while it is still being thought of is none."""
_CONTEXTS = (
    (r"(openai/)?gpt-(4\.1|[6-9])|(deepseek/)?deepseek-(flash|v4)", 1_000_000),
    (r"(openai/)?(gpt-5|o[1-9])", 200_000),
    (r"(openai/)?(gpt-4o|gpt-4-turbo|chatgpt)", 128_000),
)


def context_of(model: str) -> int:
    """The context of a service's model of this name in tokens; a careful 8192 of any other."""
    return next((size for name, size in _CONTEXTS if re.match(name, model)), UNKNOWN_CONTEXT)


class ContextSize:
    """The context of one model at one server.

    Args:
        model: its name.
        tokens: what is set or known; None for what is known of the name.
        served: what the server really serves; None to ask nobody. Without ``tokens`` it is
            what counts, else the smaller of both.
        thinks: leave tokens for thinking.
    """

    def __init__(
        self, model: str, tokens: int | None, served: ServedContext | None, *, thinks: bool
    ) -> None:
        self._model = model
        self._tokens = tokens
        self._served = served
        self._thinks = thinks

    def whole(self) -> int:
        """All of it."""
        served = None if self._served is None else self._served.tokens()
        if served is None:
            return self._tokens or context_of(self._model)
        return min(served, self._tokens or served)

    def without_thinking(self) -> int:
        """Tokens of prompt and answer together."""
        whole = self.whole()
        return whole - self._thinking(whole)

    def longest_answer(self, max_tokens: int) -> int:
        """Most tokens to ask for: at most a third of what is left for both, and its thinking."""
        thinking = self._thinking(whole := self.whole())
        return min(max_tokens, (whole - thinking) // 3) + thinking

    def renew(self) -> None:
        """Ask the server again if the model was not loaded when it was asked."""
        if self._served is not None:
            self._served.renew()

    def _thinking(self, whole: int) -> int:
        return min(THINKING_TOKENS, whole // 3) if self._thinks else 0
