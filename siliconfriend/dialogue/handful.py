"""Chooses a handful of all that was told: what is dearest, and what was told last.

"What have I told you?" wants no list and no single nearest sentence. What was pinned, what tells
of a life and what was spoken of again and again goes first; the latest stand beside it, so that
two people who met yesterday have something to look back on as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from itertools import groupby, islice

from siliconfriend.dialogue.dearness import dearness, once_a_day
from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.dialogue.open_matters import was_spoken_of
from siliconfriend.dialogue.told_words import is_quoted_in, tells_something
from siliconfriend.dialogue.tone import tone_of
from siliconfriend.importance import LEAST
from siliconfriend.language.content_words import is_small_talk
from siliconfriend.language.word_coverage import content_forms, held_in
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.cue import find_names

DEAREST, LATEST = 3, 2
"""How many of each make a handful."""

BRIGHT = 2
"""Most of the bright things that are told to somebody who asks for one."""

DAYS_BACK = 5
"""On so many of the last days of talk a greeting looks for something to come back to."""

LOOKED_AT = 400
"""So many of the latest are weighed, and of older ones those that were pinned or recalled: of
fifty thousand turns not each can be read while somebody waits."""


def statements(memory: PersonMemory) -> Iterator[Turn]:
    """The person's statements, latest first: no questions, no greetings, nothing archived."""
    for turn in reversed(list(memory.turns())):
        is_there = turn.trace.archived is None and not turn.is_left_alone
        if is_there and classify_intent(turn.query) == "statement":
            yield turn


def choose_last(memory: PersonMemory) -> Turn | None:
    """Choose what a friend comes back to: the dearest of the last day, or of one not long before.

    Who told of an operation and then of the rain is asked about the operation, and so is who told
    of the rain alone two days later; but not if the companion asked about it already. Of what tells
    alike it is what was said last.
    """
    latest = islice(statements(memory), LOOKED_AT)
    telling = (it for it in latest if tells_something(it.query))
    days = islice(groupby(telling, key=lambda it: it.date), DAYS_BACK)
    for number, (_, of_day) in enumerate(days):
        dearest = max(of_day, key=lambda it: (dearness(it), it.position))
        is_new = not number or not _was_taken_up(dearest, memory)
        if dearness(dearest) >= LEAST and is_new:
            return dearest
    return None


def choose_bright(memory: PersonMemory, lately: Collection[str] = ()) -> list[Turn]:
    """Choose something bright that was told, a thing or a few, in the order it was told.

    What is about somebody of whom something hard was told since gladdens nobody any more.

    Args:
        memory: whose it is.
        lately: what the companion said lately; what stands in it is chosen only if there is no other.
    """
    telling = _dearest(memory)
    sore = [(it.date, words) for it in telling if (words := _sore_words(it.query))]
    bright = [
        it
        for it in telling
        if tone_of(it.query) == "bright"
        and not any(day >= it.date and held_in(it.query, words) for day, words in sore)
    ]
    bright = [it for it in bright if not is_small_talk(it.query)] or bright
    fresh = [it for it in bright if not any(is_quoted_in(it, reply) for reply in lately)]
    return sorted((fresh or bright)[:BRIGHT], key=lambda it: (it.date, it.position))


def _sore_words(words: str) -> frozenset[str]:
    """Return what gladdens nobody any more: the names in something heavy, all words of what is grave."""
    tone = tone_of(words)
    if tone == "grave":
        return content_forms(words)
    names = find_names(words, frequency=lambda _: 1) if tone == "heavy" else ()
    return frozenset(form for name in names for form in content_forms(name))


def _was_taken_up(told: Turn, memory: PersonMemory) -> bool:
    """True if the companion spoke of a turn on a later day."""
    later = date.fromisoformat(told.date) + timedelta(days=1)
    return was_spoken_of(told, memory.turns(), since=later)


def choose_handful(memory: PersonMemory) -> list[Turn]:
    """Choose what of all that was told is dearest and latest, in the order it was told.

    One thing a day, while there are days enough: five sentences of one evening are no picture of a
    life.
    """
    dearest = _dearest(memory)
    of_each_day = dearest[: len({it.date for it in dearest})]
    latest = sorted(of_each_day, key=lambda it: it.date, reverse=True)[:LATEST]
    return _first_in_order([*latest, *dearest])


def choose_portrait(memory: PersonMemory) -> list[Turn]:
    """Choose what tells most of who somebody is: what facts were learned from, then what is dearest."""
    known = {it for fact in memory.facts() if fact.is_active for it in fact.provenance.from_ids}
    dearest = _dearest(memory, known)
    return _first_in_order([*[it for it in dearest if it.id in known][:DEAREST], *dearest])


def _dearest(memory: PersonMemory, known: Collection[str] = ()) -> list[Turn]:
    """Return what tells something, the dearest of each day before the second of any."""
    telling = [it for it in _looked_at(memory, known) if tells_something(it.query)]
    return once_a_day(sorted(telling, key=lambda it: -dearness(it)), lambda it: it.date)


def _first_in_order(ranked: Iterable[Turn]) -> list[Turn]:
    """Return the first of what is ranked, each once, in the order it was told."""
    chosen = list({it.id: it for it in ranked}.values())[: DEAREST + LATEST]
    return sorted(chosen, key=lambda it: (it.date, it.position))


def _looked_at(memory: PersonMemory, known: Collection[str]) -> Iterator[Turn]:
    """The latest statements, then older turns that are known, pinned or were recalled."""
    told = statements(memory)
    latest = list(islice(told, LOOKED_AT))
    yield from latest
    if len(latest) == LOOKED_AT:
        seen = {turn.id for turn in latest}
        for turn in memory.turns():
            is_kept = turn.id in known or turn.trace.pinned or turn.trace.recalls
            is_there = turn.trace.archived is None and not turn.is_left_alone
            if is_kept and is_there and turn.id not in seen:
                yield turn
