"""Find exact words of an erased text in other texts; unlike recall, without similar words."""

from collections.abc import Collection

from siliconfriend.language.characters import chinese_runs, fold, is_chinese
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import stop_words

SHORTEST, SHORTEST_CHINESE = 3, 2
"""Minimum letters, digits or Chinese characters of a distinctive word."""
STEMMED = 2
"""Letters at the end of a stem that may differ from the word: "happi", "hope" of "hoping"."""


def identifying_words(text: str) -> frozenset[str]:
    """Return the distinctive tokens of a text.

    Chinese text also yields each pair of adjacent characters without stop words, since unknown
    names are not segmented as words.
    """
    tokens = tokenize(text)
    found = {
        token
        for token in tokens
        if len(token) >= (SHORTEST_CHINESE if is_chinese(token) else SHORTEST)
    }
    for run in chinese_runs(fold(text)):
        pairs = (run[at : at + 2] for at in range(len(run) - 1))
        found.update(pair for pair in pairs if stop_words().isdisjoint((*pair, pair)))
    return frozenset(found)


def searchable(text: str) -> str:
    """Fold a text for :func:`may_hold`."""
    return fold(text).replace("'", "").replace("’", "")


def beginning_of(token: str) -> str:
    """Return a string that every word with this token contains."""
    is_stem = token.isalpha() and not is_chinese(token)
    return token[: max(1, len(token) - STEMMED)] if is_stem else token


def may_hold(text: str, beginnings: Collection[str]) -> bool:
    """Return False if a :func:`searchable` text certainly lacks one of these tokens."""
    return all(beginning in text for beginning in beginnings)
