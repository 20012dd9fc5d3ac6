"""Estimate the number of tokens of a text.

The estimates are too high on purpose: an underestimate can overflow the context and cost a reply.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from math import ceil

from siliconfriend.models.base import Message

MESSAGE_TOKENS = 6
"""Tokens of a message besides its words: the marks of its role."""

PORTRAIT_TOKENS = 240
"""Most tokens of each text of the portrait: a night writes as much, and a prompt holds all of it."""

_LATIN = re.compile(r"[A-Z]?[a-z]+(?![0-9])|[A-Z]+(?![0-9])")
_GREEK = re.compile(r"[\u0370-\u052f]+")
_SPACE = re.compile(r"\s+")
_LATIN_LETTERS, _GREEK_LETTERS = 4, 1.5
"""Letters of a token of Latin letters, and of Greek or Cyrillic ones."""


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text.

    A Latin word counts a token for each four letters begun, Greek and Cyrillic one for each letter and
    a half; every digit, punctuation mark, Chinese character and letter of another script counts one.
    A space before a word counts nothing.
    """
    tokens = float(len(text))
    for length in map(len, _LATIN.findall(text)):
        tokens += -(-length // _LATIN_LETTERS) - length
    for space in _SPACE.findall(text):
        tokens -= 1 if space == " " else len(space) - 1
    if not text.isascii():
        for length in map(len, _GREEK.findall(text)):
            tokens += ceil(length / _GREEK_LETTERS) - length
        tokens += 2 * sum(mark >= "\U00010000" for mark in text)
    return ceil(tokens)


def estimate_message_tokens(messages: Iterable[Message]) -> int:
    """Estimate the tokens of whole messages."""
    return sum(estimate_tokens(message.content) + MESSAGE_TOKENS for message in messages)


def truncate(text: str, tokens: int) -> str:
    """Truncate a text to at most ``tokens``, with an ellipsis, and join its lines to one."""
    line = " ".join(text.split())
    if estimate_tokens(line) <= tokens:
        return line
    end = bisect_right(range(len(line)), tokens, key=lambda end: estimate_tokens(line[:end] + "…"))
    return line[: max(end - 1, 0)].rstrip() + "…"
