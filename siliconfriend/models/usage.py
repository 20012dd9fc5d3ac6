"""Count what models were asked: requests, tokens as their servers counted them, and money.

Money is only counted where a price is set or known of the very model that answered, and it
is an estimate: services charge less for what they have cached and at some hours.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from math import floor, log10

from siliconfriend.texts import Language, text

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens, in and out."""

    input: float
    output: float
    currency: str

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """The price of so many tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / MILLION


@dataclass(frozen=True, slots=True)
class Usage:
    """Requests to models and what they took.

    Attributes:
        calls: requests, those that failed too.
        input_tokens, output_tokens: as the servers counted them; thinking is output.
        fallback_calls: how many of the requests the second model answered.
        cost: in ``currency``; None where no model that was asked has a price.
        currency: empty without a cost.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    fallback_calls: int = 0
    cost: float | None = None
    currency: str = ""

    @classmethod
    def of(cls, input_tokens: int, output_tokens: int, price: Price | None) -> Usage:
        """One request at a price."""
        if price is None:
            return cls(1, input_tokens, output_tokens)
        cost = price.cost(input_tokens, output_tokens)
        return cls(1, input_tokens, output_tokens, 0, cost, price.currency)

    def __add__(self, other: Usage) -> Usage:
        """Both together; prices are set so that there is one currency."""
        costs = [it for it in (self.cost, other.cost) if it is not None]
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.fallback_calls + other.fallback_calls,
            sum(costs) if costs else None,
            self.currency or other.currency,
        )

    def document(self) -> dict[str, int | float | str]:
        """As JSON has it: a cost where one is known, the second model where it was asked."""
        document: dict[str, int | float | str] = {
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
        }
        if self.fallback_calls:
            document["fallback_calls"] = self.fallback_calls
        if self.cost is not None:
            document |= {"cost": round(self.cost, 8), "currency": self.currency}
        return document

    def sentence(self, language: Language) -> str:
        """In words, without an end to the sentence."""
        said = text(
            "models",
            "usage_one" if self.calls == 1 else "usage",
            language,
            calls=self.calls,
            input_tokens=f"{self.input_tokens:,}",
            output_tokens=f"{self.output_tokens:,}",
        )
        if self.cost is not None:
            cost = format_money(self.cost)
            said += text("models", "usage_cost", language, cost=cost, currency=self.currency)
        if self.fallback_calls:
            said += text("models", "usage_fallback", language, calls=self.fallback_calls)
        return said


class Meter:
    """Adds up what one model was asked in this process; safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """So far."""
        return self._usage

    def add(self, usage: Usage) -> None:
        """Count one more request."""
        with self._lock:
            self._usage += usage


def format_money(amount: float) -> str:
    """Two digits after the point, or as many as show two that are not 0."""
    if amount <= 0 or amount >= 1:
        return f"{amount:.2f}"
    return f"{amount:.{max(2, 1 - floor(log10(amount)))}f}"
