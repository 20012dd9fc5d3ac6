"""Count what models were asked: requests, and tokens as their servers counted them."""

from __future__ import annotations

import threading
from dataclasses import dataclass

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
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.fallback_calls + other.fallback_calls,
        )

    def document(self) -> dict[str, int]:
        """Return the counts as JSON; the second model only where it was asked."""
        document = {
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
        }
        if self.fallback_calls:
            document["fallback_calls"] = self.fallback_calls
        return document

    def sentence(self, language: Language) -> str:
        """Write the counts in words, without an end to the sentence."""
        said = text(
            "models",
            "usage_one" if self.calls == 1 else "usage",
            language,
            calls=self.calls,
            input_tokens=f"{self.input_tokens:,}",
            output_tokens=f"{self.output_tokens:,}",
        )
        if self.fallback_calls:
            said += text("models", "usage_fallback", language, calls=self.fallback_calls)
        return said


class Meter:
    """Add up the usage of one model in this process; safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """The sum so far."""
        return self._usage

    def add(self, usage: Usage) -> None:
        """Count one more request."""
        with self._lock:
            self._usage += usage
