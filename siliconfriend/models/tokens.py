"""Estimate how many tokens a text takes, rather too many: too few cost the whole reply."""

from __future__ import annotations

from collections.abc import Iterable

from siliconfriend.models.base import Message

LATIN_CHARACTERS = 3.5
"""Characters of a token in scripts with an alphabet; common models have about 4."""
MESSAGE_TOKENS = 6
"""Tokens of a message besides its words: the marks of its role."""


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text: one for each Chinese character, one for 3.5 others."""
    wide = sum(mark >= "\u2e80" for mark in text)
    return wide + round((len(text) - wide) / LATIN_CHARACTERS + 0.5)


def estimate_message_tokens(messages: Iterable[Message]) -> int:
    """Estimate the tokens of whole messages."""
    return sum(estimate_tokens(message.content) + MESSAGE_TOKENS for message in messages)


def truncate(text: str, tokens: int) -> str:
    """Truncate the text after about ``tokens``, with an ellipsis, and put it on one line."""
    line = " ".join(text.split())
    length = estimate_tokens(line)
    return line if length <= tokens else line[: len(line) * tokens // length] + "…"
