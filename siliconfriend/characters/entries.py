"""Entries of a companion's lore: as records, by language, and called by the keys of lorebooks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, get_args

from siliconfriend.characters.companions import lore_scope
from siliconfriend.clock import day_of
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from siliconfriend.memory.knowledge import Event, Fact, Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

Entry = Fact | Event
BOOK = "book"
"""The field of ``extra`` of an entry that holds what its lorebook says of it: an entry of
Character Card V3 without its ``content``."""
LANGUAGE = "language"
"""The field of ``extra`` that holds the only language an entry is recalled in."""
MOST_CALLED = 20
"""Entries that keys may bring into one reply."""
USUAL_ORDER = 100.0
Logic = Literal["any", "not_all", "not_any", "all"]
"""Conditions on the secondary keys, in the order of SillyTavern's numbers."""
_LOGICS: tuple[Logic, ...] = get_args(Logic)
_PATTERN = re.compile(r"/.+/[a-z]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BookKeys:
    """Conditions of a lorebook's entry: any of ``keys`` calls it, the lowest ``order`` first."""

    keys: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    """Further keys, as ``logic`` requires; empty for none."""
    logic: Logic = "any"
    is_constant: bool = False
    """Always told."""
    is_case_sensitive: bool = False
    order: float = USUAL_ORDER

    @classmethod
    def of(cls, entry: Entry) -> BookKeys | None:
        """Return the keys of an entry; None for one that comes from no lorebook."""
        form = entry.extra.get(BOOK)
        return cls.parse(form) if isinstance(form, Mapping) else None

    @classmethod
    def parse(cls, form: Mapping[str, Any]) -> BookKeys:
        """Parse the keys of an entry of Character Card V3; fields of a wrong type are ignored."""
        kept = form.get("extensions")
        extensions: Mapping[str, Any] = kept if isinstance(kept, Mapping) else {}
        number = extensions.get("selectiveLogic")
        order, is_pattern = form.get("insertion_order"), form.get("use_regex") is True
        has_second = not is_pattern and form.get("selective") is not False
        cases = (form.get("case_sensitive"), extensions.get("case_sensitive"))
        return cls(
            keys=() if is_pattern else plain_keys(form.get("keys")),
            secondary=plain_keys(form.get("secondary_keys")) if has_second else (),
            logic=_LOGICS[number] if isinstance(number, int) and 0 <= number < 4 else "any",
            is_constant=form.get("constant") is True,
            is_case_sensitive=True in cases,
            order=order if isinstance(order, int | float) else USUAL_ORDER,
        )

    def is_called(self, talk: str) -> bool:
        """Return True if the entry is to be told in such a talk."""
        return self.is_constant or (self._says(self.keys, talk, any) and self.is_allowed(talk))

    def is_allowed(self, talk: str) -> bool:
        """True unless the second keys keep the entry away."""
        if not self.secondary or self.is_constant:
            return True
        wanted = any if self.logic in ("any", "not_any") else all
        return self._says(self.secondary, talk, wanted) != self.logic.startswith("not")

    def _says(self, keys: Iterable[str], talk: str, wanted: Callable[..., bool]) -> bool:
        return wanted(_is_said(key, talk, self.is_case_sensitive) for key in keys)


def hear_keys(entries: Iterable[Entry], talk: str) -> tuple[list[tuple[Entry, BookKeys]], set[str]]:
    """Return the entries that the words of a talk call, and the ids of those it keeps away.

    Constant ones come first, each in its order; keys keep one away whatever its meaning.
    """
    keyed = [(entry, keys) for entry in entries if (keys := BookKeys.of(entry)) is not None]
    called = [(entry, keys) for entry, keys in keyed if keys.is_called(talk)]
    called.sort(key=lambda it: (not it[1].is_constant, it[1].order))
    return called[:MOST_CALLED], {entry.id for entry, keys in keyed if not keys.is_allowed(talk)}


def plain_keys(value: object) -> tuple[str, ...]:
    """Return the keys of a list that are plain words, without patterns (``/…/i``)."""
    several = value if isinstance(value, list) else []
    words = (word.strip() for word in several if isinstance(word, str))
    return tuple(word for word in words if word and not _PATTERN.fullmatch(word))


def _is_said(key: str, talk: str, is_case_sensitive: bool) -> bool:
    if not is_case_sensitive:
        key, talk = fold(key), fold(talk)
    if is_chinese(key):
        return key in talk
    return re.search(rf"(?<!\w){re.escape(key)}(?!\w)", talk) is not None


def all_entries(lore: PersonMemory) -> list[Entry]:
    """Return all facts, then all events, oldest day first."""
    return [*lore.facts(), *lore.events()]


def entries_for_language(lore: PersonMemory, language: Language | None) -> list[Entry]:
    """Return the entries that are recalled in a language; None for all."""
    others = set(get_args(Language)) - {language} if language else ()
    return [it for it in all_entries(lore) if it.extra.get(LANGUAGE) not in others]


def add_entries(
    lore: PersonMemory, drafts: Iterable[Draft], *, now: datetime, made_by: str
) -> list[PutDerived]:
    """Turn drafts into entries, dated ``now`` where they have no day; known ones are left out.

    ``made_by`` is ``person`` or ``import``.
    """
    changes = list[PutDerived]()
    there = {key for entry in all_entries(lore) for key in _keys(entry, lore)}
    for draft in drafts:
        moment = getattr(draft, "time", None) or draft.day
        if _key(draft, lore, moment.isoformat() if moment else "") not in there:
            entry = _entry(lore, draft, now=now, made_by=made_by)
            there.update(_keys(entry, lore))
            changes.append(PutDerived(entry))
            lore = changes[-1].apply(lore)
    return changes


def _entry(lore: PersonMemory, draft: Draft, *, now: datetime, made_by: str) -> Entry:
    name, zone = lore.profile.name, lore.profile.zone
    scope, day = lore_scope(name), draft.day
    if isinstance(draft, EventDraft) and draft.time is not None:
        day = day_of(draft.time, zone)
    date = (day or day_of(now, zone)).isoformat()
    trace, provenance = Trace(now, pinned=True), Provenance(made_by, now)
    extra = {**draft.extra, **({LANGUAGE: draft.language} if draft.language else {})}
    if isinstance(draft, EventDraft):
        event = replace(draft, extra=extra)
        return event.to_event(lore, scope, date=date, trace=trace, provenance=provenance)
    fact = replace(draft, entity=draft.entity or name, said_by="companion", extra=extra)
    return fact.to_fact(lore, scope, first=date, last=date, trace=trace, provenance=provenance)


def _key(it: Draft | Entry, lore: PersonMemory, when: str) -> tuple[str, ...]:
    words = " ".join(it.text.split())
    if isinstance(it, Fact | FactDraft):
        return ("fact", words, it.entity or lore.profile.name, it.aspect)
    return ("event", words, it.place, when)


def _keys(entry: Entry, lore: PersonMemory) -> set[tuple[str, ...]]:
    """Return the keys of drafts that say the same; one of an event with no day has any day."""
    time = entry.time if isinstance(entry, Event) else None
    whens = ("", entry.date, time.isoformat() if time else "")
    return {_key(entry, lore, when) for when in whens}
