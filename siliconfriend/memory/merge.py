"""Merge an imported memory into one that is there: what is new is added, nothing is written over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from siliconfriend.memory.changes import (
    Change,
    Erase,
    PutDerived,
    PutOverallHistory,
    PutOverallPersonality,
    PutPersonality,
    PutProfile,
    PutReflection,
    PutSummary,
    PutTurn,
    apply_all,
)
from siliconfriend.memory.identity import (
    file_place_id,
    memory_id,
    parse_memory_id,
    source_tombstone,
)
from siliconfriend.memory.input_hash import day_inputs
from siliconfriend.memory.knowledge import Fact, Topic, TopicSegment
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    Day,
    DayPersonality,
    DaySummary,
    Derived,
    Memory,
    Overall,
    PersonMemory,
    Turn,
    kind_of,
    listed,
)
from siliconfriend.memory.scope import Scope

_Text = TypeVar("_Text", DaySummary, DayPersonality, Overall)


@dataclass(slots=True)
class Merge:
    """The changes that merge one memory into another, and what they amount to.

    Attributes:
        changes: to be written, in order; empty where everything is there already.
        dates: days that got a turn.
        added: turns that are new.
        skipped: turns that are there already.
        kept_erased: turns that stay away because they were erased here.
    """

    changes: list[Change] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    added: int = 0
    skipped: int = 0
    kept_erased: int = 0


def merge(existing: PersonMemory, incoming: PersonMemory, scope: Scope) -> Merge:
    """Merge ``incoming`` into ``existing``, the memory of ``scope``: deduplicate its turns.

    Within a day a turn is skipped where its place holds the same words or a corrected turn,
    where its place was erased, or where another turn of that day, matched by none before,
    has its words. A turn here that lacks the reply counts as having the same words, since an
    erasing takes replies that quoted what it erased. Else it takes its place, or the next free
    one where that is taken; one that did so and was corrected or erased is known again by its
    place in the file. Texts that exist already stay.
    """
    return _Merging(existing, incoming, scope).done()


class _Merging:
    """One merge at work."""

    def __init__(self, existing: PersonMemory, incoming: PersonMemory, scope: Scope) -> None:
        self._existing = existing
        self._incoming = incoming
        self._scope = scope
        self._merge = Merge()
        self._renamed: dict[str, str] = {}
        self._erased: dict[str, set[int]] = defaultdict(set)
        for identifier in existing.erased:
            place = parse_memory_id(identifier)
            if place is not None and place.kind == "turn":
                self._erased[place.date].add(place.position)

    def done(self) -> Merge:
        merge = self._merge
        placed = {date: self._placed(day) for date, day in self._incoming.days.items()}
        whole = {}
        for date, day in self._incoming.days.items():
            merge.changes += self._turn_changes(day, placed[date])
            turns = [turn for turn in placed[date] if turn is not None]
            if list(map(_words, turns)) == list(map(_words, day.turns)):
                whole[date] = turns
        for date, turns in whole.items():
            merge.changes += self._text_changes(self._incoming.days[date], turns)
        if len(whole) == len(placed):
            merge.changes += self._overall_changes()
        merge.changes += self._derived_changes()
        merge.changes += self._other_changes()
        return merge

    def _placed(self, day: Day) -> list[Turn | None]:
        """Map each incoming turn to the turn that holds it here; None for an erased one."""
        existing = self._existing.days.get(day.date)
        there = existing.turns if existing else ()
        erased = self._erased[day.date]
        gone = {turn.position for turn in day.turns if self._is_erased(turn)}
        id_at = partial(memory_id, self._scope, "turn", day.date)
        found = _placed(there, erased, gone, day.turns, id_at)
        for it, turn in zip(day.turns, found, strict=True):
            self._renamed[it.id] = turn.id if turn else self._in_scope(it.id)
        return found

    def _is_erased(self, turn: Turn) -> bool:
        """True if the person erased what stood at this place of a file, or a message of it."""
        place = file_place_id(self._scope, turn.date, turn.position)
        return not {place, *map(source_tombstone, turn.sources)}.isdisjoint(self._existing.erased)

    def _turn_changes(self, day: Day, placed: Sequence[Turn | None]) -> Iterator[Change]:
        known = self._existing.days.get(day.date)
        there = {turn.id for turn in known.turns} if known else set()
        if known is None and not placed:
            # A day without words is kept as one.
            yield PutSummary(day.date, None)
        fresh = [turn for turn in placed if turn is not None and turn.id not in there]
        self._merge.added += len(fresh)
        self._merge.kept_erased += placed.count(None)
        self._merge.skipped += len(placed) - len(fresh) - placed.count(None)
        if fresh:
            self._merge.dates.append(day.date)
        for turn in fresh:
            used = tuple(replace(it, id=self._in_scope(it.id)) for it in turn.used)
            yield PutTurn(replace(turn, used=used))

    def _text_changes(self, day: Day, turns: Sequence[Turn]) -> Iterator[Change]:
        known = self._existing.days.get(day.date) or Day(day.date)
        final = Day(day.date, tuple(sorted(turns, key=lambda turn: turn.position)))
        if day.summary is not None and known.summary is None:
            summary = self._moved(day.summary, day, final)
            identifier = memory_id(self._scope, "day", day.date, 0)
            yield PutSummary(day.date, replace(summary, id=identifier))
        if day.personality is not None and known.personality is None:
            yield PutPersonality(day.date, self._moved(day.personality, day, final))

    def _overall_changes(self) -> Iterator[Change]:
        existing, incoming = self._existing, self._incoming
        if incoming.overall_history is not None and existing.overall_history is None:
            yield PutOverallHistory(self._moved(incoming.overall_history))
        if incoming.overall_personality is not None and existing.overall_personality is None:
            yield PutOverallPersonality(self._moved(incoming.overall_personality))

    def _derived_changes(self) -> Iterator[Change]:
        final = apply_all(self._existing, self._merge.changes)
        for record in _incoming_derived(self._incoming, final, self._scope, self._in_scope):
            yield PutDerived(record)
        if self._incoming.last_reflection is not None and self._existing.last_reflection is None:
            yield PutReflection(self._provenance(self._incoming.last_reflection))

    def _other_changes(self) -> Iterator[Change]:
        profile, incoming = self._existing.profile, self._incoming.profile
        filled = replace(
            profile,
            meta_information=profile.meta_information or incoming.meta_information,
            extra={**incoming.extra, **profile.extra},
        )
        if filled != profile:
            yield PutProfile(filled)
        taken = {turn.id for turn in self._existing.turns()} | set(self._renamed.values())
        gone = {self._in_scope(identifier) for identifier in self._incoming.erased}
        gone -= taken | self._existing.erased
        if gone:
            yield Erase(tuple(sorted(gone)))

    def _moved(self, text: _Text, before: Day | None = None, after: Day | None = None) -> _Text:
        return replace(text, provenance=self._provenance(text.provenance, before, after))

    def _provenance(
        self, provenance: Provenance, before: Day | None = None, after: Day | None = None
    ) -> Provenance:
        """Return the provenance in this scope; a text that was up to date stays so."""
        inputs = provenance.inputs
        if before is not None and after is not None and inputs == day_inputs(before):
            inputs = day_inputs(after)
        ids = tuple(self._in_scope(identifier) for identifier in provenance.from_ids)
        return replace(provenance, from_ids=ids, inputs=inputs)

    def _in_scope(self, identifier: str) -> str:
        if identifier in self._renamed:
            return self._renamed[identifier]
        place = parse_memory_id(identifier)
        if place is None:
            return identifier
        return memory_id(self._scope, place.kind, place.date, place.position)


def _placed(
    there: Sequence[Turn],
    erased: set[int],
    gone: set[int],
    incoming: Sequence[Turn],
    id_at: Callable[[int], str],
) -> list[Turn | None]:
    """Apply the rule of :func:`merge` to one day; ``gone`` are places in the file, not here."""
    at = {turn.position: turn for turn in there}
    taken = {*at, *erased}
    found: dict[int, Turn | None] = {}
    for index, turn in enumerate(incoming):
        here = at.get(turn.position)
        if here is not None and (here.edited or _words(here) in _ways(turn)):
            found[index] = here
        elif turn.position in erased:
            found[index] = None
    matched = {turn.position for turn in found.values() if turn is not None}
    elsewhere: dict[tuple[str, str], list[Turn]] = defaultdict(list)
    for turn in reversed(there):
        if turn.position not in matched:
            elsewhere[_words(turn)].append(turn)
    corrected = {turn.brought_from: turn for turn in there if turn.edited}
    for index, turn in enumerate(incoming):
        if index in found:
            continue
        known = next((it for it in _ways(turn) if elsewhere[it]), None)
        if known is not None:
            found[index] = elsewhere[known].pop()
        elif turn.position in corrected:
            found[index] = corrected[turn.position]
        elif turn.position in gone:
            found[index] = None
        else:
            is_free = turn.position not in taken
            position = turn.position if is_free else max(taken) + 1
            taken.add(position)
            brought_from = turn.brought_from if is_free else turn.position
            found[index] = replace(
                turn, position=position, id=id_at(position), brought_from=brought_from
            )
    return [found[index] for index in range(len(incoming))]


def _words(turn: Turn) -> tuple[str, str]:
    return turn.query, turn.response


def _ways(turn: Turn) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the words an incoming turn may have here: its own, or without a reply that quoted."""
    return _words(turn), (turn.query, "")


