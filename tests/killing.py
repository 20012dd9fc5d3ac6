"""A process that does everything there is to do to a data directory, to be killed at any moment.

It writes down what it begins and what it was told to be done; whoever killed it compares that
with what the files hold. The suite kills a few (``test_killing.py``), ``tests.long.kills`` 500.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.backup import back_up, restore
from siliconfriend.memory.encryption import KEYRING, new_key, rewrapped
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.scope import Scope
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, WordEmbedder
from tests.control.world import NORA, World
from tests.crash_scenarios import settings_of
from tests.encryption_scenarios import cheap_keys

WREN = Scope.of("Wren")
MADE = datetime(2026, 3, 4, tzinfo=UTC)
OPERATIONS = (
    *("say", "say", "say", "say", "tidy", "tidy", "index", "night", "import", "erase", "delete"),
    *("backup", "restore", "export", "encrypt"),
)
PASSPHRASE = "correct horse"


@dataclass
class Worker:
    """Does one thing after the other, and notes each before and after.

    Args:
        home: the data directory.
        log: where to note; beside it lie the backups.
        seed: what it does, in which order.
    """

    home: Path
    log: Path
    seed: int
    chance: random.Random = field(init=False)
    world: World = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.descriptor = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        KEYRING.offer(PASSPHRASE)
        store = FileStore(self.home)
        self.world = World(store, settings_of(self.home))
        self.runtime = Runtime(
            self.world.settings, MovingClock(), store=store, embedder=WordEmbedder()
        )

    def work(self) -> None:
        """Go on until somebody ends it."""
        number = 0
        while True:
            number += 1
            operation = self.chance.choice(OPERATIONS)
            getattr(self, f"_{operation}")(f"{self.seed}-{number}")

    def _note(self, when: str, operation: str, what: Any) -> None:
        os.write(self.descriptor, json.dumps([when, operation, what]).encode() + b"\n")

    def _do(self, operation: str, what: Any, act: Callable[[], object]) -> None:
        self._note("begun", operation, what)
        act()
        self._note("done", operation, what)

    def _say(self, name: str) -> None:
        day = f"2026-03-{self.chance.randint(1, 28):02}"
        self._do("say", f"said {name} zz", lambda: self.world.say(f"said {name} zz", on=day))

    def _tidy(self, name: str) -> None:
        self._do("tidy", None, lambda: self.world.store.tidy(NORA))

    def _index(self, name: str) -> None:
        self._do("index", None, lambda: self.runtime.recaller.rebuild_index(NORA))

    def _night(self, name: str) -> None:
        self._do("night", None, self.world.night)

    def _import(self, name: str) -> None:
        history = {"2026-03-01": [{"query": f"said {name} zz", "response": "Yes."}]}
        bank = {"Wren": {"history": history}}
        self._do(
            "import",
            f"said {name} zz",
            lambda: import_bank(
                self.world.store,
                bank,
                now=MADE,
                language="en",
                zone=self.world.memory().profile.zone,
            ),
        )

    def _erase(self, name: str) -> None:
        turns = list(self.world.memory().turns())
        if turns:
            turn = self.chance.choice(turns)
            self._do("erase", turn.query, lambda: self.world.erase(turn.id))

    def _delete(self, name: str) -> None:
        person = Scope.of(f"Guest {name}")
        World(self.world.store, self.world.settings, person).say(f"guest {name} zz")
        self._do(
            "delete",
            person.person,
            lambda: self.runtime.eraser.delete([person]),
        )

    def _backup(self, name: str) -> None:
        said = sorted(said_by(self.home, NORA)), sorted(said_by(self.home, WREN))
        file = self.log.with_name("backup.tar.gz")
        self._do("backup", said, lambda: back_up(self.home, file, now=MADE))

    def _encrypt(self, name: str) -> None:
        """Encrypt the files, lock them anew where they are, or write them as plain text."""
        KEYRING.offer(PASSPHRASE)
        cipher = KEYRING.cipher(self.world.store.folder(NORA))
        if cipher is not None and self.chance.random() < 0.5:
            self._do("decrypt", None, lambda: self.world.store.encrypt(NORA, None))
            return
        with cheap_keys():
            key = new_key(PASSPHRASE) if cipher is None else rewrapped(cipher, PASSPHRASE)
        self._do("encrypt", None, lambda: self.world.store.encrypt(NORA, key))

    def _export(self, name: str) -> None:
        file = self.log.with_name("inside.tar.gz")
        self._do("backup again", None, lambda: back_up(self.home, file, now=MADE))

    def _restore(self, name: str) -> None:
        file = self.log.with_name("backup.tar.gz")
        if file.exists() and self.chance.random() < 0.3:
            self._do("restore", None, lambda: restore(file, self.home, replace=True))


def said_by(home: Path, scope: Scope) -> set[str]:
    """What somebody said, as a program that starts now reads it."""
    store = FileStore(home)
    if not store.exists(scope):
        return set()
    turns = [turn.query for turn in store.load(scope).turns()]
    assert len(turns) == len(set(turns)), "something is there twice"
    return set(turns)


@dataclass
class Expected:
    """What must be there after a kill, from what was begun and done.

    Attributes:
        nora, wren: what they said and were told is kept.
        backup: the same as it is in the backup.
        cut: what was begun and not done when the process was killed; None for nothing.
    """

    nora: set[str] = field(default_factory=set)
    wren: set[str] = field(default_factory=set)
    backup: tuple[set[str], set[str]] | None = None
    cut: tuple[str, Any] | None = None

    def read(self, log: Path) -> None:
        """Take in what a process noted."""
        begun: tuple[str, Any] | None = None
        for line in log.read_bytes().splitlines():
            when, operation, what = json.loads(line)
            if when == "begun":
                begun = (operation, what)
            else:
                self._done(operation, what)
                begun = None
        self.cut = begun

    def _done(self, operation: str, what: Any) -> None:
        if operation == "say":
            self.nora.add(what)
        elif operation == "import":
            self.wren.add(what)
        elif operation == "erase":
            self.nora.discard(what)
        elif operation == "backup":
            self.backup = (set(what[0]), set(what[1]))
        elif operation == "restore" and self.backup is not None:
            self.nora, self.wren = set(self.backup[0]), set(self.backup[1])

    def compare(self, home: Path) -> None:
        """Start anew, and compare what is there with what must be.

        Raises:
            AssertionError: something is gone, half-done or there that was erased.
        """
        KEYRING.offer(PASSPHRASE)
        store, settings = FileStore(home), settings_of(home)
        runtime = Runtime(settings, MovingClock(), store=store)
        for job in runtime.eraser.resume():
            assert job.error is None, job
        assert installation_in(home).jobs.unfinished() == []
        found = said_by(home, NORA), said_by(home, WREN)
        possible = [(self.nora, self.wren)]
        operation, what = self.cut or ("", None)
        if operation == "say":
            possible.append((self.nora | {what}, self.wren))
        elif operation == "import":
            possible.append((self.nora, self.wren | {what}))
        elif operation == "erase":
            possible.append((self.nora - {what}, self.wren))
        elif operation == "restore" and self.backup is not None:
            possible.append(self.backup)
        assert found in possible, (
            self.cut,
            [it ^ other for it, other in zip(*possible[:1], found, strict=True)],
        )
        self.nora, self.wren = found
        if operation == "delete":
            # Not begun: untouched; begun: finished by the start.
            kept = said_by(home, Scope.of(what))
            assert kept in (set(), {what.replace("Guest", "guest") + " zz"}), kept
        said = f"after {time.monotonic_ns()} zz"
        World(store, settings).say(said)
        self.nora.add(said)
        assert said_by(home, NORA) == self.nora


def _begun(log: Path) -> int:
    return log.read_bytes().count(b'["begun"') if log.exists() else 0


def _work(home: Path, log: Path, seed: int) -> None:
    Worker(home, log, seed).work()


def kill_one(home: Path, log: Path, seed: int, seconds: float, *, begun: int = 1) -> None:
    """Start a worker, and kill it with signal 9 so long after it began its so many-th work."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.killing"])
    log.unlink(missing_ok=True)
    process = context.Process(target=_work, args=(home, log, seed))
    process.start()
    while process.is_alive() and _begun(log) < begun:
        time.sleep(0.001)
    process.join(seconds)
    ended = process.exitcode
    if ended is None and process.pid is not None:
        os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert ended is None, f"the worker ended by itself with {ended}"
