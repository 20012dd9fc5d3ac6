"""Check and repair an installation: store, texts, companions, embedder, index and model."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from siliconfriend.characters.companions import Companions
from siliconfriend.config import Settings
from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    MemoryElsewhere,
    SiliconFriendError,
)
from siliconfriend.extraction.ability import known_ability
from siliconfriend.memory.backup_file import find_backups
from siliconfriend.memory.damage import Repair
from siliconfriend.memory.scope import Scope
from siliconfriend.models.factory import second_settings
from siliconfriend.person.bank import MemoryBank
from siliconfriend.person.companions import companion_json
from siliconfriend.person.model_choices import try_model
from siliconfriend.prompts.loader import Prompts
from siliconfriend.shipped import PROMPTS
from siliconfriend.texts import LANGUAGES, N_, Counted, Language, text

COMFORTABLE = 12_000
"""Context size in tokens that fits a full prompt: memories, conversation, persona and answer."""
TOO_WEAK = N_(
    "Careful: it answered too few of ten questions with known answers rightly, so at night rules"
    " write in its place."
)
MORE_CONTEXT = {
    "ollama": N_("To have more, start Ollama with OLLAMA_CONTEXT_LENGTH=16384."),
    "llamacpp": N_("To have more, start llama-server with -c 16384."),
    "lmstudio": N_("To have more, load the model in LM Studio with a context length of 16384."),
    "vllm": N_("To have more, start vLLM with --max-model-len 16384."),
}


class Check(NamedTuple):
    """One check of an installation: successful results as sentences with values, or the error."""

    name: str
    said: Sequence[tuple[str, dict[str, Any]]] = ()
    error: SiliconFriendError | None = None


class Repaired(NamedTuple):
    """The result of repairing one memory.

    Attributes:
        scope: scope of the memory; None if unknown.
        outcome: the saved records, or the reason why repair was impossible.
        backups: those in the data directory that hold it, with when they were made; looked for
            only where something is lost.
    """

    folder: str
    scope: Scope | None
    outcome: Repair | DamagedMemory
    backups: Mapping[Path, str]

    def to_json(self, language: Language) -> dict[str, Any]:
        """Return one item of ``repaired`` in ``doctor --repair --json``."""
        done, backups = self.outcome, self.backups.items()
        found: dict[str, Any] = {"user": None, "companion": None, "folder": self.folder}
        found |= self.scope.to_json() if self.scope else {}
        found["backups"] = [{"file": str(path), "made": made} for path, made in backups]
        if isinstance(done, DamagedMemory):
            return found | {"status": "failed", "detail": done.message(language)}
        return found | {
            "status": "whole" if done.is_whole else "partly",
            "lost": done.lost,
            "doubtful": done.is_doubtful,
            "turns": done.turns,
            "until": done.until or None,
            "damaged": list(done.files),
            "kept": [str(path) for path in done.kept],
        }


def repair(bank: MemoryBank) -> Iterator[Repaired]:
    """Repair every damaged memory, leaving intact memories unchanged."""
    store, home = bank.store, bank.settings.home
    for name in (f"people/{folder}" for folder in store.unreadable()):
        nobodys = DamagedMemory("folder_nobodys", path=home / name)
        yield Repaired(name, None, nobodys, find_backups(home, name))
    for scope in store.scopes():
        folder = store.folder(scope)
        name = "" if folder is None else folder.relative_to(home).as_posix()
        done: Repair | DamagedMemory | None
        try:
            done = store.repair(scope)
        except DamagedMemory as error:
            done = error
        if done is not None:
            is_whole = not isinstance(done, DamagedMemory) and done.is_whole
            yield Repaired(name, scope, done, {} if is_whole else find_backups(home, name))


Findings = Iterator[tuple[str, dict[str, Any]]]
"""Sentences in English, for :func:`siliconfriend.texts.translate`, with their values."""


def check(bank: MemoryBank, progress: Callable[[str, int, int], None]) -> Iterator[Check]:
    """Run all checks of the settings' parts, continuing after failures."""
    settings = bank.settings
    checks = {
        "home": _check_home(settings.home),
        "store": _check_store(bank),
        "texts": _check_texts(settings.prompts),
        "companions": _check_companions(bank.companions),
        "jobs": _check_jobs(bank),
        "embedder": _check_embedder(bank),
        "index": _check_index(bank, progress),
        "model": _check_model(bank, settings),
    }
    if settings.llm != "offline" and settings.fallback_llm not in (None, "offline"):
        second = _check_model(bank, second_settings(settings))
        checks["second_model"] = second
    for name, said in checks.items():
        try:
            yield Check(name, list(said))
        except SiliconFriendError as error:
            yield Check(name, error=error)