def _incoming_derived(
    incoming: PersonMemory, here: PersonMemory, scope: Scope, in_scope: Callable[[str], str]
) -> Iterator[Derived]:
    """The records of ``incoming`` that are new, as they are to stand ``here`` (its turns are there)."""
    renamed: dict[str, str] = {}
    fresh: list[Derived] = []
    merged = here
    for record in _standing(incoming, here, in_scope):
        kind, day = kind_of(record), here.days.get(record.date)
        there = listed(day, kind) if day else ()
        known = next((it.id for it in there if _words_of(it) == _words_of(record)), None)
        identifier, position = in_scope(record.id), record.position
        if known is None and merged.find(identifier) is not None:
            position = merged.next_position(record.date, kind)
            identifier = memory_id(scope, kind, record.date, position)
        renamed[record.id] = known or identifier
        if known is None:
            fresh.append(replace(record, id=identifier, position=position))
            merged = PutDerived(fresh[-1]).apply(merged)

    def here_named(identifier: str) -> str:
        return renamed.get(identifier) or in_scope(identifier)

    for record in fresh:
        yield _renamed(record, here_named)


def _standing(
    incoming: PersonMemory, here: PersonMemory, in_scope: Callable[[str], str]
) -> list[Derived]:
    """Return the records that were not erased here and whose evidence has the same words here."""

    def is_gone(identifier: str) -> bool:
        record = incoming.find(identifier)
        if in_scope(identifier) in here.erased:
            return True
        if record is None or isinstance(record, Derived):
            return False
        return _words_of(record) != _words_of(here.find(in_scope(identifier)))

    records = [it for day in incoming.days.values() for it in day.derived()]
    gone = {record.id for record in records if is_gone(record.id)}
    while True:
        staying = [
            record
            for record in records
            if record.id not in gone
            and not any(it in gone or is_gone(it) for it in record.provenance.from_ids)
        ]
        if len(staying) + len(gone) == len(records):
            return staying
        gone = {record.id for record in records} - {record.id for record in staying}


def _words_of(memory: Memory | None) -> tuple[str, ...]:
    """Return the words by which two records of one kind are duplicates."""
    match memory:
        case None:
            return ()
        case Turn():
            return (memory.query, memory.response)
        case Fact():
            return (memory.entity, memory.text)
        case _:
            return (memory.text,)


def _renamed(record: Derived, name: Callable[[str], str]) -> Derived:
    """Return the record with every id in it as it is here."""
    ids = tuple(name(it) for it in record.provenance.from_ids)
    record = replace(record, provenance=replace(record.provenance, from_ids=ids))
    if isinstance(record, Fact):
        superseded, topic = record.superseded_by, record.topic
        return replace(
            record, superseded_by=superseded and name(superseded), topic=topic and name(topic)
        )
    if isinstance(record, Topic):
        talks = tuple(
            TopicSegment(
                tuple(name(it) for it in talk.pages),
                talk.overview,
                talk.follows and name(talk.follows),
            )
            for talk in record.talks
        )
        return replace(record, talks=talks, analysed=tuple(name(it) for it in record.analysed))
    return record
