"""Entries of a companion's lore: make them of drafts, and select them by language and keys."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from siliconfriend.characters.companions import lore_scope
from siliconfriend.clock import day_of
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.codec import Form
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from siliconfriend.memory.knowledge import Event, Fact, Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

Entry = Fact | Event
BOOK = "book"
"""The field of ``extra`` with the entry of Character Card V3, without its ``content``."""
LANGUAGE = "language"
"""The field of ``extra`` with the only language in which an entry is recalled."""
MOST_CALLED = 20
"""Most entries that keys may add to a reply."""
USUAL_ORDER = 100.0
_LOGICS = ("any", "not_all", "not_any", "all")
"""Conditions on the secondary keys, in the order of SillyTavern's numbers."""
_PATTERN = re.compile(r"/.+/[a-z]*", re.DOTALL)


def hear_keys(entries: Iterable[Entry], talk: str) -> tuple[list[Entry], set[str]]:
    """Return the lorebook entries whose keys occur in a talk, and the ids that keys exclude.

    Constant entries come first, then the others, each in its order.
    """
    books = [(entry, form) for entry in entries if isinstance(form := entry.extra.get(BOOK), dict)]
    called = [(entry, form) for entry, form in books if is_called(form, talk)]
    called.sort(key=lambda pair: (not is_constant(pair[1]), order_of(pair[1])))
    away = {entry.id for entry, form in books if _is_kept_away(form, talk)}
    return [entry for entry, _ in called[:MOST_CALLED]], away


def is_called(form: Form, talk: str) -> bool:
    """Return True if an entry of Character Card V3 applies to a talk."""
    if is_constant(form):
        return True
    return any(_are_said(form, _words_of(form, "keys"), talk)) and not _is_kept_away(form, talk)


def is_constant(form: Form) -> bool:
    """Return True if an entry always applies."""
    return form.get("constant") is True


def order_of(form: Form) -> float:
    """Return the insertion order of an entry."""
    order = form.get("insertion_order")
    return order if isinstance(order, int | float) else USUAL_ORDER


def _is_kept_away(form: Form, talk: str) -> bool:
    secondary = _words_of(form, "secondary_keys")
    if is_constant(form) or form.get("selective") is False or not secondary:
        return False
    number = _extensions(form).get("selectiveLogic")
    logic = _LOGICS[number] if isinstance(number, int) and 0 <= number < 4 else "any"
    wanted = any if logic in ("any", "not_any") else all
    return wanted(_are_said(form, secondary, talk)) == logic.startswith("not")


def _words_of(form: Form, field: str) -> tuple[str, ...]:
    return () if form.get("use_regex") is True else plain_keys(form.get(field))


def _extensions(form: Form) -> Form:
    kept = form.get("extensions")
    return kept if isinstance(kept, dict) else {}


def plain_keys(value: object) -> tuple[str, ...]:
    """Return the keys of a list that are plain words, without patterns (``/…/i``)."""
    several = value if isinstance(value, list) else []
    words = (word.strip() for word in several if isinstance(word, str))
    return tuple(word for word in words if word and not _PATTERN.fullmatch(word))


def _are_said(form: Form, keys: Iterable[str], talk: str) -> Iterator[bool]:
    is_exact = True in (form.get("case_sensitive"), _extensions(form).get("case_sensitive"))
    talk = talk if is_exact else fold(talk)
    for key in keys if is_exact else map(fold, keys):
        pattern = rf"(?<!\w){re.escape(key)}(?!\w)"
        yield key in talk if is_chinese(key) else re.search(pattern, talk) is not None


def all_entries(lore: PersonMemory) -> list[Entry]:
    """Return all facts, then all events, oldest day first."""
    return [*lore.facts(), *lore.events()]


def entries_for_language(lore: PersonMemory, language: Language | None) -> list[Entry]:
    """Return the entries that are recalled in a language; None for all."""
    entries = all_entries(lore)
    return [one for one in entries if not language or one.extra.get(LANGUAGE, language) == language]


def add_entries(
    lore: PersonMemory, drafts: Iterable[Draft], *, now: datetime, made_by: str
) -> list[PutDerived]:
    """Make entries of drafts that are not known; without a day they are dated ``now``.

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
    scope, time = lore_scope(name), getattr(draft, "time", None)
    date = (day_of(time, zone) if time else draft.day or day_of(now, zone)).isoformat()
    trace, provenance = Trace(now, pinned=True), Provenance(made_by, now)
    extra = {**draft.extra, **({LANGUAGE: draft.language} if draft.language else {})}
    if isinstance(draft, EventDraft):
        event = replace(draft, extra=extra)
        return event.to_event(lore, scope, date=date, trace=trace, provenance=provenance)
    fact = replace(draft, entity=draft.entity or name, said_by="companion", extra=extra)
    return fact.to_fact(lore, scope, first=date, last=date, trace=trace, provenance=provenance)


def _key(entry: Draft | Entry, lore: PersonMemory, when: str) -> tuple[str, ...]:
    words = " ".join(entry.text.split())
    if isinstance(entry, Fact | FactDraft):
        return ("fact", words, entry.entity or lore.profile.name, entry.aspect)
    return ("event", words, entry.place, when)


def _keys(entry: Entry, lore: PersonMemory) -> set[tuple[str, ...]]:
    """Return the keys of drafts with the same content; a draft of an event may have no day."""
    time = entry.time if isinstance(entry, Event) else None
    whens = ("", entry.date, time.isoformat() if time else "")
    return {_key(entry, lore, when) for when in whens}
