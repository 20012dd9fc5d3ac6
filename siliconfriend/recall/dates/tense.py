"""Find the side of today on which a date without its year lies: behind or ahead.

English says it by the verb, Chinese by 要, 打算, 了, 过. Only the part of the sentence that holds the date
counts, and where nothing but the date stands in it the part after it, else the one before. What was
booked or invited to, and what is of now, leaves the side open; a day beside the verb of telling is the
telling's own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.word_lists import matches, without_matches
from siliconfriend.recall.dates.resolvers import Side
from siliconfriend.texts import lookup

LETTERS_AWAY = 150  # letters read on each side of a date

_SENTENCE_END = re.compile(r"[.!?。！？…\n]+(?=\s|$|[^\w\s])|[。！？…\n]+")


def side_of(text: str, start: int, end: int) -> Side | None:
    """Find the side of the words from ``start`` to ``end`` of a text; None where nothing says it."""
    text, sentences = _sentence_parts(text)
    parts = next((it for it in sentences if it[-1][1] > start), [(0, len(text))])
    here = sum(last <= start for _, last in parts)
    for at, (first, last) in enumerate([*parts[here:], *reversed(parts[:here])]):
        before, then = text[max(first, start - LETTERS_AWAY) : min(start, last)], max(end, first)
        after = text[then : min(last, end + LETTERS_AWAY)]
        if without_matches("tense", "bare", before + after).strip():
            marked = f"{before}<{text[start:end]}>{text[then : then + LETTERS_AWAY]}"
            is_told = matches("tense", "told_first", marked)
            if any(matches("tense", "ahead", it) for it in (before, "" if is_told else after)):
                return "ahead"
            # A Chinese date stands before its verb.
            over = map(_is_over, (after,) if is_chinese(text) else (before, after))
            if is_told or any(over) or matches("tense", "told_on", marked):
                return "behind"
            if at == 0:
                return None
    return None


def tells_of_done(sentence: str) -> bool:
    """Return True if a sentence tells that something was done, and not only that it was arranged."""
    rest = without_matches("tense", "arranged", fold(sentence))
    is_ahead, *is_done = (matches("tense", key, rest) for key in ("ahead", "behind", "done"))
    return any(is_done) and not is_ahead


def _is_over(words: str) -> bool:
    rest = without_matches("tense", "arranged", without_matches("tense", "open", words))
    return matches("tense", "behind", rest)


@lru_cache(maxsize=16)
def _sentence_parts(text: str) -> tuple[str, list[list[tuple[int, int]]]]:
    """Return the text, folded where that keeps its length, and the places of each sentence's parts."""
    folded = fold(text)
    text = folded if len(folded) == len(text) else text
    words = "|".join(lookup("tense", "parts", "cn" if is_chinese(text) else "en"))
    ends = {match.end() for match in _SENTENCE_END.finditer(text)} | {len(text)}
    commas = {match.end() for match in re.finditer(words, text)}
    sentences: list[list[tuple[int, int]]] = [[]]
    for start, end in pairwise(sorted({0} | ends | commas)):
        sentences[-1].append((start, end))
        if end in ends:
            sentences.append([])
    return text, [parts for parts in sentences if parts]
