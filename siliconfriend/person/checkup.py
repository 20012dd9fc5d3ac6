"""Check and repair an installation: store, texts, companions, embedder, index and model."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    MemoryElsewhere,
    SiliconFriendError,
    StoreError,
)
from siliconfriend.memory.scope import Scope
from siliconfriend.person.bank import MemoryBank
from siliconfriend.texts import LANGUAGES, Language, text

if TYPE_CHECKING:
    from siliconfriend.memory.store import Repair

COMFORTABLE = 12_000
"""Tokens of context from which on a prompt holds all it may: memories, talk, persona, answer."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check of an installation.

    Attributes:
        error: what is wrong; None where it is well.
    """

    name: str
    found: Mapping[str, Any] = field(default_factory=dict)
    error: SiliconFriendError | None = None


@dataclass(frozen=True, slots=True)
class Repaired:
    """The result of repairing one memory.

    Attributes:
        scope: whose it is; None where nobody can tell any more.
        repair: what was saved; None where there was nothing to build on.
        backups: those in the data directory that hold it, with when they were made; looked for
            only where something is lost.
    """

    folder: str
    scope: Scope | None
    repair: Repair | None = None
    error: SiliconFriendError | None = None
    backups: Mapping[Path, str] = field(default_factory=dict)

    def to_json(self, language: Language) -> dict[str, Any]:
        """Return one item of ``repaired`` in ``doctor --repair --json``."""
        done, backups = self.repair, self.backups.items()
        found: dict[str, Any] = {
            **(self.scope.to_json() if self.scope else {"user": None, "companion": None}),
            "folder": self.folder,
            "status": "failed" if done is None else "whole" if done.is_whole else "partly",
            "backups": [{"file": str(path), "made": made} for path, made in backups],
        }
        if done is None:
            return found | {"detail": self.error.message(language) if self.error else ""}
        return found | {
            "lost": done.lost,
            "doubtful": done.is_doubtful,
            "turns": done.turns,
            "until": done.until or None,
            "damaged": list(done.files),
            "kept": [str(path) for path in done.kept],
        }


def repair(bank: MemoryBank) -> Iterator[Repaired]:
    """Repair every memory that is damaged; those that are not are left alone."""
    from siliconfriend.memory.backup_file import find_backups

    store, home = bank.store, bank.settings.home
    for name in (f"people/{folder}" for folder in store.unreadable()):
        nobodys = DamagedMemory("folder_nobodys", path=home / name)
        yield Repaired(name, None, error=nobodys, backups=find_backups(home, name))
    for scope in store.scopes():
        folder = store.folder(scope)
        name = "" if folder is None else folder.relative_to(home).as_posix()
        try:
            done = store.repair(scope)
        except DamagedMemory as error:
            yield Repaired(name, scope, error=error, backups=find_backups(home, name))
            continue
        if done is not None:
            backups = {} if done.is_whole else find_backups(home, name)
            yield Repaired(name, scope, done, backups=backups)


def check(bank: MemoryBank, progress: Callable[[str, int, int], None]) -> Iterator[Check]:
    """Check everything the settings name, whatever the other checks found."""
    checks: dict[str, Callable[[MemoryBank], dict[str, Any]]] = {
        "home": _check_home,
        "store": _check_store,
        "texts": _check_texts,
        "companions": _check_companions,
        "jobs": _check_jobs,
        "embedder": _check_embedder,
        "index": partial(_check_index, progress=progress),
        "model": _check_model,
    }
    settings = bank.settings
    if settings.llm != "offline" and settings.fallback_llm not in (None, "offline"):
        checks["second_model"] = partial(_check_model, second=True)
    for name, run in checks.items():
        try:
            yield Check(name, run(bank))
        except SiliconFriendError as error:
            yield Check(name, error=error)


def _check_home(bank: MemoryBank) -> dict[str, Any]:
    settings = bank.settings
    nearest = next(path for path in (settings.home, *settings.home.parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise ConfigurationError("home_unwritable", home=settings.home)
    return {"home": settings.home, "is_there": settings.home.is_dir()}


def _check_store(bank: MemoryBank) -> dict[str, Any]:
    """Load every memory; one that has moved away is a fault, since programs should look there."""
    store, settings = bank.store, bank.settings
    scopes = store.scopes()
    memories = [store.load(scope) for scope in scopes]
    for scope in scopes:
        if place := store.moved_to(scope):
            raise MemoryElsewhere("memory_moved", name=scope.person, other=place)
    if settings.store == "file":
        folders = {folder for scope in scopes if (folder := store.folder(scope)) is not None}
        people = settings.home / "people"
        for path in sorted(people.iterdir()) if people.is_dir() else ():
            if not any(path == folder or path in folder.parents for folder in folders):
                raise DamagedMemory("folder_nobodys", path=path)
    turns = sum(1 for memory in memories for _ in memory.turns())
    return {"people": len(memories), "turns": turns}


def _check_texts(bank: MemoryBank) -> dict[str, Any]:
    from siliconfriend.prompts.loader import Prompts
    from siliconfriend.shipped import PROMPTS

    for language in LANGUAGES:
        prompts = Prompts(language, bank.settings.prompts)
        for name in sorted({path.stem for path in PROMPTS.glob("*/*.md")}):
            prompts.validate(name)
    return {"folder": bank.settings.prompts}


def _check_companions(bank: MemoryBank) -> dict[str, Any]:
    companions = bank.companions
    names = companions.names()
    for fault in companions.faults():
        raise fault
    lores = [lore for name in names if (lore := companions.lore(name)) is not None]
    characters = {name: companions.character(name).texts.values() for name in names}
    return {
        "companions": len(names),
        "facts": sum(1 for lore in lores for _ in lore.facts()),
        "events": sum(1 for lore in lores for _ in lore.events()),
        "silent": [
            name
            for name, texts in characters.items()
            if not (texts and all(text.greeting for text in texts))
        ],
    }


def _check_jobs(bank: MemoryBank) -> dict[str, Any]:
    home = bank.settings.home
    bank.people()  # finishes a restore, or says why it cannot
    for job in bank.resume_erasures():
        if job.error is not None:
            raise job.error
        for place in job.proof.found_in if job.proof else ():
            raise StoreError("erasure_left", name=job.person, path=home / place)
    return {}


def _check_embedder(bank: MemoryBank) -> dict[str, Any]:
    began = time.perf_counter()
    if (embedder := bank.runtime.embedder) is None:
        return {}
    embedder.queries([text("models", "sample", bank.settings.language)])
    seconds = time.perf_counter() - began
    return {"name": embedder.name, "dimension": embedder.dimension, "seconds": seconds}


def _check_index(bank: MemoryBank, progress: Callable[[str, int, int], None]) -> dict[str, Any]:
    from siliconfriend.recall.associations import FILE_NAME, operator_table

    operator_table(bank.settings.home / FILE_NAME)
    recaller, scopes = bank.runtime.recaller, bank.people()
    for number, scope in enumerate(scopes, 1):
        progress(scope.person, number, len(scopes))
        recaller.rebuild_index(scope)
    return {"people": len(scopes)}


def _check_model(bank: MemoryBank, *, second: bool = False) -> dict[str, Any]:
    """Ask a model for a word, and its server how much context it serves, which nothing else shows."""
    from siliconfriend.models.choices import try_model
    from siliconfriend.models.factory import second_settings

    settings = second_settings(bank.settings) if second else bank.settings
    chat, seconds = try_model(settings)
    if chat is None:
        return {}
    found = {"name": chat.name, "address": chat.address, "seconds": seconds}
    if settings.llm.startswith("gguf:"):
        return found
    served, tokens, wanted = chat.served(), chat.context_tokens, settings.context_tokens or 0
    serves = served.context_tokens
    too_much = wanted if serves is not None and wanted > serves else None
    kind = (served.kind or "other") if tokens < COMFORTABLE else None
    return found | {"tokens": tokens, "wanted": too_much, "serves": serves, "kind": kind}
