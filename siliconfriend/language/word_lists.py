"""Word lists and patterns of both languages, which are data in ``texts``, loaded once.

Both languages are always looked for, whatever the person's language: many people mix them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from siliconfriend.texts import LANGUAGES, Language, lookup


@cache
def word_list(name: str, key: str) -> frozenset[str]:
    """The words of a list of both languages: a TOML array, or a string cut at its spaces."""
    lists = (lookup(name, key, language) for language in LANGUAGES)
    return frozenset(
        word for words in lists for word in (words.split() if isinstance(words, str) else words)
    )


def stop_words() -> frozenset[str]:
    """Words that nearly every sentence has, of both languages: they are not indexed."""
    return word_list("words", "stop")


def generic_words() -> frozenset[str]:
    """Words beside the stop words that are about nothing, or about anything: no keywords."""
    return word_list("words", "generic")


def matches(name: str, key: str, text: str) -> bool:
    """True if any of an area's patterns of either language is found in a text."""
    return any(pattern.search(text) for pattern in _patterns(name, key))


def without_matches(name: str, key: str, text: str) -> str:
    """The text with a line break for all that an area's patterns of either language find."""
    for pattern in _patterns(name, key):
        text = pattern.sub("\n", text)
    return text


@cache
def word_pattern(name: str, key: str) -> re.Pattern[str]:
    """One pattern for a list of words of both languages, in any letter case.

    English is matched as whole words, Chinese anywhere; ``*`` in a word stands for any letters
    and a space for any space. The list must have words of both.
    """
    words = word_list(name, key)
    english = any_of(word for word in words if word.isascii())
    english = english.replace(r"\*", r"\w*").replace(r"\ ", r"\s+")
    chinese = any_of(word for word in words if not word.isascii())
    return re.compile(rf"(?<![a-z0-9])(?:{english})(?![a-z0-9])|(?:{chinese})", re.IGNORECASE)


def any_of(words: Iterable[str]) -> str:
    """The source of a pattern for one of some words, the longest first; empty ones are left out."""
    return "|".join(
        re.escape(it) for it in sorted(set(filter(None, words)), key=lambda it: (-len(it), it))
    )


@cache
def _patterns(name: str, key: str) -> tuple[re.Pattern[str], ...]:
    """One pattern for each language, in the order of ``LANGUAGES``: any of those of an area's key."""
    return tuple(
        re.compile(
            "|".join(filled_pattern(name, it, language) for it in lookup(name, key, language))
        )
        for language in LANGUAGES
    )


def filled_pattern(name: str, pattern: str, language: Language) -> str:
    """Put an area's words of a kind in place of each ``{kind}``."""

    def words(kind: re.Match[str]) -> str:
        return f"(?:{'|'.join(lookup(name, f'kinds.{kind[1]}', language))})"

    return re.sub(r"\{([a-z]+)\}", words, pattern)