def _check_home(home: Path) -> Findings:
    nearest = next(path for path in (home, *home.parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise ConfigurationError("home_unwritable", home=home)
    later = N_("{home} will be made when something is kept")
    yield N_("{home} can be written") if home.is_dir() else later, {"home": home}


def _check_store(bank: MemoryBank) -> Findings:
    """Load every memory; one that has moved away is a fault, since programs should look there."""
    store, settings = bank.store, bank.settings
    scopes = store.scopes()
    memories = [store.load(scope) for scope in scopes]
    for scope in scopes:
        if (state := store.state(scope)) and state.moved_to:
            raise MemoryElsewhere("memory_moved", name=scope.person, other=state.moved_to)
    if settings.store == "file":
        folders = [folder for scope in scopes if (folder := store.folder(scope)) is not None]
        known = {path for folder in folders for path in (folder, *folder.parents)}
        for path in sorted(set((settings.home / "people").glob("*")) - known):
            raise DamagedMemory("folder_nobodys", path=path)
    turns = sum(1 for memory in memories for _ in memory.turns())
    counts = {"people": Counted(len(memories), "person"), "turns": Counted(turns, "turn")}
    yield N_("{people} with {turns}, all read whole"), counts


def _check_texts(folder: Path | None) -> Findings:
    for language in LANGUAGES:
        prompts = Prompts(language, folder)
        for name in sorted({path.stem for path in PROMPTS.glob("*/*.md")}):
            prompts.validate(name)
    own = N_("prompts complete in both languages (those of the program)")
    yield N_("prompts complete in both languages ({folder})") if folder else own, {"folder": folder}


def _check_companions(companions: Companions) -> Findings:
    for fault in companions.faults():
        raise fault
    shown = [companion_json(companions, name) for name in companions.names()]
    counts = {
        f"{noun}s": Counted(sum(one[f"{noun}s"] for one in shown), noun)
        for noun in ("fact", "event")
    }
    words = N_("{companions} with {facts} and {events}, all read whole")
    yield words, {"companions": Counted(len(shown), "companion"), **counts}


def _check_jobs(bank: MemoryBank) -> Findings:
    bank.people()  # finishes a restore, or raises the reason
    for job in bank.runtime.resume_erasures():
        if job.error is not None:
            raise job.error
    yield N_("nothing is left half-done"), {}


def _check_embedder(bank: MemoryBank) -> Findings:
    began = time.perf_counter()
    if (embedder := bank.runtime.embedder) is None:
        yield N_("none: memories are found by their words only"), {}
        return
    embedder.queries([text("models", "sample", bank.settings.language)])
    found = {"name": embedder.name, "dimension": embedder.dimension}
    words = N_("{name} gives vectors of {dimension} numbers ({seconds:.1f} s to start)")
    yield words, found | {"seconds": time.perf_counter() - began}


def _check_index(bank: MemoryBank, progress: Callable[[str, int, int], None]) -> Findings:
    recaller, scopes = bank.runtime.recaller, bank.people()
    for number, scope in enumerate(scopes, 1):
        progress(scope.person, number, len(scopes))
        recaller.update_index(scope)
    yield N_("level with the memory of {people}"), {"people": Counted(len(scopes), "person")}


def _check_model(bank: MemoryBank, settings: Settings) -> Findings:
    """Test a model with one word, query its context size, and report if it may not write nights."""
    chat, seconds = try_model(settings)
    if chat is None:
        yield N_("none: replies come from memory alone, and nothing leaves this machine"), {}
        return
    found = {"name": chat.name, "address": chat.address, "seconds": seconds}
    tables, now = bank.installation.tables, bank.now()
    known = (known_ability(chat, language, tables, now) for language in LANGUAGES)
    is_weak = False in known
    if settings.llm.startswith("gguf:"):
        yield N_("{name} at {address} answers ({seconds:.1f} s)"), found
        if is_weak:
            yield TOO_WEAK, {}
        return
    served, tokens, wanted = chat.served(), chat.context_tokens, settings.context_tokens or 0
    words = N_("{name} at {address} answers ({seconds:.1f} s); {tokens} tokens of context")
    yield words, found | {"tokens": tokens}
    if is_weak:
        yield TOO_WEAK, {}
    if served.context_tokens is not None and wanted > served.context_tokens:
        yield (
            N_(
                "Careful: context_tokens is {wanted}, but the server serves {serves}, which counts."
            ),
            {"wanted": wanted, "serves": served.context_tokens},
        )
    if tokens < COMFORTABLE:
        words = N_("Careful: with {tokens} tokens of context little that is remembered has room.")
        yield words, {"tokens": tokens}
        more = N_("If the server serves more, say so with SILICONFRIEND_CONTEXT_TOKENS.")
        yield MORE_CONTEXT.get(served.kind or "", more), {}
