"""Search many texts for a few tokens, without tokenizing those that cannot have them.

Cutting a text into words costs a hundred times what looking into it does. Whoever looks for the
words of one memory in all the others would else cut ten years of talk to find that nobody said
them again.
"""

from __future__ import annotations

from collections.abc import Collection

from siliconfriend.language.characters import fold, is_chinese

STEMMED = 2
"""Letters at the end of a stem that may not be those of the word: "happi", "hope" of "hoping"."""


def searchable(text: str) -> str:
    """The text as :func:`may_hold` looks into it."""
    return fold(text).replace("'", "").replace("’", "")


def beginning_of(token: str) -> str:
    """The string that every word with this token begins with or holds."""
    return (
        token if is_chinese(token) or not token.isalpha() else token[: max(1, len(token) - STEMMED)]
    )


def may_hold(text: str, beginnings: Collection[str]) -> bool:
    """False if a :func:`searchable` text certainly lacks one of the tokens with these beginnings."""
    return all(beginning in text for beginning in beginnings)
