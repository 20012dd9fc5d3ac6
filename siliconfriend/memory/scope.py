"""Scopes (a person with a companion), their names, and ids of memories.

A scope is the first argument of everything that touches memory. Names are validated only here; a
valid name can safely become a folder name, and nothing else turns a name into a path.

An id depends only on person, companion, kind, date and position at creation:
``turn-2023-04-28-1-9f3a1c2e`` is the second turn of that day. So an import produces the same ids
everywhere, and archiving or erasing changes none.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from siliconfriend.errors import RefusedName
from siliconfriend.forgetting.trace import KINDS as KINDS
from siliconfriend.language.characters import skeleton

DEFAULT_COMPANION = "default"
LONGEST_NAME = 200


def person_hash(name: str) -> str:
    """Return the id of a person in logs: 12 hex digits of SHA-256 of the name."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:12]


def clean_name(name: str) -> str:
    """Return the name trimmed and in NFC.

    Raises:
        RefusedName: empty, too long, only dots, or with a slash, a backslash or a
            control character.
    """
    clean = unicodedata.normalize("NFC", name).strip()
    if not clean:
        raise RefusedName("name_empty")
    if len(clean) > LONGEST_NAME:
        raise RefusedName("name_too_long", length=len(clean), longest=LONGEST_NAME)
    if not clean.strip("."):
        raise RefusedName("name_only_dots", name=clean)
    if any(mark in "/\\" or unicodedata.category(mark) in ("Cc", "Cs") for mark in clean):
        raise RefusedName("name_unsafe", name=ascii(clean))
    return clean


def folder_id(name: str) -> str:
    """Return an ASCII folder name that is different for different names on every file system.

    Readable where the name has ASCII letters (``emily-5f2a…``), always ending in 16
    hex digits of the name's SHA-256, so ``A`` and ``a`` never share a folder.
    """
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:24]
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"{slug or 'person'}-{digest}"


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """A person and a companion by their clean names. Create with :meth:`of`."""

    person: str
    companion: str = DEFAULT_COMPANION

    @classmethod
    def of(cls, person: str, companion: str = DEFAULT_COMPANION) -> Scope:
        """Return the scope of two typed names; errors as :func:`clean_name`."""
        return cls(clean_name(person), clean_name(companion))

    def to_json(self) -> dict[str, str]:
        """Return the JSON fields that name the scope."""
        return {"user": self.person, "companion": self.companion}

    @property
    def digest(self) -> str:
        """Hash of both names in memory ids, 8 hex digits."""
        return hashlib.sha256(f"{self.person}\0{self.companion}".encode()).hexdigest()[:8]


SOURCE = "source-"
"""Prefix of the tombstone of an imported message."""

FORM = rf"({'|'.join(KINDS)})-(\d{{4}}-\d{{2}}-\d{{2}})-(\d+)-([0-9a-f]{{8}})"
"""A memory id as a regular expression."""

_FORM = re.compile(FORM)


@dataclass(frozen=True, slots=True)
class MemoryId:
    """The parts of a memory id: its kind, ISO date, 0-based position and scope digest."""

    kind: str
    date: str
    position: int
    digest: str


def memory_id(scope: Scope, kind: str, date: str, position: int) -> str:
    """Return the id of the record of a kind with a 0-based position of an ISO date."""
    return f"{kind}-{date}-{position}-{scope.digest}"


def file_place_id(scope: Scope, date: str, position: int) -> str:
    """Return the tombstone of an imported turn by its position in the file.

    It differs from every memory id, since another turn has that position here.
    """
    return f"import-{date}-{position}-{scope.digest}"


def source_tombstone(key: str) -> str:
    """Return the tombstone of an imported message, by its key in ``Turn.sources``."""
    return f"{SOURCE}{key}"


def parse_memory_id(identifier: str) -> MemoryId | None:
    """Parse a memory id; None if the text is not one."""
    found = _FORM.fullmatch(identifier)
    if found is None:
        return None
    kind, date, position, digest = found.groups()
    return MemoryId(kind, date, int(position), digest)


MIN_LIKENESS_LATIN, MIN_LIKENESS = 0.8, 0.66
"""Minimum similarity of similar names; lower for other scripts, since Han names are short."""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return similar known names, nearest first, then alphabetically.

    A name is similar if only letter case, accents, spaces or a few characters differ. A known name
    has no similar names.
    """
    known, typed = list(known), _without_marks(name)
    if name in known:
        return []
    least = MIN_LIKENESS_LATIN if typed.isascii() else MIN_LIKENESS
    likeness = {
        name: SequenceMatcher(None, typed, _without_marks(name), autojunk=False).ratio()
        for name in known
    }
    return sorted(
        (name for name in known if likeness[name] >= least),
        key=lambda name: (-likeness[name], name),
    )


def _without_marks(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name).casefold()
    return "".join(part for part in parts if part.isalnum())


def check_newcomers(scopes: Iterable[Scope], known: Iterable[Scope]) -> None:
    """Reject a new name that resembles a known or another new name.

    Raises:
        RefusedName: gives the similar name and the differing characters.
    """
    names: dict[tuple[str, str], list[str]] = {}
    known = set(known)
    for scope in (*known, *scopes):
        alike = names.setdefault((scope.companion, skeleton(scope.person)), [])
        for other in () if scope in known or scope.person in alike else alike:
            _check(scope.person, other)
        alike.append(scope.person)


def _check(name: str, known: str) -> None:
    if name.casefold() != known.casefold():
        strange = sorted({character for character in name if character not in known})
        named = (
            f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()
            for character in strange
        )
        details = {"known": known, "strange": ", ".join(named) or "-"}
        raise RefusedName("name_looks_like", name=ascii(name), **details)
