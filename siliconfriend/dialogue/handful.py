"""Chooses a handful of all that was told: what is dearest, and what was told last.

"What have I told you?" wants no list and no single nearest sentence. What was pinned, what tells
of a life and what was spoken of again and again goes first; the latest stand beside it, so that
two people who met yesterday have something to look back on as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from heapq import nlargest
from itertools import groupby, islice

from siliconfriend.dialogue.dearness import dearness, once_a_day
from siliconfriend.dialogue.feelings import BRIGHT, Feeling
from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.dialogue.open_matters import was_spoken_of
from siliconfriend.dialogue.told_words import is_quoted_in, tells_something
from siliconfriend.dialogue.tone import tone_of
from siliconfriend.importance import LEAST
from siliconfriend.language.content_words import is_small_talk
from siliconfriend.language.word_coverage import content_forms, held_in
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.cue import find_names
from siliconfriend.recall.dates import DateSpan

DEAREST, LATEST = 3, 2
"""How many of each make a handful."""

FELT = 2
"""Most of the things that are told to somebody who asks for what gladdened or weighed."""

DAYS_BACK = 5
"""On so many of the last days of talk a greeting looks for something to come back to."""

LOOKED_AT = 400
"""So many of the latest are weighed, and of older ones those that were pinned or recalled, with so
many that a night rated highest: of fifty thousand turns not each can be read while somebody waits."""


def statements(memory: PersonMemory) -> Iterator[Turn]:
    """The person's statements, latest first: no questions, no greetings, nothing archived."""
    turns = reversed(list(memory.turns()))
    return _statements_of(it for it in turns if it.trace.archived is None)


def _statements_of(turns: Iterable[Turn]) -> Iterator[Turn]:
    for turn in turns:
        if not turn.is_left_alone and classify_intent(turn.query) == "statement":
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


def choose_felt(
    memory: PersonMemory,
    feeling: Feeling,
    spans: Sequence[DateSpan] = (),
    known: Collection[str] = (),
    *,
    archived: bool = False,
    lately: Collection[str] = (),
) -> list[Turn]:
    """Choose what tells most of a feeling, a thing or a few that tell alike, the dearest first.

    What is about somebody of whom something hard was told since gladdens nobody any more.

    Args:
        memory: whose it is.
        feeling: which one.
        spans: the days that are meant; all there are if none.
        known: ids of turns told on other days that speak of these.
        archived: whether what was forgotten counts as well, as it does for whoever asks for just that.
        lately: what the companion said lately; what stands in it is chosen only if there is no other.
    """
    telling = _dearest(memory, known, spans, archived=archived)
    if feeling.tones == BRIGHT.tones:
        telling = _not_sore(telling, _dearest(memory))
    places = [(place, it) for it in telling if (place := feeling.place(it.query)) is not None]
    nearest = min((place for place, _ in places), default=0)
    felt = [it for place, it in places if place == nearest]
    felt = [it for it in felt if not is_small_talk(it.query)] or felt
    fresh = [it for it in felt if not any(is_quoted_in(it, reply) for reply in lately)]
    return (fresh or felt)[:FELT]


def _not_sore(telling: Sequence[Turn], every: Sequence[Turn]) -> list[Turn]:
    """Leave out what something hard that was told since has made sore."""
    sore = [(it.date, words) for it in every if (words := _sore_words(it.query))]
    return [
        it
        for it in telling
        if not any(day >= it.date and held_in(it.query, words) for day, words in sore)
    ]


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


def told_within(memory: PersonMemory, spans: Sequence[DateSpan]) -> list[Turn]:
    """The statements of some days that tell something, archived ones too."""
    meant = _looked_at(memory, (), spans, archived=True)
    return [it for it in meant if tells_something(it.query)]


def _dearest(
    memory: PersonMemory,
    known: Collection[str] = (),
    spans: Sequence[DateSpan] = (),
    *,
    archived: bool = False,
) -> list[Turn]:
    """Return what tells something, the dearest of each day before the second of any."""
    meant = _looked_at(memory, known, spans, archived=archived)
    telling = [it for it in meant if tells_something(it.query)]
    return once_a_day(sorted(telling, key=lambda it: -dearness(it)), lambda it: it.date)


def _first_in_order(ranked: Iterable[Turn]) -> list[Turn]:
    """Return the first of what is ranked, each once, in the order it was told."""
    chosen = list({it.id: it for it in ranked}.values())[: DEAREST + LATEST]
    return sorted(chosen, key=lambda it: (it.date, it.position))


def _looked_at(
    memory: PersonMemory, known: Collection[str], spans: Sequence[DateSpan], *, archived: bool
) -> Iterator[Turn]:
    """The latest statements, then older turns that are known, pinned or recalled, and the weightiest."""
    there = (it for it in memory.turns() if archived or it.trace.archived is None)
    meant = [it for it in there if it.id in known or _is_of(it, spans)]
    latest = list(islice(_statements_of(reversed(meant)), LOOKED_AT))
    yield from latest
    if len(latest) == LOOKED_AT:
        seen = {turn.id for turn in latest}
        older = [it for it in meant if it.id not in seen]
        kept = [it for it in older if it.id in known or it.trace.pinned or it.trace.recalls]
        weighty = nlargest(LOOKED_AT, older, key=lambda it: it.trace.importance or 0.0)
        yield from _statements_of({it.id: it for it in (*kept, *weighty)}.values())


def _is_of(turn: Turn, spans: Sequence[DateSpan]) -> bool:
    """True if a turn was told on one of some days; of none, always."""
    if not spans:
        return True
    day = date.fromisoformat(turn.date)
    return any(it.first <= day <= it.last + timedelta(days=it.told_after) for it in spans)
