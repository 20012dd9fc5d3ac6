"""Merge an imported memory into an existing one: add new records, overwrite nothing."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from siliconfriend.memory.changes import (
    Change,
    Erase,
    MemoryDraft,
    PutDerived,
    PutField,
    PutPersonality,
    PutSummary,
    PutTurn,
)
from siliconfriend.memory.codec import NO_DATE, Kept, decode_record, encode_record
from siliconfriend.memory.days import OVERALL, day_inputs
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import (
    PARTS,
    PERSONALITY,
    Day,
    Derived,
    Memory,
    PersonMemory,
    Turn,
    kind_of,
    listed,
)
from siliconfriend.memory.scope import (
    FORM,
    Scope,
    file_place_id,
    memory_id,
    parse_memory_id,
    source_tombstone,
)


@dataclass(slots=True)
class Merge:
    """The changes that merge one memory into another, and their counts.

    Attributes:
        changes: changes to write, in order; empty if nothing is new.
        dates: days with new turns.
        added, skipped, kept_erased: numbers of new, existing and erased turns.
    """

    changes: list[Change] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    added: int = 0
    skipped: int = 0
    kept_erased: int = 0


def merge(existing: PersonMemory, incoming: PersonMemory, scope: Scope) -> Merge:
    """Merge ``incoming`` into ``existing``, the memory of ``scope``, without duplicate turns.

    A turn is skipped if its position holds the same words, a corrected turn or an erased one, or if
    another unmatched turn of that day has its words. A stored turn without its reply matches the
    message alone, since an erasure removes replies that quote erased words. A new turn gets its
    position in the file, or the next free one; its position in the file is stored then, so that it
    is recognized after a correction or erasure. Existing texts are kept.
    """
    return _Merging(existing, incoming, scope).done()


class _Merging:
    def __init__(self, existing: PersonMemory, incoming: PersonMemory, scope: Scope) -> None:
        self._existing = existing
        self._incoming = incoming
        self._scope = scope
        self._merge = Merge()
        self._draft = MemoryDraft(existing)
        self._renamed: dict[str, str] = {}
        self._erased: dict[str, set[int]] = defaultdict(set)
        for identifier in existing.erased:
            place = parse_memory_id(identifier)
            if place is not None and place.kind == "turn":
                self._erased[place.date].add(place.position)

    def done(self) -> Merge:
        days = [(day, self._placed(day)) for day in self._incoming.days.values()]
        for day, placed in days:
            self._put_turns(day, placed)
        whole = [(day, [turn for turn in placed if turn is not None]) for day, placed in days]
        whole = [
            pair for pair in whole if list(map(_words, pair[1])) == list(map(_words, pair[0].turns))
        ]
        for day, turns in whole:
            self._put_texts(day, turns)
        if len(whole) == len(days):
            for name in OVERALL:
                text = getattr(self._incoming, name)
                if text is not None and getattr(self._existing, name) is None:
                    self._put(PutField(name, self._here(name, text)))
        self._put_derived()
        self._put_rest()
        return self._merge

    def _put(self, change: Change) -> None:
        self._merge.changes.append(change)
        change.set_in(self._draft)

    def _placed(self, day: Day) -> list[Turn | None]:
        """Map each incoming turn to its stored turn; None for an erased one."""
        found = self._places(day)
        for turn, here in zip(day.turns, found, strict=True):
            self._renamed[turn.id] = here.id if here else self._in_scope(turn.id)
        return found

    def _places(self, day: Day) -> list[Turn | None]:
        there, erased = self._draft.day(day.date).turns, self._erased[day.date]
        at = {turn.position: turn for turn in there}
        taken = {*at, *erased}
        found: dict[int, Turn | None] = {}
        for index, turn in enumerate(day.turns):
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
        for index, turn in enumerate(day.turns):
            if index in found:
                continue
            known = next((way for way in _ways(turn) if elsewhere[way]), None)
            if known is not None:
                found[index] = elsewhere[known].pop()
            elif turn.position in corrected:
                found[index] = corrected[turn.position]
            elif self._is_erased(turn):
                found[index] = None
            else:
                is_free = turn.position not in taken
                position = turn.position if is_free else max(taken) + 1
                taken.add(position)
                found[index] = replace(
                    turn,
                    position=position,
                    id=memory_id(self._scope, "turn", day.date, position),
                    brought_from=turn.brought_from if is_free else turn.position,
                )
        return [found[index] for index in range(len(day.turns))]

    def _is_erased(self, turn: Turn) -> bool:
        """Return True if the person erased the turn at this position of a file, or its messages."""
        place = file_place_id(self._scope, turn.date, turn.position)
        return not {place, *map(source_tombstone, turn.sources)}.isdisjoint(self._existing.erased)

    def _put_turns(self, day: Day, placed: Sequence[Turn | None]) -> None:
        there = {turn.id for turn in self._draft.day(day.date).turns}
        if day.date not in self._existing.days and not placed:
            self._put(PutSummary(day.date, None))  # a day without words is kept as one
        fresh = [turn for turn in placed if turn is not None and turn.id not in there]
        self._merge.added += len(fresh)
        self._merge.kept_erased += placed.count(None)
        self._merge.skipped += len(placed) - len(fresh) - placed.count(None)
        if fresh:
            self._merge.dates.append(day.date)
        for turn in fresh:
            used = tuple(replace(source, id=self._in_scope(source.id)) for source in turn.used)
            self._put(PutTurn(replace(turn, used=used)))

    def _put_texts(self, day: Day, turns: Sequence[Turn]) -> None:
        known = self._draft.day(day.date)
        final = Day(day.date, tuple(sorted(turns, key=lambda turn: turn.position)))
        for kind, change in (("day", PutSummary), (PERSONALITY, PutPersonality)):
            text = getattr(day, PARTS[kind])
            if text is not None and getattr(known, PARTS[kind]) is None:
                text = self._here(kind, text, day.date)
                provenance = text.provenance
                if provenance.inputs == day_inputs(day):  # it was up to date, and remains so
                    text = replace(text, provenance=replace(provenance, inputs=day_inputs(final)))
                self._put(change(day.date, text))

    def _put_derived(self) -> None:
        """Add the new records, with their ids mapped to stored ids."""
        fresh: dict[str, Derived] = {}
        for record in self._standing():
            kind, identifier, position = kind_of(record), self._in_scope(record.id), record.position
            there = listed(self._draft.day(record.date), kind)
            same = (other.id for other in there if _words_of(other) == _words_of(record))
            known = next((identifier for identifier in same if identifier not in fresh), None)
            if known is None and self._draft.find(identifier) is not None:
                position = self._draft.next_position(record.date, kind)
                identifier = memory_id(self._scope, kind, record.date, position)
            self._renamed[record.id] = known or identifier
            if known is None:
                fresh[identifier] = replace(record, id=identifier, position=position)
                self._draft.put(fresh[identifier])
        for identifier, record in fresh.items():
            here = self._here(kind_of(record), record, record.date)
            self._put(PutDerived(replace(here, id=identifier)))
        reflection = self._incoming.last_reflection
        if reflection is not None and self._existing.last_reflection is None:
            self._put(PutField("last_reflection", self._here("reflection", reflection)))

    def _standing(self) -> Iterator[Derived]:
        """Yield the records that were not erased here and whose evidence has the same words here."""
        records = [record for day in self._incoming.days.values() for record in day.derived()]
        gone = {record.id for record in records if self._is_gone(record.id)}
        count = -1
        while len(gone) != count:
            count = len(gone)
            gone |= {
                record.id
                for record in records
                if any(
                    identifier in gone or self._is_gone(identifier)
                    for identifier in record.provenance.from_ids
                )
            }
        return (record for record in records if record.id not in gone)

    def _is_gone(self, identifier: str) -> bool:
        here = self._in_scope(identifier)
        if here in self._existing.erased:
            return True
        record = self._incoming.find(identifier)
        if record is None or isinstance(record, Derived):
            return False
        return _words_of(record) != _words_of(self._draft.find(here))

    def _put_rest(self) -> None:
        profile, incoming = self._existing.profile, self._incoming.profile
        filled = replace(
            profile,
            meta_information=profile.meta_information or incoming.meta_information,
            extra={**incoming.extra, **profile.extra},
        )
        if filled != profile:
            self._put(PutField("profile", filled))
        taken = {turn.id for turn in self._existing.turns()} | set(self._renamed.values())
        gone = {self._in_scope(identifier) for identifier in self._incoming.erased}
        gone -= taken | self._existing.erased
        if gone:
            self._put(Erase(tuple(sorted(gone))))

    def _here(self, kind: str, record: Kept, date: str = NO_DATE) -> Any:
        """Return a record with its ids mapped to stored ids."""
        words = encode_record(record, self._incoming.profile).decode()
        words = _ID.sub(lambda found: self._in_scope(found[0]), words)
        return decode_record(kind, words.encode(), date)

    def _in_scope(self, identifier: str) -> str:
        place = parse_memory_id(identifier)
        if identifier in self._renamed or place is None:
            return self._renamed.get(identifier, identifier)
        return memory_id(self._scope, place.kind, place.date, place.position)


_ID = re.compile(FORM)


def _words(turn: Turn) -> tuple[str, str]:
    return turn.query, turn.response


def _ways(turn: Turn) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the accepted words of an incoming turn: its own, with or without a quoting reply."""
    return _words(turn), (turn.query, "")


def _words_of(memory: Memory | None) -> tuple[str, ...]:
    """Return the words by which two records of one kind are duplicates."""
    match memory:
        case None:
            return ()
        case Turn():
            return _words(memory)
        case Fact():
            return (memory.entity, memory.text)
        case _:
            return (memory.text,)
