"""Terms by which two texts overlap, looser than tokens: for names and words no dictionary knows.

The dictionary cuts an unknown Chinese name differently in every sentence, and "recommend" and
"recommendation" have different stems. Where missing what two texts share is worse than a chance
match, Chinese is compared by pairs of neighbouring characters and English by first letters.
"""

from __future__ import annotations

import re
from functools import cache

from siliconfriend.language.characters import chinese_runs, fold, is_chinese
from siliconfriend.language.tokenizer import runs, surface_forms
from siliconfriend.language.word_lists import any_of, stop_words

FIRST_LETTERS = 5
"""Letters by which the forms of an English word are taken for one."""


def character_pairs(text: str) -> list[str]:
    """Each pair of neighbouring Chinese characters of a text, in order."""
    return [run[at : at + 2] for run in chinese_runs(text) for at in range(len(run) - 1)]


def words_and_pairs(text: str) -> list[str]:
    """All words of a text, folded, in order: Chinese in pairs; a single character stands alone."""
    found: list[str] = []
    for kind, run in runs(fold(text)):
        found += (character_pairs(run) or [run]) if kind == "chinese" else [run]
    return found


def overlap_terms(text: str) -> frozenset[str]:
    """Parts that texts on the same matter share: first letters of words, and pairs of characters.

    Stop words are left out, so that sharing a term means something.
    """
    latin = {word[:FIRST_LETTERS] for word in surface_forms(text) if not is_chinese(word)}
    return frozenset(latin.union(character_pairs(_chinese_stop_words().sub(" ", fold(text)))))


@cache
def _chinese_stop_words() -> re.Pattern[str]:
    return re.compile(any_of(word for word in stop_words() if not word.isascii()))
