"""Search inside the talk: the lines in which all words stand, newest first, a page at a time.

It finds what stands there and nothing by meaning: whoever looks for a line knows some of its
words, perhaps only how they begin, and not in which order they stood. What a memory *means* is
looked for in the memories panel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from siliconfriend.language.characters import HAN, fold, is_chinese
from siliconfriend.language.tokenizer import stem, tokenize
from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.records import PersonMemory, Turn

FOUND_LINES = 20
"""Lines that are found at once."""
MOST_TERMS = 12
"""Words that are looked for; whoever puts in a page of text is looking for its beginning."""
MARGIN = 40
"""Characters that are shown on either side of what was found."""

_LETTER = rf"[^\W{HAN}]"
_RUN = re.compile(rf"[{HAN}]+|{_LETTER}+(?:['’.-]{_LETTER}+)*")
_LETTERS = re.compile(r"\w")
_SHORTEST_STEM = 3

Segment = tuple[str, bool]
"""Words, and whether they are what was looked for."""


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line in which all words stand.

    Attributes:
        turn: the line.
        by: who said what is shown.
        excerpt: of it, in segments that follow each other.
    """

    turn: Turn
    by: Literal["person", "companion"]
    excerpt: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class _Term:
    """One word of those that are looked for.

    Attributes:
        whole: finds it as it was written.
        parts: find the words in it, where it is Chinese and may be several in another order.
    """

    whole: re.Pattern[str]
    parts: tuple[re.Pattern[str], ...] = ()

    def stands_in(self, folded: str) -> bool:
        if self.whole.search(folded):
            return True
        return bool(self.parts) and all(part.search(folded) for part in self.parts)

    def spans(self, folded: str) -> list[tuple[int, int]]:
        found = [it.span() for it in self.whole.finditer(folded)]
        return found or [it.span() for part in self.parts for it in part.finditer(folded)]


def find_lines(
    memory: PersonMemory, words: str, *, before: str = "", most: int = FOUND_LINES
) -> tuple[list[FoundLine], bool]:
    """Find the lines in which all words stand, newest first.

    Args:
        memory: whose.
        words: in any order; a word may be cut off at its end, letter case and width do not
            matter, and Chinese is found anywhere.
        before: id of the line after which to go on; only what was said before it is found.
        most: so many at once.

    Returns:
        The lines, and whether there are more.
    """
    terms = _terms(words)
    found: list[FoundLine] = []
    if not terms:
        return found, False
    for turn in _turns_before(memory, before):
        folded = fold(f"{turn.query}\n{turn.response}")
        if all(term.stands_in(folded) for term in terms):
            if len(found) == most:
                return found, True
            found.append(_shown(turn, terms))
    return found, False


def _terms(words: str) -> list[_Term]:
    folded = fold(words).strip()
    runs = list(dict.fromkeys(_RUN.findall(folded)))[:MOST_TERMS]
    if not runs:
        return [_Term(re.compile(re.escape(folded)))] if folded else []
    return [_term(run) for run in runs]


def _term(run: str) -> _Term:
    if is_chinese(run):
        parts = dict.fromkeys(tokenize(run))
        return _Term(re.compile(re.escape(run)), tuple(re.compile(re.escape(it)) for it in parts))
    own = stem(run)
    forms = [run, own] if len(own) >= _SHORTEST_STEM else [run]
    begins = "|".join(re.escape(it) for it in forms)
    return _Term(re.compile(rf"(?<!{_LETTER})(?:{begins}){_LETTER}*"))


def _turns_before(memory: PersonMemory, identifier: str) -> Iterator[Turn]:
    """Return the turns that were said before one, newest first; it need not be there any more."""
    place = parse_memory_id(identifier)
    for date in reversed(list(memory.days)):
        if place is not None and date > place.date:
            continue
        for turn in reversed(memory.days[date].turns):
            if place is None or (turn.date, turn.position) < (place.date, place.position):
                yield turn


def _shown(turn: Turn, terms: list[_Term]) -> FoundLine:
    """Show what the person said, unless more of the words stand in the answer alone."""
    sides = (turn.query, turn.response)
    counts = [sum(term.stands_in(fold(side)) for term in terms) for side in sides]
    is_answer = counts[1] > counts[0]
    return FoundLine(
        turn, "companion" if is_answer else "person", _excerpt(sides[is_answer], terms)
    )


def _excerpt(words: str, terms: list[_Term]) -> tuple[Segment, ...]:
    """Cut the words around what was found first, and mark in them all that was found."""
    line = " ".join(words.split())
    folded, places = _fold_each(line)
    marks = _merged(span for term in terms for span in term.spans(folded))
    marks = [(places[start], places[end - 1] + 1) for start, end in marks]
    begin = min(_word_after(line, marks[0][0] - MARGIN), marks[0][0]) if marks else 0
    end = min(len(line), (marks[0][1] if marks else 0) + 3 * MARGIN)
    segments: list[Segment] = [("… ", False)] if begin else []
    place = begin
    for start, stop in marks:
        if stop > end:
            break
        segments += [(line[place:start], False), (line[start:stop], True)]
        place = stop
    segments.append((line[place:end] + (" …" if end < len(line) else ""), False))
    return tuple(it for it in segments if it[0])


def _word_after(line: str, place: int) -> int:
    """Return where the next word begins, or Chinese, which may begin anywhere."""
    if place <= 0:
        return 0
    space = line.find(" ", place, place + MARGIN // 2)
    begin = _LETTERS.search(line, place if space < 0 else space)
    return place if begin is None else begin.start()


def _fold_each(line: str) -> tuple[str, list[int]]:
    """Return the line folded, and for each place in it the place in the line itself."""
    parts = [fold(character) for character in line]
    places = [at for at, part in enumerate(parts) for _ in part]
    return "".join(parts), places


def _merged(spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those that overlap as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
