"""Plan an erasure: the turns, later turns that only ask about them, and every text derived from them.

It is a pure function of the memory, so it can be asked for before anything is touched and
again when it is carried out.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from siliconfriend.control.dependents import dependents_of, derived_texts, follow_up_changes
from siliconfriend.control.edit import find_memories
from siliconfriend.control.erasure.quotations import find_quotations, without_quotes
from siliconfriend.memory.changes import Change, Erase, PutTurn
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope, file_place_id, source_tombstone


class ErasurePlan(NamedTuple):
    """The changes of an erasure, and what they touch.

    Attributes:
        gone: ids of everything that is removed, or removed and made again.
        erased: the ids that were asked for, and those of the turns that go.
        derived: ids of all else that is touched, what ``unquoted`` and ``rebuilt`` name too.
        unquoted: ids of turns that stay and lose their reply.
        rebuilt: ids of topics that stay, made again from the turns they keep.
        words: every text that no file may hold afterwards.
    """

    gone: tuple[str, ...]
    erased: tuple[str, ...]
    derived: tuple[str, ...]
    unquoted: tuple[str, ...]
    rebuilt: tuple[str, ...]
    words: tuple[str, ...]
    changes: tuple[Change, ...]


def plan_erasure(
    memory: PersonMemory, scope: Scope, ids: Collection[str], *, quoted: Collection[str] = ()
) -> ErasurePlan:
    """Plan what erasing these ids takes away (UsageError: one of them is not there).

    ``quoted``: ids erased from another companion's memory, which replies here may quote.
    """
    records = find_memories(memory, ids)
    turns = {record.id: record for record in records if isinstance(record, Turn)}
    chosen = {record.id for record in records}
    reached = set(chosen)
    while True:  # until nothing more is found that took words over
        derived = dependents_of(memory, reached)
        taken = [*quoted, *(it.id for it in derived)]
        asking, quoting = find_quotations(memory, turns.values(), taken)
        further = {turn.id for turn in (*asking, *quoting)} - reached
        if not further:
            break
        reached |= further
    stay = [turn.id for turn in quoting]
    derived = dependents_of(memory, reached, quoting)
    turns |= {turn.id: turn for turn in asking}
    left = [it for it in derived if it.id not in chosen]
    gone = dict.fromkeys((*turns, *chosen, *(it.id for it in derived)))
    unquoted = [without_quotes(turn, {*gone, *quoted}) for turn in quoting]
    words = [part for it in turns.values() for part in (it.query, it.response, it.text)]
    words += [turn.response for turn in quoting] + [it.text for it in derived]
    return ErasurePlan(
        gone=tuple(gone),
        erased=tuple(dict.fromkeys((*ids, *turns))),
        derived=(*stay, *(it.id for it in left)),
        unquoted=tuple(stay),
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
    """Return tombstones by which an import recognises an erased turn."""
    for turn in turns:
        if turn.brought_from is not None:
            yield file_place_id(scope, turn.date, turn.brought_from)
        yield from map(source_tombstone, turn.sources)


def all_texts(memory: PersonMemory) -> Iterator[str]:
    """Yield every text of a memory; what was said and its reply are one."""
    for turn in memory.turns():
        yield turn.text
    for derived in derived_texts(memory):
        yield derived.text
    profile = memory.profile
    yield json.dumps([profile.meta_information, profile.extra], ensure_ascii=False)
