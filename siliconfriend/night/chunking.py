"""Cuts long material into parts that fit a model's context.

The material is cut and never the instruction: a prompt that lost its first lines to make
room asks for nothing, and what comes back would be kept as the day's summary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from siliconfriend.models.tokens import estimate_tokens

SMALLEST = 100
"""Tokens a part has at least, however small the context."""


def chunk_lines(lines: Sequence[str], budget: int) -> list[list[str]]:
    """The lines in order, in parts of at most ``budget`` tokens; a longer line is cut.

    A piece that goes on with a line begins with an ellipsis, so that it cannot pass for the
    line of another speaker.

    Args:
        lines: what is said, a line an utterance.
        budget: tokens of a part; at least :data:`SMALLEST` are taken.
    """
    budget = max(budget, SMALLEST)
    parts: list[list[str]] = [[]]
    taken = 0
    for line in lines:
        for piece in _pieces(line, budget):
            size = estimate_tokens(piece)
            if parts[-1] and taken + size > budget:
                parts.append([])
                taken = 0
            parts[-1].append(piece)
            taken += size
    return [part for part in parts if part]


def _pieces(line: str, budget: int) -> Iterator[str]:
    while estimate_tokens(line) > budget:
        # A character is at most one token, so this many always fit.
        end = line.rfind(" ", 1, budget)
        end = end if end > budget // 2 else budget - 1
        kind = type(line)  # a piece of what is escaped is escaped too
        yield kind(line[:end].strip())
        line = kind(f"… {line[end:].strip()}")
    if line:
        yield line
