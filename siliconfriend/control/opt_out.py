"""Opting out of being remembered, in a message: "don't remember this", 别记这个.

The signs are patterns in ``texts/*/message.toml``, tried on whole clauses, so that "I don't
remember this" and 别记这个仇了 are none. Such turns (``unkept``) are marked at once, recalled and
summed up no more, and removed by the next night; until then it can be taken back.
"""

from __future__ import annotations

import re
from typing import Literal

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.message import read_message
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.days import outlines
from siliconfriend.memory.records import PersonMemory

_CLAUSE = re.compile(r"[,，;；:：、]|\s[-–—]+\s|——")
_EDGES = " \t.!?。！？…~～\"'“”‘’()（）"


Covered = Literal["this", "before", "next"]


def find_opt_out(message: str) -> frozenset[Covered]:
    """Find what a message asks not to remember: ``this`` message, where it asks at all.

    Also what was said just ``before``, because it names it or holds nothing else that could be
    meant, or what is said ``next``, where that is not in the message.
    """
    kinds, rest = set[str](), list[str]()
    for sentence in read_message(message).sentences:
        kind, others = _read(sentence)
        kinds.add(kind)
        rest += others
    covered: set[Covered] = {"this"} if any(kinds) else set()
    is_alone, is_next = not any(map(_says_something, rest)), "wish_next" in kinds
    if covered and ("wish_before" in kinds or (is_alone and not is_next)):
        covered.add("before")
    if is_alone and is_next:
        covered.add("next")
    return frozenset(covered)


def opt_out_of(message: str, memory: PersonMemory, day: str) -> frozenset[Covered]:
    """Find the opt-out that covers a message: its own, or one that announced it just before."""
    found = find_opt_out(message)
    last = memory.days[day].turns[-1:] if day in memory.days else ()
    is_announced = any(turn.unkept and "next" in find_opt_out(turn.query) for turn in last)
    return found or frozenset[Covered](("this",) if is_announced else ())


def unkept_ids(memory: PersonMemory) -> list[str]:
    """Return the turns that are marked, oldest first."""
    dates = [date for date, outline in outlines(memory.days) if outline.left_alone]
    return [turn.id for date in dates for turn in memory.days[date].turns if turn.unkept]


def _says_something(clause: str) -> bool:
    is_long_chinese = is_chinese(clause) and len(clause) > 3
    return bool(tokenize(clause)) or len(clause.split()) >= 3 or is_long_chinese


def _read(sentence: str) -> tuple[str, list[str]]:
    """Return the kind of a wish in a sentence, empty for none, and the clauses that are not it."""
    whole = fold(sentence).replace("’", "'").strip(_EDGES)
    clauses = [it.strip(_EDGES) for it in _CLAUSE.split(whole)]
    is_no_wish = matches("message", "wishes.no_wish", whole)
    for kind in () if is_no_wish else ("wish_next", "wish_before", "wish"):
        if matches("message", f"wishes.{kind}", whole):
            return kind, []
        rest = [it for it in clauses if not matches("message", f"wishes.{kind}", it)]
        if len(rest) < len(clauses):
            return kind, rest
    return "", [whole]
