"""Entries of a companion's lore: as records, by language, and called by the keys of lorebooks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, cast, get_args
from zoneinfo import ZoneInfo

from siliconfriend.characters.companion_files import lore_scope
from siliconfriend.clock import day_of
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

BOOK = "book"
"""The field of ``extra`` of an entry that holds what its lorebook says of it: an entry of
Character Card V3 without its ``content``."""

MOST_CALLED = 20
"""Entries that keys may bring into one reply."""

USUAL_ORDER = 100.0

Logic = Literal["any", "not_all", "not_any", "all"]
"""How many of the second keys must be said, or must not."""
LOGICS: tuple[Logic, ...] = ("any", "not_all", "not_any", "all")
"""By the number that SillyTavern writes for each."""

_PATTERN = re.compile(r"/.+/[a-z]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BookKeys:
    """When an entry of a lorebook is told.

    Attributes:
        keys: any of these calls it.
        secondary: what is asked for besides; empty for nothing.
        logic: how many of ``secondary``.
        is_constant: told whatever is said.
        is_case_sensitive: letters must be as written.
        order: the lower, the earlier it is told.
    """

    keys: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    logic: Logic = "any"
    is_constant: bool = False
    is_case_sensitive: bool = False
    order: float = USUAL_ORDER

    @classmethod
    def of(cls, entry: Entry) -> BookKeys | None:
        """Those of an entry; None for one that comes from no lorebook."""
        form = entry.extra.get(BOOK)
        return cls.parse(form) if isinstance(form, Mapping) else None

    @classmethod
    def parse(cls, form: Mapping[str, Any]) -> BookKeys:
        """Those of an entry of Character Card V3.

        The file can be edited by hand: what is not of its sort counts as left out.
        """
        kept = form.get("extensions")
        extensions: Mapping[str, Any] = kept if isinstance(kept, Mapping) else {}
        number = extensions.get("selectiveLogic")
        order, is_pattern = form.get("insertion_order"), form.get("use_regex") is True
        return cls(
            keys=() if is_pattern else plain_keys(form.get("keys")),
            secondary=(
                ()
                if is_pattern or form.get("selective") is False
                else plain_keys(form.get("secondary_keys"))
            ),
            logic=LOGICS[number] if isinstance(number, int) and 0 <= number < 4 else "any",
            is_constant=form.get("constant") is True,
            is_case_sensitive=True
            in (form.get("case_sensitive"), extensions.get("case_sensitive")),
            order=order if isinstance(order, int | float) else USUAL_ORDER,
        )

    def is_called(self, talk: str) -> bool:
        """True if the entry is to be told in such a talk."""
        return self.is_constant or (self._says(self.keys, talk, any) and self.is_allowed(talk))

    def is_allowed(self, talk: str) -> bool:
        """True unless the second keys keep the entry away."""
        if not self.secondary or self.is_constant:
            return True
        wanted = any if self.logic in ("any", "not_any") else all
        return self._says(self.secondary, talk, wanted) != self.logic.startswith("not")

    def _says(self, keys: Iterable[str], talk: str, wanted: Callable[..., bool]) -> bool:
        return wanted(_is_said(key, talk, self.is_case_sensitive) for key in keys)


def called_entries(entries: Iterable[Entry], talk: str) -> list[Entry]:
    """The entries that the words of a talk call, constant ones first, each in its order."""
    called = [
        (not keys.is_constant, keys.order, number, entry)
        for number, entry in enumerate(entries)
        if (keys := BookKeys.of(entry)) is not None and keys.is_called(talk)
    ]
    return [entry for *_, entry in sorted(called, key=lambda it: it[:3])][:MOST_CALLED]


def kept_away(entries: Iterable[Entry], talk: str) -> set[str]:
    """The ids of entries that must not be told in such a talk, however near their meaning is."""
    return {
        entry.id
        for entry in entries
        if (keys := BookKeys.of(entry)) is not None and not keys.is_allowed(talk)
    }


def plain_keys(value: object) -> tuple[str, ...]:
    """The keys of a list that are plain words; what is a pattern (``/…/i``) is left out."""
    several = value if isinstance(value, list) else []
    words = (word.strip() for word in several if isinstance(word, str))
    return tuple(word for word in words if word and not _PATTERN.fullmatch(word))


def _is_said(key: str, talk: str, is_case_sensitive: bool) -> bool:
    if not is_case_sensitive:
        key, talk = fold(key), fold(talk)
    if is_chinese(key):
        return key in talk
    return re.search(rf"(?<!\w){re.escape(key)}(?!\w)", talk) is not None


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
