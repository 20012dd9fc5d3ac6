"""Opting out of being remembered, in a message: "don't remember this", 别记这个.

The signs are patterns in ``texts/*/control.toml``, tried on whole clauses, so that "I don't
remember this" and 别记这个仇了 are none. Such turns (``unkept``) are marked at once, recalled and
summed up no more, and removed by the next night; until then it can be taken back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import beginning_and_end
from siliconfriend.memory.days import outlines
from siliconfriend.memory.records import PersonMemory

_CLAUSE = re.compile(r"[,，;；:：、]|\s[-–—]+\s|——")
_EDGES = " \t.!?。！？…~～\"'“”‘’()（）"


@dataclass(frozen=True, slots=True)
class OptOut:
    """A request not to remember a message, which always covers the message itself.

    ``before``: what was said just before as well, because the opt-out names it or because the
    message holds nothing else that could be meant. ``next``: it is of what is said next, and that
    is not in the message.
    """

    before: bool
    next: bool = False


def find_opt_out(message: str) -> OptOut | None:
    """Find the opt-out in a message; None where there is none."""
    kinds, rest = set[str](), list[str]()
    for sentence in split_sentences(beginning_and_end(message)):
        kind, others = _read(sentence)
        kinds |= {kind} if kind else set()
        rest += others
    if not kinds:
        return None
    is_alone, is_next = not any(map(_says_something, rest)), "wish_next" in kinds
    return OptOut(
        before="wish_before" in kinds or (is_alone and not is_next), next=is_alone and is_next
    )


def opt_out_of(message: str, memory: PersonMemory, day: str) -> OptOut | None:
    """Find the opt-out that covers a message: its own, or one that announced it just before."""
    found = find_opt_out(message)
    if found is not None or day not in memory.days:
        return found
    last = next(reversed(memory.days[day].turns), None)
    announced = find_opt_out(last.query) if last is not None and last.unkept else None
    return OptOut(before=False) if announced is not None and announced.next else None


def unkept_ids(memory: PersonMemory) -> list[str]:
    """Return the turns that are marked, oldest first."""
    dates = [date for date, outline in outlines(memory.days) if outline.left_alone]
    return [turn.id for date in dates for turn in memory.days[date].turns if turn.unkept]


def _says_something(clause: str) -> bool:
    return (
        bool(tokenize(clause))
        or len(clause.split()) >= 3
        or (is_chinese(clause) and len(clause) > 3)
    )


def _read(sentence: str) -> tuple[str, list[str]]:
    """Return the kind of a wish in a sentence, empty for none, and the clauses that are not it."""
    whole = fold(sentence).replace("’", "'").strip(_EDGES)
    clauses = [it.strip(_EDGES) for it in _CLAUSE.split(whole)]
    is_no_wish = matches("control", "signs.no_wish", whole)
    for kind in () if is_no_wish else ("wish_next", "wish_before", "wish"):
        if matches("control", f"signs.{kind}", whole):
            return kind, []
        rest = [it for it in clauses if not matches("control", f"signs.{kind}", it)]
        if len(rest) < len(clauses):
            return kind, rest
    return "", [whole]
