"""Load word lists and patterns of both languages from ``texts``, once.

Both languages are always searched, since many people mix them.
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import chain

from siliconfriend.texts import LANGUAGES, Language, lookup


@cache
def word_list(name: str, key: str) -> frozenset[str]:
    """Return the words of a list of both languages: a TOML array, or a string split at spaces."""
    lists = (lookup(name, key, language) for language in LANGUAGES)
    split = (words.split() if isinstance(words, str) else words for words in lists)
    return frozenset(chain.from_iterable(split))


def stop_words() -> frozenset[str]:
    """Return the words of both languages that are not indexed."""
    return word_list("words", "stop")


def generic_words() -> frozenset[str]:
    """Return further words of both languages that are no keywords."""
    return word_list("words", "generic")


def matches(name: str, key: str, text: str) -> bool:
    """Return True if a text, spelled out, matches a pattern of an area in either language."""
    text = spelled_out(text)
    return any(pattern.search(text) for pattern in _patterns(name, key))


def spelled_out(folded: str) -> str:
    """Write colloquial spellings in full: "dont" is "don't", 咋 is 怎么."""
    pattern, full = spellings()
    return pattern.sub(lambda found: full[found.group()], folded)


def last_match(name: str, key: str, text: str) -> int:
    """Return the start of the last match of an area's patterns in either language; -1 for none."""
    found = (match.start() for pattern in _patterns(name, key) for match in pattern.finditer(text))
    return max(found, default=-1)


def all_matches(name: str, key: str, text: str) -> list[str]:
    """Return all that matches an area's patterns in either language, as written."""
    return [match.group() for pattern in _patterns(name, key) for match in pattern.finditer(text)]


def without_matches(name: str, key: str, text: str) -> str:
    """Replace the matches of an area's patterns in either language by as many line breaks."""
    for pattern in _patterns(name, key):
        text = pattern.sub(lambda found: "\n" * (found.end() - found.start()), text)
    return text


@cache
def word_pattern(name: str, key: str) -> re.Pattern[str]:
    """Compile a word list of both languages to one pattern, in any letter case.

    English is matched as whole words, Chinese anywhere; ``*`` in a word stands for any letters
    and a space for any space. The list must have words of both languages.
    """
    words = word_list(name, key)
    english = any_of(word for word in words if word.isascii())
    english = english.replace(r"\*", r"\w*").replace(r"\ ", r"\s+")
    chinese = any_of(word for word in words if not word.isascii())
    return re.compile(rf"(?<![a-z0-9])(?:{english})(?![a-z0-9])|(?:{chinese})", re.IGNORECASE)


def any_of(words: Iterable[str]) -> str:
    """Return the pattern source for one of some words, the longest first."""
    longest_first = sorted(set(filter(None, words)), key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, longest_first))


@cache
def spellings() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the pattern of colloquial spellings, and the full spelling of each."""
    full = dict(pair.split("=") for pair in word_list("words", "spoken"))
    return re.compile(rf"(?<![a-z])(?:{any_of(full)})(?![a-z])"), full


@cache
def _patterns(name: str, key: str) -> tuple[re.Pattern[str], ...]:
    found = []
    for language in LANGUAGES:
        patterns = (
            filled_pattern(name, source, language) for source in lookup(name, key, language)
        )
        found.append(re.compile("|".join(patterns)))
    return tuple(found)


def filled_pattern(name: str, pattern: str, language: Language) -> str:
    """Replace each ``{kind}`` by the area's words of that kind."""

    def words(kind: re.Match[str]) -> str:
        return f"(?:{'|'.join(lookup(name, f'kinds.{kind[1]}', language))})"

    return re.sub(r"\{([a-z]+)\}", words, pattern)
