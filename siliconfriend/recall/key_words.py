"""The words that say what a text is about: what association goes by.

They are cut and folded by :mod:`siliconfriend.recall.words`, for what is stored and for
what is asked alike: the code that association was described from folded the letter case
of the first only, and so never found a name that began with a capital.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from siliconfriend.recall.words import is_chinese, spoken_words, word_pairs
from siliconfriend.texts import LANGUAGES, area

SHORTEST = 3
"""Letters of an English key word; shorter ones are hardly ever about anything."""
SHORTEST_CHINESE = 2


def key_words(text: str) -> tuple[str, ...]:
    """The key words of a text, folded, each once, in order of appearance.

    Numbers, short words and words that are about nothing are left out.
    """
    return tuple(dict.fromkeys(word for word in spoken_words(text) if _is_key(word)))


def strongest(texts: Iterable[str], most: int) -> list[str]:
    """The key words that most texts have, strongest first; among equals by their letters."""
    strength: Counter[str] = Counter()
    for text in texts:
        strength.update(key_words(text))
    return sorted(strength, key=lambda word: (-strength[word], word))[:most]


def is_idle(word: str) -> bool:
    """Whether a folded word is about nothing, or about anything."""
    return word in _idle_words()


def key_pairs(text: str) -> dict[str, str]:
    """The key words of a text by the form they are indexed by, each as it was first said."""
    found: dict[str, str] = {}
    for word, stem in word_pairs(text):
        if _is_key(word):
            found.setdefault(stem, word)
    return found


def _is_key(word: str) -> bool:
    shortest = SHORTEST_CHINESE if is_chinese(word) else SHORTEST
    return len(word) >= shortest and not word[0].isdigit() and not is_idle(word)


@cache
def _idle_words() -> frozenset[str]:
    """Words about nothing, more of them than those left out of every search."""
    lists = (area("key_words", language)["idle"] for language in LANGUAGES)
    return frozenset(word for words in lists for word in words.split())
