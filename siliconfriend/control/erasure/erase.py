"""Erase: a person's act that reaches everything, and proves it.

A turn does not live in one place. Its words are in replies that quoted it, in the
summary of its day, in the portraits made of summaries, in the index, the journal, the
backups and exports that lie in the data directory. All of them go in one act; the texts
are made again by the next night from what is left. A night that is running finds the
inputs of its answer changed and drops it, and the ids stay behind as tombstones so that
nothing brings the turn back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from siliconfriend.control.actions import find_memories
from siliconfriend.control.dependents import (
    DerivedText,
    dependents_of,
    derived_texts,
    follow_up_changes,
)
from siliconfriend.control.erasure.backups import clean_backups
from siliconfriend.control.erasure.exports import clean_exports
from siliconfriend.control.erasure.quotations import (
    Quotations,
    find_quotations,
    remove_shared_quotations,
    without_quotes,
)
from siliconfriend.control.erasure.verification import ErasedWords, verify_erased
from siliconfriend.memory.changes import Change, Erase, PutTurn
from siliconfriend.memory.identity import file_place_id
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.index_cache import remove_unfinished


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasing did.

    Attributes:
        erased: ids of what is gone, with the turns that only asked about it.
        derived: ids of everything else that was touched: derived texts that went with it,
            and what ``unquoted`` and ``rebuilt`` name.
        unquoted: ids of turns that stay and whose reply was taken out.
        rebuilt: ids of topics that stay, made again at once from the turns they keep.
        searched: how many files were searched afterwards.
        left: in how many of them something was still found; 0 is the proof.
        places: the names of those files.
    """

    erased: tuple[str, ...]
    derived: tuple[str, ...]
    searched: int
    left: int
    places: tuple[str, ...]
    unquoted: tuple[str, ...] = ()
    rebuilt: tuple[str, ...] = ()

    @property
    def removed(self) -> tuple[str, ...]:
        """Ids of the derived texts that went; the night makes them again from what is left."""
        stay = {*self.unquoted, *self.rebuilt}
        return tuple(it for it in self.derived if it not in stay)


def erase(
    store: MemoryStore,
    scope: Scope,
    ids: Collection[str],
    *,
    home: Path | None,
    rewrite_index: Callable[[Scope], object],
) -> Erasure:
    """Erase memories and all that was made from them, then search for what is left.

    Args:
        store: where they are.
        scope: whose they are.
        ids: of any kind; day summaries only go until they are made again.
        home: the data directory that is searched afterwards; None where there are no files.
        rewrite_index: writes the scope's search index anew from the memory.

    Raises:
        UsageError: one of the ids is not there; nothing is erased then.
    """
    with store.edit(scope) as edit:
        plan = _plan(edit.memory, scope, ids)
        edit.add(*plan.changes)
    store.rewrite(scope)
    rewrite_index(scope)
    if (folder := store.folder(scope)) is not None:
        remove_unfinished(folder)
    shared = remove_shared_quotations(store, scope, plan.gone, rewrite_index)
    plan = replace(plan, derived=(*plan.derived, *shared.touched))
    done = Erasure(
        plan.erased,
        plan.derived,
        *(0, 0, ()),
        unquoted=(*plan.unquoted, *shared.unquoted),
        rebuilt=(*plan.rebuilt, *shared.rebuilt),
    )
    gone = ErasedWords(plan.words, all_texts(edit.memory_after))
    if home is None:
        return done
    exports = clean_exports(plan.turns, gone, scope, home)
    theirs = exports.clean | clean_backups(plan.turns, gone, scope, home)
    proof = verify_erased(gone, home, folder, theirs)
    return replace(done, searched=proof.searched, left=len(proof.found_in), places=proof.found_in)


@dataclass(frozen=True, slots=True)
class _Plan:
    turns: tuple[Turn, ...]
    gone: tuple[str, ...]
    erased: tuple[str, ...]
    derived: tuple[str, ...]
    unquoted: tuple[str, ...]
    rebuilt: tuple[str, ...]
    words: tuple[str, ...]
    changes: tuple[Change, ...]


def _plan(memory: PersonMemory, scope: Scope, ids: Collection[str]) -> _Plan:
    records = find_memories(memory, ids)
    turns = {record.id: record for record in records if isinstance(record, Turn)}
    others = [record for record in records if not isinstance(record, Turn)]
    quotes, derived = _reach(memory, scope, turns, others)
    turns |= {turn.id: turn for turn in quotes.asking}
    left = [it for it in derived if it.id not in ids]
    unquoted = [
        without_quotes(turn, {*turns, *(it.id for it in derived)}) for turn in quotes.quoting
    ]
    words = [part for turn in turns.values() for part in (turn.query, turn.response)]
    words += [f"{turn.query}\n{turn.response}" for turn in turns.values()]
    words += [turn.response for turn in quotes.quoting] + [it.text for it in derived]
    return _Plan(
        turns=tuple(turns.values()),
        gone=(*turns, *(record.id for record in others), *(it.id for it in derived)),
        erased=tuple(dict.fromkeys((*ids, *turns))),
        derived=(*(turn.id for turn in quotes.quoting), *(it.id for it in left)),
        unquoted=tuple(turn.id for turn in quotes.quoting),
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


def _reach(
    memory: PersonMemory, scope: Scope, turns: dict[str, Turn], others: Collection[Memory]
) -> tuple[Quotations, list[DerivedText]]:
    """Everything that took words over, step by step until nothing more is found."""
    gone = {*turns, *(record.id for record in others)}
    while True:
        derived = dependents_of(memory, scope, gone)
        quotes = find_quotations(memory, turns.values(), [it.id for it in derived])
        reached = {*gone, *(it.id for it in (*quotes.asking, *quotes.quoting))}
        if reached == gone:
            stay = {turn.id: turn for turn in quotes.quoting}
            return quotes, dependents_of(memory, scope, gone, reworded=stay)
        gone = reached


def all_texts(memory: PersonMemory) -> Iterator[str]:
    """Every text of a memory as files and indexes hold it."""
    for turn in memory.turns():
        yield from (turn.query, turn.response, f"{turn.query}\n{turn.response}")
    for derived in derived_texts(memory):
        yield derived.text
    profile = memory.profile
    yield json.dumps([profile.meta_information, profile.extra], ensure_ascii=False)
