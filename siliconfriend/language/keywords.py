"""Extract keywords: the words that say what a text is about, which association goes by.

They are cut and folded by :mod:`siliconfriend.language.tokenizer`, for what is stored and for
what is asked alike: the code that association was described from folded the letter case
of the first only, and so never found a name that began with a capital.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.tokenizer import surface_forms, token_pairs
from siliconfriend.language.word_lists import generic_words

SHORTEST = 3
"""Letters of an English keyword; shorter ones are hardly ever about anything."""
SHORTEST_CHINESE = 2


def extract_keywords(text: str) -> tuple[str, ...]:
    """The keywords of a text, folded, each once, in order of appearance.

    Numbers, short words and generic words are left out.
    """
    return keywords_among(surface_forms(text))


def keywords_among(words: Iterable[str]) -> tuple[str, ...]:
    """The keywords among the surface forms of a text that is tokenized already."""
    return tuple(dict.fromkeys(word for word in words if _is_keyword(word)))


def top_keywords(texts: Iterable[str], most: int) -> list[str]:
    """The keywords that occur in most texts, most frequent first; among equals by their letters."""
    frequency: Counter[str] = Counter()
    for text in texts:
        frequency.update(extract_keywords(text))
    return sorted(frequency, key=lambda word: (-frequency[word], word))[:most]


def is_generic_word(word: str) -> bool:
    """True if a folded word is about nothing, or about anything ("thing", 事情)."""
    return word in generic_words()


def keyword_forms(text: str) -> dict[str, str]:
    """The keywords of a text by their tokens, each in the form it was first said in."""
    found: dict[str, str] = {}
    for word, token in token_pairs(text):
        if _is_keyword(word):
            found.setdefault(token, word)
    return found


def _is_keyword(word: str) -> bool:
    shortest = SHORTEST_CHINESE if is_chinese(word) else SHORTEST
    return len(word) >= shortest and not word[0].isdigit() and not is_generic_word(word)
