"""Mend a damaged memory in its rows, and say what was saved."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from siliconfriend.errors import DamagedMemory, UnknownPerson
from siliconfriend.memory.postgres.damaged_rows import TABLE, set_aside
from siliconfriend.memory.postgres.recovery import Rebuilt, rebuild
from siliconfriend.memory.postgres.scope_rows import ScopeRows, State, new_segment
from siliconfriend.memory.postgres.snapshots import Snapshot, rest_of
from siliconfriend.memory.store import Repair
from siliconfriend.texts import Language, text

_LOG = logging.getLogger(__name__)


def recover(rows: ScopeRows, language: Language) -> None:
    """Mend a memory of which nothing is lost; call it under its lock.

    Raises:
        DamagedMemory: some of it is, or all; every row stays as it is.
    """
    state, found = _examined(rows)
    done = _summarized(found)
    name, places = rows.scope.person, ", ".join(done.files)
    if done.lost:
        key = "memory_partly_lost" if done.turns else "memory_partly_lost_empty"
        details = {"lost": done.lost, "turns": done.turns, "until": done.until}
        raise DamagedMemory(key, name=name, files=places, **details)
    _put_in_place(rows, state, found)
    _LOG.warning(text("errors", "memory_rebuilt", language, name=name, files=places, path=TABLE))


def repair(rows: ScopeRows) -> Repair | None:
    """Put in place what is left of a memory; None where nothing is damaged. Call it under its lock.

    Raises:
        UnknownPerson: nothing is remembered of them.
        DamagedMemory: there is nothing to build on, and every row stays as it is.
    """
    state, found = _examined(rows)
    if not found.damaged and not found.lost:
        return None
    _put_in_place(rows, state, found)
    kept = (Path(TABLE),) if found.damaged else ()
    return replace(_summarized(found), kept=kept)


def _examined(rows: ScopeRows) -> tuple[State, Rebuilt]:
    there = rows.state_and_lines(0)
    if there is None:
        raise UnknownPerson("unknown_person", name=rows.scope.person)
    found = rebuild(rows, there[0])
    if found.memory is None:
        raise DamagedMemory("memory_rows_lost", name=rows.scope.person)
    return there[0], found


def _put_in_place(rows: ScopeRows, state: State, found: Rebuilt) -> None:
    """Write all of the memory as a generation of its own, and the log from it on."""
    assert found.memory is not None
    before = rows.marks()
    memory = found.memory
    snapshot = Snapshot(memory, state, {}, None)
    rest = replace(rest_of(snapshot, rows.scope), gone=before.keys() - memory.days.keys())
    rows.rewrite(state, rest, new_segment())
    set_aside(rows, found.damaged)


def _summarized(found: Rebuilt) -> Repair:
    assert found.memory is not None
    days = [turn.date for turn in found.memory.turns()]
    return Repair(
        lost=found.lost,
        is_doubtful=False,
        turns=len(days),
        until=max(days, default=""),
        files=tuple(sorted(found.damaged)) or ("change",),
        kept=(),
    )
