"""Plan an erasure: the turns, later turns that only ask about them, and every text derived from them.

It is a pure function of the memory, so it can be asked for before anything is touched and
again when it is carried out.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from siliconfriend.control.dependents import (
    DerivedText,
    dependents_of,
    derived_texts,
    follow_up_changes,
)
from siliconfriend.control.edit import find_memories
from siliconfriend.control.erasure.quotations import find_quotations, without_quotes
from siliconfriend.memory.changes import Change, Erase, PutTurn
from siliconfriend.memory.identity import file_place_id, source_tombstone
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """The changes of an erasure, and what they touch.

    Attributes:
        gone: ids of all that goes or is made again.
        erased: the ids that were asked for, and those of the turns that go.
        unquoted: ids of turns that stay and lose their reply.
        rebuilt: ids of topics that stay, made again from the turns they keep.
        words: every text that must be nowhere any more.
    """

    gone: tuple[str, ...]
    erased: tuple[str, ...]
    derived: tuple[str, ...]
    unquoted: tuple[str, ...]
    rebuilt: tuple[str, ...]
    words: tuple[str, ...]
    changes: tuple[Change, ...]


def plan_erasure(memory: PersonMemory, scope: Scope, ids: Collection[str]) -> ErasurePlan:
    """Plan what erasing these ids takes away (UsageError: one of them is not there)."""
    records = find_memories(memory, ids)
    turns = {record.id: record for record in records if isinstance(record, Turn)}
    others = [record for record in records if not isinstance(record, Turn)]
    asking, quoting, derived = _reach(memory, scope, turns, others)
    turns |= {turn.id: turn for turn in asking}
    left = [it for it in derived if it.id not in ids]
    unquoted = [without_quotes(turn, {*turns, *(it.id for it in derived)}) for turn in quoting]
    words = [part for turn in turns.values() for part in texts_of(turn)]
    words += [turn.response for turn in quoting] + [it.text for it in derived]
    return ErasurePlan(
        gone=(*turns, *(record.id for record in others), *(it.id for it in derived)),
        erased=tuple(dict.fromkeys((*ids, *turns))),
        derived=(*(turn.id for turn in quoting), *(it.id for it in left)),
        unquoted=tuple(turn.id for turn in quoting),
        rebuilt=tuple(it.id for it in left if it.stays),
        words=tuple(words),
        changes=(
            *([Erase((*turns, *_file_places(turns.values(), scope)))] if turns else ()),
            *(PutTurn(turn) for turn in unquoted),
            *(it.removal for it in derived),
            *follow_up_changes(memory, derived, erased=ids),
        ),
    )


def _file_places(turns: Iterable[Turn], scope: Scope) -> Iterator[str]:
    """Tombstones by which a file is known to bring an erased turn once more."""
    for turn in turns:
        if turn.brought_from is not None:
            yield file_place_id(scope, turn.date, turn.brought_from)
        yield from map(source_tombstone, turn.sources)


def _reach(
    memory: PersonMemory, scope: Scope, turns: dict[str, Turn], others: Collection[Memory]
) -> tuple[list[Turn], list[Turn], list[DerivedText]]:
    """Everything that took words over, step by step until nothing more is found."""
    gone = {*turns, *(record.id for record in others)}
    while True:
        derived = dependents_of(memory, scope, gone)
        asking, quoting = find_quotations(memory, turns.values(), [it.id for it in derived])
        reached = {*gone, *(turn.id for turn in (*asking, *quoting))}
        if reached == gone:
            stay = {turn.id: turn for turn in quoting}
            return asking, quoting, dependents_of(memory, scope, gone, reworded=stay)
        gone = reached


def texts_of(turn: Turn) -> tuple[str, ...]:
    """Return the texts of a turn as files and indexes hold them."""
    return turn.query, turn.response, f"{turn.query}\n{turn.response}"


def all_texts(memory: PersonMemory) -> Iterator[str]:
    """Yield every text of a memory; what was said and its reply are one."""
    for turn in memory.turns():
        yield f"{turn.query}\n{turn.response}"
    for derived in derived_texts(memory):
        yield derived.text
    profile = memory.profile
    yield json.dumps([profile.meta_information, profile.extra], ensure_ascii=False)
