"""The entries of a companion's lore: adding drafts, editing, leaving out duplicates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast, get_args
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.extraction.drafts import Draft, EventDraft, FactDraft
from siliconfriend.forgetting.trace import Trace
from siliconfriend.lore.companion_files import lore_scope
from siliconfriend.memory.changes import Change, Erase, PutDerived
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

Entry = Fact | Event

LANGUAGE = "language"
"""The field of ``extra`` that holds the only language an entry is recalled in."""


@dataclass(frozen=True, slots=True)
class AddedEntries:
    """The result of adding drafts: changes for the new ones, and how many were known already."""

    changes: tuple[PutDerived, ...]
    known: int

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The new entries, in their order."""
        return tuple(cast(Entry, change.record) for change in self.changes)


def all_entries(lore: PersonMemory) -> list[Entry]:
    """All facts, then all events, oldest day first."""
    return [*lore.facts(), *lore.events()]


def entries_for_language(lore: PersonMemory, language: Language | None) -> list[Entry]:
    """The entries that are recalled in a language; None for all."""
    return [
        entry
        for entry in all_entries(lore)
        if language is None or entry_language(entry) in (None, language)
    ]


def add_entries(
    lore: PersonMemory, drafts: Iterable[Draft], *, now: datetime, made_by: str
) -> AddedEntries:
    """Turn drafts into entries; what the lore has already in the same words is left out.

    Args:
        lore: as it is.
        drafts: new entries.
        now: aware; the day of what has none.
        made_by: ``person`` or ``import``.
    """
    changes: list[PutDerived] = []
    number = 0
    there = {key for entry in all_entries(lore) for key in _entry_keys(entry)}
    for draft in drafts:
        number += 1
        entry = _entry(lore, draft, now=now, made_by=made_by)
        if _draft_key(draft, lore.profile.name) in there:
            continue
        there.update(_entry_keys(entry))
        changes.append(PutDerived(entry))
        lore = changes[-1].apply(lore)
    return AddedEntries(tuple(changes), number - len(changes))


def edit_entry(
    lore: PersonMemory, entry: Entry, draft: Draft, *, now: datetime
) -> tuple[Entry, tuple[Change, ...]]:
    """The entry with the words of a draft of its kind, and the changes that put it there.

    It keeps its id but where an event moves to another day: an id tells the day.
    """
    made = _entry(lore, draft, now=now, made_by="person")
    if isinstance(draft, EventDraft) and draft.time is not None and made.date != entry.date:
        return made, (Erase((entry.id,)), PutDerived(made))
    made = replace(made, id=entry.id, date=entry.date, position=entry.position, trace=entry.trace)
    if isinstance(made, Fact) and isinstance(entry, Fact):
        made = replace(made, first=entry.first, last=entry.last)
    return made, (PutDerived(made),)


def entry_draft(entry: Entry) -> Draft:
    """The entry as the draft it could have come from."""
    language = entry_language(entry)
    extra = {name: value for name, value in entry.extra.items() if name != LANGUAGE}
    if isinstance(entry, Fact):
        return FactDraft(
            entry.text,
            entity=entry.entity,
            entity_type=entry.entity_type,
            aspect=entry.aspect,
            key_word=entry.key_word,
            language=language,
            extra=extra,
        )
    return EventDraft(
        entry.text,
        time=entry.time,
        place=entry.place,
        scene=entry.scene,
        key_words=entry.key_words,
        insight=entry.insight,
        language=language,
        extra=extra,
    )


def entry_language(entry: Entry) -> Language | None:
    """The only language an entry is recalled in; None for every one."""
    language = entry.extra.get(LANGUAGE)
    return language if language in get_args(Language) else None


def _entry(lore: PersonMemory, draft: Draft, *, now: datetime, made_by: str) -> Entry:
    name, zone = lore.profile.name, lore.profile.zone
    scope = lore_scope(name)
    date = _day(draft, zone) or day_of(now, zone).isoformat()
    trace, provenance = Trace(now, pinned=True), Provenance(made_by, now)
    extra = {**draft.extra, **({LANGUAGE: draft.language} if draft.language else {})}
    if isinstance(draft, EventDraft):
        event = replace(draft, extra=extra)
        return event.to_event(lore, scope, date=date, trace=trace, provenance=provenance)
    fact = replace(draft, entity=draft.entity or name, said_by="companion", extra=extra)
    return fact.to_fact(lore, scope, first=date, last=date, trace=trace, provenance=provenance)


def _day(draft: Draft, zone: ZoneInfo) -> str:
    if isinstance(draft, EventDraft) and draft.time is not None:
        return day_of(draft.time, zone).isoformat()
    return "" if draft.day is None else draft.day.isoformat()


_Key = tuple[str, str, str, str]


def _draft_key(draft: Draft, companion: str) -> _Key:
    """The key that a duplicate has among :func:`_entry_keys`; an event with no day has any day."""
    if isinstance(draft, FactDraft):
        return ("fact", _plain(draft.text), draft.entity or companion, draft.aspect)
    day = "" if draft.day is None else draft.day.isoformat()
    when = day if draft.time is None else draft.time.isoformat()
    return ("event", _plain(draft.text), draft.place, when)


def _entry_keys(entry: Entry) -> tuple[_Key, ...]:
    if isinstance(entry, Fact):
        return (("fact", _plain(entry.text), entry.entity, entry.aspect),)
    times = ["", entry.date, *([entry.time.isoformat()] if entry.time else [])]
    return tuple(("event", _plain(entry.text), entry.place, when) for when in times)


def _plain(text: str) -> str:
    return " ".join(text.split())
