"""Count what models were asked: requests, and tokens as their servers counted them."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass
from operator import add

from siliconfriend.texts import Language, text


@dataclass(frozen=True, slots=True)
class Usage:
    """Requests to models and their tokens.

    Attributes:
        calls: requests, failed ones included.
        input_tokens, output_tokens: as the servers counted them; thinking is output.
        fallback_calls: how many of the requests the second model answered.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    fallback_calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Add two counts."""
        return Usage(*map(add, astuple(self), astuple(other)))

    def document(self) -> dict[str, int]:
        """Return the counts as JSON; the second model only where it was asked."""
        counts = asdict(self)
        if not self.fallback_calls:
            del counts["fallback_calls"]
        return counts

    def sentence(self, language: Language) -> str:
        """Write the counts in words, without an end to the sentence."""
        key = "usage_one" if self.calls == 1 else "usage"
        tokens = {
            "input_tokens": f"{self.input_tokens:,}",
            "output_tokens": f"{self.output_tokens:,}",
        }
        said = text("models", key, language, calls=self.calls, **tokens)
        if self.fallback_calls:
            said += text("models", "usage_fallback", language, calls=self.fallback_calls)
        return said
