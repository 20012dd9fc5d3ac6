"""Phrases that the panels put together: counts in words, lists of things, sentences in a row.

A story that says "14 day(s)" reads like a form; so every count has a wording for one and one
for several, and small numbers stand in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

from siliconfriend.texts import Language, area, text


def tell(key: str, language: Language, /, **values: object) -> str:
    """Return a text of the panels."""
    return text("web_panels", key, language, **values)


def number(count: int, language: Language) -> str:
    """Return a number in words up to twelve, in digits beyond."""
    words: Sequence[str] = area("web_panels", language)["numbers"]
    return words[count] if 0 <= count < len(words) else f"{count:,}"


def counted(key: str, count: int, language: Language) -> str:
    """Return the wording of ``key`` for so many; ``key_one`` is the one for a single thing."""
    if count == 1:
        return tell(f"{key}_one", language)
    return tell(key, language, count=number(count, language))


def listed(items: Sequence[str], language: Language) -> str:
    """Join things as a sentence does: "a, b and c"."""
    return _joined(items, tell("comma", language), tell("last", language))


def joined_clauses(clauses: Sequence[str], language: Language) -> str:
    """Join what somebody did: Chinese has another mark between clauses than between things."""
    return _joined(clauses, tell("clause_comma", language), tell("clause_last", language))


def _joined(items: Sequence[str], comma: str, last: str) -> str:
    if len(items) < 2:
        return "".join(items)
    return last.join((comma.join(items[:-1]), items[-1]))


def capitalized(words: str) -> str:
    """Return the words with a capital at the beginning, where the script has capitals."""
    return words[:1].upper() + words[1:]


def shortened(words: str, columns: int) -> str:
    """Cut words to so many columns of a line, where a wide character takes two."""
    used = 0
    for place, character in enumerate(words):
        used += 2 if east_asian_width(character) in "WF" else 1
        if used > columns:
            return words[:place].rstrip() + "…"
    return words
