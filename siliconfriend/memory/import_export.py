"""Import and export people as JSON: MemoryBank's format, and a lossless format of our own.

A file is an object that maps names to people; ``format`` marks our own format. The whole file is
validated before the first write.
"""

import json
import math
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.errors import StoreError, UnreadableFile
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.memorybank_format import BankPerson, parse_person
from siliconfriend.memory.merge import merge
from siliconfriend.memory.mirror import FORMAT, export_memory, parse_memory
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope, check_newcomers, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class PersonImport:
    """Result of an import for one person.

    Attributes:
        turns, skipped, kept_erased: numbers of new, existing and erased turns; erased turns are not
            imported.
        dates: the days with new turns, ascending.
    """

    user: str
    companion: str
    turns: int
    skipped: int
    kept_erased: int
    dates: tuple[str, ...]

    @property
    def days(self) -> int:
        """Number of days with a new turn."""
        return len(self.dates)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Results of an import in file order."""

    people: tuple[PersonImport, ...]

    @property
    def turns(self) -> int:
        """Number of new turns of all people."""
        return sum(person.turns for person in self.people)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON."""
        return {"people": [asdict(person) for person in self.people], "turns": self.turns}


_PERSON_KEYS = {
    "history",
    "summary",
    "personality",
    "overall_history",
    "meta_information",
    "format",
}
"""Keys of a person in both formats; any of them identifies such a file."""


def read_bank(bank: object, only: str | None = None) -> list[BankPerson]:
    """Parse and validate the people of a file in file order, or ``only`` one of them.

    Args:
        bank: the file, or its JSON as text, bytes (UTF-8, with or without a byte order mark) or a
            parsed object.
        only: a name.

    Raises:
        UnreadableFile: the JSON is invalid, or ``only`` is not in it; the error names the file, the
            person and the key.
        RefusedName: a name is invalid.
    """
    if isinstance(bank, Path):
        try:
            return read_bank(bank.read_bytes(), only)
        except (OSError, UnreadableFile) as error:
            raise UnreadableFile("import_in_file", path=bank.name, cause=error) from error
    if isinstance(bank, str | bytes):
        bank = _parsed(bank)
    if not isinstance(bank, dict):
        raise UnreadableFile("import_unknown_file")
    if bank.get("format") == FORMAT:  # the memory.json of one person
        bank = {str(bank.get("name")): bank}
    check_values(bank)
    forms = [form for form in bank.values() if isinstance(form, dict)]
    if bank and not any(form.keys() & _PERSON_KEYS for form in forms):
        raise UnreadableFile("import_unknown_file")
    people: dict[str, BankPerson] = {}
    for name, form in bank.items():
        user = clean_name(name)
        if user in people:
            raise UnreadableFile("import_twice", user=user)
        if isinstance(form, dict) and form.get("format") == FORMAT:
            people[user] = BankPerson(user, form, _read_native(user, form))
        else:
            people[user] = parse_person(user, form)
    if only is None:
        return list(people.values())
    if (user := clean_name(only)) not in people:
        names = ", ".join(people) or "{}"
        raise UnreadableFile("import_lacks_person", user=user, names=names)
    return [people[user]]


def import_bank(
    store: MemoryStore,
    bank: object,
    *,
    language: Language,
    companion: str = DEFAULT_COMPANION,
    zone: ZoneInfo,
    now: datetime,
    only: str | None = None,
    dry_run: bool = False,
) -> ImportReport:
    """Import every person of a file into the store; a repeated import adds nothing.

    Args:
        store: target store.
        bank: as for :func:`read_bank`.
        language: language of a new person if the file has none.
        companion: companion that receives the memories.
        zone: time zone of a new person if the file has none.
        now: creation time of a new person (aware, UTC).
        only: import only the person of this name.
        dry_run: report without writing.

    Raises:
        UnreadableFile, RefusedName: as for :func:`read_bank`, or ``only`` is not in the file, or a
            new name resembles a known one. Nothing was written.
    """
    people = read_bank(bank, only)
    scopes = [Scope.of(person.user, companion) for person in people]
    check_newcomers(scopes, store.scopes())
    done = []
    for person, scope in zip(people, scopes, strict=True):
        profile = Profile(scope.person, language=language, timezone=zone.key, created=now)
        if person.native is not None:
            profile = person.native.profile
        if dry_run:
            known = store.load(scope) if store.exists(scope) else PersonMemory(profile)
            merged = merge(known, person.memory(scope, known.profile), scope)
        else:
            store.create(scope, profile)
            with store.edit(scope) as edit:
                merged = merge(edit.memory, person.memory(scope, edit.memory.profile), scope)
                edit.add(*merged.changes)
            if merged.changes:
                store.tidy(scope)
        counts = (merged.added, merged.skipped, merged.kept_erased, tuple(merged.dates))
        done.append(PersonImport(scope.person, scope.companion, *counts))
    return ImportReport(tuple(done))


def export_native(memory: PersonMemory, companion: str = DEFAULT_COMPANION) -> dict[str, Any]:
    """Export one person completely in our own format, ``{name: {...}}``."""
    return {memory.profile.name: export_memory(memory, companion)}


def _parsed(data: str | bytes) -> object:
    try:
        words = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        words = words.removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise UnreadableFile("import_unknown_file") from error
    if not words.lstrip().startswith("{"):
        raise UnreadableFile("import_unknown_file")
    try:
        return DECODER.decode(words)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile("import_no_json", cause=error) from error


def _read_native(user: str, form: dict[str, Any]) -> PersonMemory:
    try:
        # Parsing consumes the object, which belongs to the caller.
        memory = parse_memory(json.loads(json.dumps(form))).memory
    except StoreError as error:
        raise UnreadableFile("import_too_new", user=user, **error.details) from error
    except Unreadable as error:
        raise UnreadableFile("import_wrong_native", user=user, cause=error) from error
    return replace(memory, profile=replace(memory.profile, name=user), sequence=0)


DEEPEST = 100
"""Maximum nesting depth of objects and lists."""

_LOWEST, _HIGHEST = -(2**63), 2**63 - 1


def check_values(bank: object) -> None:
    """Validate every value of a parsed file.

    Raises:
        UnreadableFile: a number cannot be stored, or objects are nested too deeply.
    """
    rest: list[tuple[str, object, int]] = [("", bank, 0)]
    while rest:
        where, value, depth = rest.pop()
        if depth > DEEPEST:
            raise UnreadableFile("import_too_deep", field=_shortened(where), deepest=DEEPEST)
        if isinstance(value, dict):
            places = ((f"{where}.{key}".removeprefix("."), inner) for key, inner in value.items())
            rest += ((place, inner, depth + 1) for place, inner in places)
        elif isinstance(value, list | tuple):
            rest += [(f"{where}[{number}]", inner, depth + 1) for number, inner in enumerate(value)]
        elif not _can_be_kept(value):
            raise UnreadableFile("import_wrong_number", field=_shortened(where))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # A lone surrogate becomes U+FFFD, as in a value.
    keys = [key.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for key, _ in pairs]
    found = dict(zip(keys, (value for _, value in pairs), strict=True))
    if len(found) < len(pairs):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UnreadableFile("import_key_twice", field=_shortened(twice))
    return found


def _no_number(written: str) -> object:
    raise UnreadableFile("import_wrong_number", field=written)


def _can_be_kept(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or _LOWEST <= value <= _HIGHEST


def _shortened(where: str) -> str:
    return where if len(where) <= 120 else f"{where[:120]}…"


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)
"""Parse an imported file or part of one; reject duplicate keys in an object."""
