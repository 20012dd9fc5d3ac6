"""A move that is killed with signal 9 at any moment, while somebody talks to everybody who moves.

The suite kills a few (``tests/memory/moving/test_killed.py``), ``tests.long.moves`` hundreds.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

from siliconfriend.errors import MemoryElsewhere
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.moving.fingerprint import differences
from siliconfriend.memory.moving.movable import MovableStore
from siliconfriend.memory.moving.mover import Mover, Step
from siliconfriend.memory.scope import Scope
from tests.memory.people import a_profile
from tests.memory.stored import put, say

PEOPLE = tuple(map(Scope.of, ("Nora", "Otto", "Wren")))
FOLD_AT = 3000
"""Bytes, so that folding is met too."""


def open_place(address: str) -> MovableStore:
    """A store in a folder or in a database."""
    if not address.startswith("postgresql://"):
        return FileStore(Path(address), fold_at=FOLD_AT)
    from siliconfriend.memory.postgres.database import Database
    from siliconfriend.memory.postgres.postgres_store import PostgresStore

    return PostgresStore(Database(address, most=4), fold_at=FOLD_AT)


def begin(address: str, turns: int) -> None:
    """Everybody with something to move."""
    store = open_place(address)
    for scope in PEOPLE:
        store.create(scope, a_profile(scope))
        for number in range(turns):
            say(store, f"{scope.person} before {number}", scope)


def move(source: str, target: str, log: Path) -> None:
    """Move everybody, and note each step before it."""
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(step: Step, scope: Scope, _done: int, _total: int) -> None:
        os.write(descriptor, f"{step}:{scope.person}\n".encode())

    stores = (open_place(source), open_place(target), open_place(target))
    names = {"source_name": source, "target_name": target}
    outcomes = Mover(*stores, **names, progress=note).move(PEOPLE)
    assert [it.error for it in outcomes] == [None] * len(PEOPLE), outcomes


def talk(address: str, log: Path, name: str) -> None:
    """Say something to one after the other until everybody has moved; note what is acknowledged.

    Now and then something is erased, which is noted too.
    """
    store, descriptor = open_place(address), os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    here, number = list(PEOPLE), 0
    while here:
        for scope in list(here):
            number += 1
            try:
                said = f"{scope.person} {name} {number}"
                memory = say(store, said, scope)
                os.write(descriptor, f"+{said}\n".encode())
                if number % 11 == 0:
                    gone = next(memory.turns())
                    put(store, scope, Erase((gone.id,)))
                    os.write(descriptor, f"-{gone.query}\n".encode())
            except MemoryElsewhere:
                here.remove(scope)


def kill_moves(
    source: str, target: str, folder: Path, chance: random.Random, *, kills: int
) -> Counter[str]:
    """Move everybody with kills in between; in the middle of what the kills came.

    Raises:
        AssertionError: something acknowledged is gone, something erased is back, or a memory is
            open in both places or in none.
    """
    folder.mkdir()
    met: Counter[str] = Counter()
    said, steps = folder / "said", folder / "steps"
    talker = _start(talk, source, said, folder.name)
    _wait_for(talker, said, 2)
    for _ in range(kills):
        steps.unlink(missing_ok=True)
        mover = _start(move, source, target, steps)
        _wait_for(mover, steps, chance.randint(1, 2 * len(PEOPLE)))
        mover.join(chance.random() * 0.03)
        if mover.exitcode is None and mover.pid is not None:
            os.kill(mover.pid, signal.SIGKILL)
        mover.join()
        assert mover.exitcode in (0, -signal.SIGKILL), mover.exitcode
        last = steps.read_text("utf-8").splitlines()[-1].partition(":")[0]
        met[last if mover.exitcode else "moved before the kill"] += 1
    mover = _start(move, source, target, steps)
    mover.join(60)
    assert mover.exitcode == 0
    talker.join(60)
    assert talker.exitcode == 0
    _compare(source, target, said)
    return met


def _compare(source: str, target: str, said: Path) -> None:
    old, new = open_place(source), open_place(target)
    lines = said.read_text("utf-8").splitlines()
    erased = {line[1:] for line in lines if line.startswith("-")}
    acknowledged = {line[1:] for line in lines if line.startswith("+")} - erased
    found: list[str] = []
    for scope in PEOPLE:
        notes = (old.move_note(scope), new.move_note(scope))
        assert [it.standing if it else None for it in notes] == ["moved", "open"], scope
        memory = new.load(scope)
        assert differences(old.load(scope), memory) == []
        found += [turn.query for turn in memory.turns()]
    assert acknowledged <= set(found), acknowledged - set(found)
    assert not erased & set(found), erased & set(found)
    assert len(found) == len(set(found)), "something is there twice"


def _start(work: Callable[..., None], *arguments: object) -> BaseProcess:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["tests.moving_killed", "siliconfriend.memory.postgres.postgres_store"]
    )
    process = context.Process(target=work, args=arguments)
    process.start()
    return process


def _wait_for(process: BaseProcess, log: Path, lines: int) -> None:
    while process.is_alive() and (not log.exists() or log.read_bytes().count(b"\n") < lines):
        time.sleep(0.001)
