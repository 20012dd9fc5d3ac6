"""Make and parse the ids of memories.

An id depends only on person, companion, kind, date and position at creation:
``turn-2023-04-28-1-9f3a1c2e`` is the second turn of that day. So an import gives the same ids
everywhere, and archiving or erasing shifts none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from siliconfriend.forgetting.trace import KINDS
from siliconfriend.memory.scope import Scope

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
    """The id of the memory of ``kind`` created as number ``position`` (0-based) of ``date``."""
    return f"{kind}-{date}-{position}-{scope.digest}"


def file_place_id(scope: Scope, date: str, position: int) -> str:
    """The tombstone of a turn that stood as number ``position`` in a file and elsewhere here.

    It is the id of no memory, since that place is another's.
    """
    return f"import-{date}-{position}-{scope.digest}"


def source_tombstone(key: str) -> str:
    """The tombstone of a message of another program's export, by its key in ``Turn.sources``."""
    return f"{SOURCE}{key}"


def parse_memory_id(identifier: str) -> MemoryId | None:
    """Parse a memory id; None where the text is none."""
    found = _FORM.fullmatch(identifier)
    if found is None:
        return None
    kind, date, position, digest = found.groups()
    return MemoryId(kind, date, int(position), digest)
