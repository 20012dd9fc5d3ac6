"""Recover a memory when one of its files cannot be read.

A damaged file is never read as an empty one. Every readable ``memory.json`` and every
readable journal line is gathered, the newest file is taken and the lines go on from it by
their numbers. Where that gives all there was, the memory is put in place at once. Where a
number is missing, nothing is touched until somebody asks for a repair, since a backup may
still bring it back. What could not be read is kept as it was under ``damaged/``.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory import codec, encrypted, lines, mark
from siliconfriend.memory.changes import PutProfile, apply_all
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.journal import Head
from siliconfriend.memory.lines import Line
from siliconfriend.memory.memory_file import MemoryFile, parse_memory
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.store import Repair
from siliconfriend.texts import Language, text

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Found:
    """What can still be read.

    Attributes:
        base: the newest readable memory file.
        doubtful: the newest that can be read, but is not what was written.
        generation: the highest that anything names.
        reached: the highest number of a change that anything names.
        continues: the last change in ``memory.json`` as its journal names it; None where
            that cannot be read.
        has_journal: something of the journal in use can be read.
        is_end_lost: nothing of it can, and nothing tells how far it went.
        lines: readable lines by number.
        unreadable: names and bytes of the files that are damaged.
        lacking: names of files that are gone or lack their end.
    """

    base: MemoryFile | None = None
    doubtful: MemoryFile | None = None
    generation: int = 0
    reached: int = 0
    continues: int | None = None
    has_journal: bool = False
    is_end_lost: bool = False
    lines: dict[int, Line] = field(default_factory=dict)
    unreadable: list[tuple[str, bytes]] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Rebuilt:
    """The memory put together again: how many changes it lacks, and whether its file is doubtful."""

    memory: PersonMemory
    lost: int
    is_doubtful: bool = False


def recover(folder: Folder, language: Language) -> None:
    """Put the memory in place where nothing of it is lost; call it under the lock.

    Raises:
        DamagedMemory: some of it is lost, or all; every file stays as it is.
    """
    found, rebuilt = _examine(folder)
    summary = _summarize(found, rebuilt)
    if not summary.is_whole:
        raise _error(folder, summary)
    kept = _put_in_place(folder, found, rebuilt.memory)
    values = {
        "name": folder.scope.person,
        "files": ", ".join(summary.files),
        "path": folder.damaged,
    }
    key = "memory_rebuilt" if kept else "memory_rebuilt_missing"
    _LOG.warning(text("errors", key, language, **values))


def repair(folder: Folder) -> Repair:
    """Put in place what is left of the memory; call it under the lock.

    Raises:
        DamagedMemory: ``memory_lost``: there is nothing to build on, and every file stays
            as it is.
    """
    found, rebuilt = _examine(folder)
    kept = _put_in_place(folder, found, rebuilt.memory)
    return replace(_summarize(found, rebuilt), kept=kept)


def _examine(folder: Folder) -> tuple[_Found, _Rebuilt]:
    found = _Found()
    _gather_files(folder, found)
    _gather_lines(folder, found)
    _look_for_the_end(folder, found)
    rebuilt = _rebuilt(found)
    if rebuilt is None:
        raise DamagedMemory("memory_lost", name=folder.scope.person, path=folder.path)
    return found, rebuilt


def _summarize(found: _Found, rebuilt: _Rebuilt) -> Repair:
    days = [turn.date for turn in rebuilt.memory.turns()]
    return Repair(
        lost=None if found.is_end_lost else rebuilt.lost,
        is_doubtful=rebuilt.is_doubtful,
        turns=len(days),
        until=max(days, default=""),
        files=(*(name for name, _ in found.unreadable), *found.lacking),
        kept=(),
    )


def _error(folder: Folder, summary: Repair) -> DamagedMemory:
    key = "memory_partly_lost" if summary.lost else "memory_doubtful"
    key = key if summary.lost is not None else "memory_end_lost"
    return DamagedMemory(
        key if summary.turns else f"{key}_empty",
        name=folder.scope.person,
        lost=summary.lost,
        files=", ".join(summary.files),
        turns=summary.turns,
        until=summary.until,
    )


def _put_in_place(folder: Folder, found: _Found, memory: PersonMemory) -> tuple[Path, ...]:
    """Write the memory; gives the damaged files, which are kept first."""
    kept = tuple(folder.set_aside(file, data) for file, data in found.unreadable)
    folder.keep_journal(found.generation)
    folder.write_memory(memory, found.generation + 1)
    folder.begin_journal(memory, found.generation + 1)
    return kept


def _gather_files(folder: Folder, found: _Found) -> None:
    current = [folder.memory] if folder.memory.exists() else []
    if not current:
        found.lacking.append(folder.memory.name)
    for path in (*current, *folder.backups().values()):
        data = path.read_bytes()
        try:
            file = folder.parse(data)
        except Unreadable:
            found.unreadable.append((path.name, data))
            found.doubtful = found.doubtful or _as_it_is(folder, data)
            continue
        folder.owned(file)
        found.generation = max(found.generation, file.generation)
        found.reached = max(found.reached, file.memory.sequence)
        if found.base is None or file.memory.sequence > found.base.memory.sequence:
            found.base = file
    found.generation = max(found.generation, *folder.backups(), 0)


def _as_it_is(folder: Folder, data: bytes) -> MemoryFile | None:
    """A file that is not what was written, where it still is a whole memory of this person."""
    try:
        plain = encrypted.unwrap(data, folder.cipher)
        return folder.owned(parse_memory(codec.from_json(plain)))
    except (Unreadable, DamagedMemory):
        return None


def _gather_lines(folder: Folder, found: _Found) -> None:
    for path in folder.segments():
        data = path.read_bytes()
        update: list[Line] = []
        bad, bad_at_end, parts = 0, 0, data.splitlines(keepends=True)
        found.continues = None
        for number, part in enumerate(parts):
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
        found.has_journal = path == folder.journal and bad < len(parts)
        # Damaged lines among others leave a gap in the numbers; those at the end do not.
        found.reached = max(found.reached, *found.lines, 0) + bad_at_end


def _read(folder: Folder, part: bytes, found: _Found, *, is_first: bool) -> Iterator[Line]:
    if not is_first:
        yield from lines.decode(part, folder.cipher)
        return
    head = Head.decode(part)
    folder.check_owner(head.person, head.companion)
    found.generation = max(found.generation, head.generation)
    found.reached = max(found.reached, head.after)
    found.continues = head.after


def _look_for_the_end(folder: Folder, found: _Found) -> None:
    """Find out from the mark of what was told durable whether the journal lacks its end."""
    reached, name = mark.read(folder.mark), folder.journal.name
    here = max(found.reached, *found.lines, 0)
    if (not found.has_journal or (reached or 0) > here) and name not in dict(found.unreadable):
        found.lacking.append(name)
    found.is_end_lost = reached is None and not found.has_journal
    found.reached = max(found.reached, reached or 0)


def _rebuilt(found: _Found) -> _Rebuilt | None:
    """What can be put together; None where there is no beginning."""
    first = found.lines.get(1)
    if found.base is not None:
        return _gone_on(found.base.memory, found)
    if first is not None and isinstance(first.change, PutProfile):
        whole = _gone_on(PersonMemory(first.change.profile), found)
        if whole.lost == 0 or found.doubtful is None:
            return whole
    doubtful = found.doubtful
    if doubtful is None or found.continues not in (None, doubtful.memory.sequence):
        return None  # whatever changed in it, it does not know itself how far it goes
    return replace(_gone_on(doubtful.memory, found), is_doubtful=True)


def _gone_on(memory: PersonMemory, found: _Found) -> _Rebuilt:
    """The memory with the lines behind it, and how many of them are missing."""
    numbers = [number for number in sorted(found.lines) if number > memory.sequence]
    lost = found.reached - memory.sequence - len(numbers)
    changed = apply_all(memory, (found.lines[number].change for number in numbers))
    return _Rebuilt(replace(changed, sequence=found.reached), lost)
