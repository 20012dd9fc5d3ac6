"""Recover a memory when one of its files cannot be read.

A damaged file is never read as an empty one. Every readable ``memory.json`` and every
readable journal line is gathered, the newest file is taken and the lines go on from it by
their numbers; a number that is missing is a change that is lost, and that is said. What
could not be read is kept as it was under ``damaged/``.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory import codec, lines
from siliconfriend.memory.changes import PutProfile, apply_all
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.journal import Head
from siliconfriend.memory.lines import Line
from siliconfriend.memory.memory_file import MemoryFile, parse_memory
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language, text

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Found:
    """What can still be read.

    Attributes:
        base: the newest readable memory file.
        generation: the highest that anything names.
        reached: the highest number of a change that anything names.
        lines: readable lines by number.
        unreadable: names and bytes of the files that are damaged.
    """

    base: MemoryFile | None = None
    generation: int = 0
    reached: int = 0
    lines: dict[int, Line] = field(default_factory=dict)
    unreadable: list[tuple[str, bytes]] = field(default_factory=list)


def recover(folder: Folder, language: Language) -> None:
    """Repair the scope's files so that they can be read; call it under the lock.

    Raises:
        DamagedMemory: ``memory_lost`` where there is nothing to build on (every file stays
            as it is), ``memory_partly_lost`` where some changes are gone: what remains is
            in place by then, and the next load reads it.
    """
    found = _Found()
    _gather_files(folder, found)
    _gather_lines(folder, found)
    rebuilt = _rebuilt(found)
    name = folder.scope.person
    if rebuilt is None:
        raise DamagedMemory("memory_lost", name=name, path=folder.path)
    memory, lost = rebuilt
    for file, data in found.unreadable:
        folder.set_aside(file, data)
    folder.keep_journal(found.generation)
    folder.write_memory(memory, found.generation + 1)
    folder.begin_journal(memory, found.generation + 1)
    if lost:
        raise DamagedMemory("memory_partly_lost", name=name, lost=lost, path=folder.damaged)
    _LOG.warning(text("errors", "memory_rebuilt", language, name=name, path=folder.damaged))


def _gather_files(folder: Folder, found: _Found) -> None:
    current = [folder.memory] if folder.memory.exists() else []
    for path in (*current, *folder.backups().values()):
        data = path.read_bytes()
        try:
            file = parse_memory(codec.from_json(data))
        except Unreadable:
            found.unreadable.append((path.name, data))
            continue
        folder.owned(file)
        found.generation = max(found.generation, file.generation)
        found.reached = max(found.reached, file.memory.sequence)
        if found.base is None or file.memory.sequence > found.base.memory.sequence:
            found.base = file
    found.generation = max(found.generation, *folder.backups(), 0)


def _gather_lines(folder: Folder, found: _Found) -> None:
    for path in folder.segments():
        data = path.read_bytes()
        update: list[Line] = []
        bad, bad_at_end = 0, 0
        for number, part in enumerate(data.splitlines(keepends=True)):
            try:
                update += _read(folder, part, found, is_first=number == 0)
            except Unreadable:
                bad += 1
                bad_at_end += part.endswith(b"\n")
                continue
            bad_at_end = 0
            if update and not update[-1].more:
                found.lines |= {line.sequence: line for line in update}
                update = []
        if bad:
            found.unreadable.append((path.name, data))
        # Damaged lines among others leave a gap in the numbers; those at the end do not.
        found.reached = max(found.reached, *found.lines, 0) + bad_at_end


def _read(folder: Folder, part: bytes, found: _Found, *, is_first: bool) -> Iterator[Line]:
    if not is_first:
        yield from lines.decode(part)
        return
    head = Head.decode(part)
    folder.check_owner(head.person, head.companion)
    found.generation = max(found.generation, head.generation)
    found.reached = max(found.reached, head.after)


def _rebuilt(found: _Found) -> tuple[PersonMemory, int] | None:
    """The memory and how many changes are missing from it; None where there is no beginning."""
    sequence = found.base.memory.sequence if found.base else 0
    fresh = [found.lines[number] for number in sorted(found.lines) if number > sequence]
    if found.base is not None:
        memory = found.base.memory
    else:
        first = fresh[0].change if fresh and fresh[0].sequence == 1 else None
        if not isinstance(first, PutProfile):
            return None
        memory = PersonMemory(first.profile)
    lost = found.reached - sequence - len(fresh)
    memory = apply_all(memory, (line.change for line in fresh))
    return replace(memory, sequence=found.reached), lost
