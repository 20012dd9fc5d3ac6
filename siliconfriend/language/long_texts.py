"""Bound how much of one text the rules read, so that a pasted book cannot hold up every reply.

What is said is kept whole and found by all of its words. But what it asks, which days it names
and who is in it is read sentence by sentence, with dozens of patterns: at a million characters
that would take a minute, and again for each message that it is weighed for.
"""

from __future__ import annotations

READ_WHOLE = 40_000
"""Characters of a text that are read whole: some thirteen pages."""


def beginning_and_end(text: str) -> str:
    """The text; of a longer one its first and last words, where people say what they want."""
    if len(text) <= READ_WHOLE:
        return text
    half = READ_WHOLE // 2
    return f"{text[:half]}\n{text[-half:]}"
