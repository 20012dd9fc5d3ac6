"""``lore.json``: a companion's facts and events, in the forms a person's memory has them in.

Entries stand in two plain lists, so that a person can read and search the file; each has its
date in it. There is one version so far; a newer one is refused as it stands.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.errors import StoreError
from siliconfriend.memory import codec
from siliconfriend.memory.changes import PutDerived, apply_all
from siliconfriend.memory.codec import Form, Unreadable
from siliconfriend.memory.identity import place_of
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope

FORMAT = "siliconfriend-lore"
VERSION = 1
KINDS = {"fact": "facts", "event": "events"}
"""Where in the file each kind stands."""


def lore_scope(companion: str) -> Scope:
    """Whose ids the entries of a companion have: nobody's and the companion's.

    No person has an empty name, so no id of lore is ever one of a person's memory.
    """
    return Scope("", companion)


def no_lore(companion: str, *, timezone: str, now: datetime) -> PersonMemory:
    """The lore of a companion that has none yet."""
    return PersonMemory(Profile(companion, language="en", timezone=timezone, created=now))


def lore_form(lore: PersonMemory) -> Form:
    """The object for ``lore.json``."""
    profile = codec.profile_form(lore.profile)
    return {
        "format": FORMAT,
        "version": VERSION,
        "companion": profile["name"],
        "timezone": profile["timezone"],
        "created": profile["created"],
        "facts": [codec.derived_form(it) for it in lore.facts()],
        "events": [codec.derived_form(it) for it in lore.events()],
        "erased": sorted(lore.erased),
    }


def lore_of(form: Form) -> PersonMemory:
    """The lore of a form, which is used up.

    Raises:
        Unreadable: it is not what this version writes.
        StoreError: a newer version of the program wrote it.
    """
    if form.get("format") != FORMAT:
        raise Unreadable(f"format: {FORMAT} was expected")
    version = form.get("version")
    if not isinstance(version, int) or version < 1:
        raise Unreadable("version: a number from 1 was expected")
    if version > VERSION:
        raise StoreError("memory_too_new", version=version, known=VERSION)
    profile = codec.profile_of(
        {
            "name": form.get("companion"),
            "language": "en",
            "timezone": form.get("timezone"),
            "created": form.get("created"),
        }
    )
    _check_zone(profile.timezone)
    erased = _list(form, "erased")
    lore = PersonMemory(profile, erased=frozenset(str(it) for it in erased))
    digest = lore_scope(profile.name).digest
    puts = [_put(kind, it, digest) for kind in KINDS for it in _list(form, KINDS[kind])]
    if len({put.record.id for put in puts}) < len(puts):
        raise Unreadable("memory_id: one stands there twice")
    return apply_all(lore, puts)


def _put(kind: str, form: Form, digest: str) -> PutDerived:
    record = codec.derived_of(kind, form)
    place = place_of(record.id)
    if place is None or (place.kind, place.date, place.digest) != (kind, record.date, digest):
        raise Unreadable(f"memory_id: {record.id} is no id of this companion's {kind}")
    return PutDerived(record)


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise Unreadable(f"timezone: {name}") from error


def _list(form: Form, name: str) -> list[Any]:
    value = form.get(name, [])
    if not isinstance(value, list):
        raise Unreadable(f"{name}: a list was expected")
    return value
