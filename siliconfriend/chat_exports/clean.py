"""Clean what comes out of a file: words are data and steer neither a terminal nor a memory."""

from __future__ import annotations

import re

LONGEST_NAME = 60

# Control characters but line breaks and tabs, halves of broken characters, and marks that
# turn the direction of what follows.
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_ENDS = re.compile("\r\n?|\u2028|\u2029")


def clean_text(words: str) -> str:
    """The words with plain line ends, without characters that could steer a terminal."""
    return _HARMFUL.sub("", _ENDS.sub("\n", words)).strip()


def visible(name: str) -> str:
    """A name from a file as it may be printed: on one line, of a bearable length."""
    shown = " ".join(clean_text(name).split())
    return shown if len(shown) <= LONGEST_NAME else f"{shown[:LONGEST_NAME]}…"
