"""Erase: a person's act that reaches everything, and proves it.

A turn does not live in one place. Its words are in replies that quoted it, in the
summary of its day, in the portraits made of summaries, in the index, the journal and the
backups. All of them go in one act; the texts are made again by the next night from what
is left. A night that is running finds the inputs of its answer changed and drops it, and
the ids stay behind as tombstones so that nothing brings the turn back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from siliconfriend.control.actions import found
from siliconfriend.control.derived import resting_on
from siliconfriend.control.traces_left import Proof, distinctive_words, search
from siliconfriend.memory.changes import Change, Erase, PutSummary, PutTurn
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasing did.

    Attributes:
        erased: ids of the turns that are gone, with those that only asked about them.
        derived: ids of what was removed with them and is made again at night, and of
            replies whose words were taken out.
        searched: how many places were searched afterwards.
        left: in how many of them something was still found; 0 is the proof.
        places: the names of those places.
    """

    erased: tuple[str, ...]
    derived: tuple[str, ...]
    searched: int
    left: int
    places: tuple[str, ...]


def erase(
    store: MemoryStore,
    scope: Scope,
    ids: Collection[str],
    *,
    home: Path,
    rewrite_index: Callable[[Scope], object],
) -> Erasure:
    """Erase memories and all that was made from them, then search for what is left.

    Args:
        store: where they are.
        scope: whose they are.
        ids: turns, or day summaries (which only go until they are made again).
        home: the data directory that is searched afterwards.
        rewrite_index: writes the scope's search index anew from the memory.

    Raises:
        UsageError: one of the ids is not there; nothing is erased then.
    """
    plan: list[_Plan] = []

    def decide(memory: PersonMemory) -> Iterator[Change]:
        plan[:] = [_plan(memory, scope, ids)]
        yield from plan[0].changes

    left_over = store.update(scope, decide)
    store.rewrite(scope)
    rewrite_index(scope)
    (done,) = plan
    proof = _prove(done.words, left_over, home)
    return Erasure(done.erased, done.derived, proof.searched, len(proof.found_in), proof.found_in)


@dataclass(frozen=True, slots=True)
class _Plan:
    erased: tuple[str, ...]
    derived: tuple[str, ...]
    words: tuple[str, ...]
    changes: tuple[Change, ...]


def _plan(memory: PersonMemory, scope: Scope, ids: Collection[str]) -> _Plan:
    records = found(memory, ids)
    turns = {record.id: record for record in records if isinstance(record, Turn)}
    rare = distinctive_words(turns.values(), memory)
    quoting: list[Turn] = []
    for turn in memory.turns():
        if turn.id in turns or turns.keys().isdisjoint(used.id for used in turn.used):
            continue
        if turn.index_text == "" or any(word in turn.query.casefold() for word in rare):
            turns[turn.id] = turn
        else:
            quoting.append(turn)
    unquoted = [_without_quotes(turn, turns.keys()) for turn in quoting]
    gone = {*turns, *(turn.id for turn in quoting), *ids}
    derived = [it for it in resting_on(memory, scope, gone) if it.id not in turns]
    changes: list[Change] = [Erase(tuple(turns))] if turns else []
    changes += [PutTurn(turn) for turn in unquoted]
    changes += [it.removal for it in derived]
    changes += [PutSummary(it.date, None) for it in records if not isinstance(it, Turn)]
    words = [part for turn in turns.values() for part in (turn.query, turn.response)]
    words += [turn.response for turn in quoting] + [it.text for it in derived]
    words += [it.text for it in records if not isinstance(it, Turn)]
    return _Plan(
        erased=tuple(dict.fromkeys((*turns, *ids))),
        derived=tuple(dict.fromkeys((*(turn.id for turn in quoting), *(it.id for it in derived)))),
        words=tuple(words),
        changes=tuple(changes),
    )


def _without_quotes(turn: Turn, gone: Collection[str]) -> Turn:
    """The turn without its reply, which may hold words of what is erased."""
    used = tuple(it for it in turn.used if it.id not in gone)
    return replace(turn, response="", used=used, index_text=turn.query, interrupted=True)


def _prove(words: Collection[str], memory: PersonMemory, home: Path) -> Proof:
    kept = [part for turn in memory.turns() for part in (turn.query, turn.response)]
    return search(words, kept, home)
