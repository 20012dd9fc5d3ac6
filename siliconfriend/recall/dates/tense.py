"""Find the side of today on which a date without its year lies: behind or ahead.

English says it by the verb, Chinese by 要, 打算, 了, 过. Only the part of the sentence that holds the date
counts, and where nothing but the date stands in it the part after it, else the one before.
Bookings, invitations and the present leave the side open. A day next to a verb of telling belongs
to the telling.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import CLAUSE
from siliconfriend.language.word_lists import last_match, matches, without_matches
from siliconfriend.recall.dates.calendar import DateSpan
from siliconfriend.recall.dates.fields import Side
from siliconfriend.texts import lookup

LETTERS_AWAY = 150  # letters read on each side of a date
MOST_PARTS = 3  # parts of a sentence read before, and after, the one that holds the date

SENTENCE_END = re.compile(
    r"(?<!\bst)(?<!\bdr)(?<!\bmr)(?<!\bmrs)[.!?。！？…\n]+(?=\s|$|[^\w\s])|[。！？…\n]+"
)


def side_of(text: str, start: int, end: int) -> Side | None:
    """Find the side of the words from ``start`` to ``end`` of a text, or None."""
    parts = _parts_of(text)
    here = min(bisect_right(parts.ends, start), len(parts.ends) - 1)
    around = [*range(here, here + MOST_PARTS + 1), *range(here - 1, here - MOST_PARTS - 1, -1)]
    for at in around:
        if 0 <= at < len(parts.ends) and parts.sentences[at] == parts.sentences[here]:
            first, last = parts.ends[at - 1] if at else 0, parts.ends[at]
            before = parts.text[max(first, start - LETTERS_AWAY) : min(start, last)]
            then = max(end, first)
            after = parts.text[then : min(last, end + LETTERS_AWAY)]
            if without_matches("tense", "bare", before + after).strip():
                following = parts.text[then : then + LETTERS_AWAY]
                side = _side_beside(before, parts.text[start:end], after, following)
                if side or at == here:
                    return side
    return None


def _side_beside(before: str, date: str, after: str, following: str) -> Side | None:
    """Find the side that the words around a date say; ``following`` is read beyond their part."""
    marked = f"{before}<{date}>{following}"
    if matches("tense", "loose", marked):
        return None
    is_told = matches("tense", "told_first", marked)
    # A Chinese date stands before its verb.
    over = -1 if is_chinese(marked) else _last_over(before)
    coming = last_match("tense", "ahead", before)
    if max(over, coming) < 0 and not is_told:
        over, coming = _last_over(after), last_match("tense", "ahead", after)
        over = -1 if coming >= 0 else over
    if coming >= max(over, 0):
        return "ahead"
    if is_told or over >= 0 or matches("tense", "told_on", marked):
        return "behind"
    return "rather behind" if matches("tense", "rather_behind", marked) else None


def tells_of_done(sentence: str) -> bool:
    """Return True if a sentence reports a completed action, not just an arrangement."""
    rest = without_matches("tense", "arranged", fold(sentence))
    is_ahead, *is_done = (matches("tense", key, rest) for key in ("ahead", "behind", "done"))
    return any(is_done) and not is_ahead


def _last_over(words: str) -> int:
    """Return the position of the last past-tense words, or -1."""
    rest = without_matches("tense", "arranged", without_matches("tense", "open", words))
    return last_match("tense", "behind", rest)


class _Parts(NamedTuple):
    """A text, folded where that keeps its length, with the ends of its parts and their sentences."""

    text: str
    ends: tuple[int, ...]
    sentences: tuple[int, ...]


@lru_cache(maxsize=16)
def _parts_of(text: str) -> _Parts:
    """Cut a text into the parts of its sentences."""
    folded = fold(text)
    text = folded if len(folded) == len(text) else text
    words = "|".join(lookup("tense", "parts", "cn" if is_chinese(text) else "en"))
    stops = {match.end() for match in SENTENCE_END.finditer(text)}
    commas = {match.end() for match in re.finditer(words, text)}
    ends = tuple(sorted((stops | commas | {len(text)}) - {0})) or (0,)
    sentences = tuple(accumulate((end in stops for end in ends[:-1]), initial=0))
    return _Parts(text, ends, sentences)


def is_of_habit(span: DateSpan, sentence: str) -> bool:
    """Return True if a relative day is part of a habit: "we usually swim on Friday".

    "This Friday" is one day even in a sentence about a habit, unless its clause tells of one.
    ``sentence`` is folded.
    """
    named = fold(span.words)
    around = clause_with(sentence, named) if matches("tense", "one_day", named) else sentence
    return span.relative and matches("tense", "habit", around)


def clause_with(sentence: str, day: str) -> str:
    """Return the clause of a sentence that names a day."""
    return next((part for part in CLAUSE.split(sentence) if day in part), sentence)
