"""The memory bank of a data directory and the people in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from siliconfriend.clock import Clock
from siliconfriend.config import Settings, load_settings
from siliconfriend.errors import SiliconFriendError, StoreError, UnknownPerson, UsageError
from siliconfriend.memory.database import STORE_SECONDS as STORE_SECONDS
from siliconfriend.memory.import_export import ImportReport, import_bank
from siliconfriend.memory.records import kind_of
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope, clean_name, near_names
from siliconfriend.models.base import (
    AnswerOptions,
    ChatModel,
    FallbackModel,
    JsonSchema,
    Message,
    Usage,
    attempts,
)
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.person import Person
from siliconfriend.person.views import Deleted, Imported, PersonSummary
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language

if TYPE_CHECKING:
    from siliconfriend.characters.companions import Companions
    from siliconfriend.characters.entries import Entry
    from siliconfriend.control.erasure.erase import Resumed
    from siliconfriend.importers.messages import Options
    from siliconfriend.installation.installation import Installation
    from siliconfriend.memory.store import MemoryStore
    from siliconfriend.night.person_night import NightOptions
    from siliconfriend.night.report import NightReport
    from siliconfriend.night.run import BegunNight, NightWorker
    from siliconfriend.recall.embedders.base import Embedder


ANYBODY = Scope("anybody", DEFAULT_COMPANION)
"""Looked up to test whether the store answers."""
ASKED_EVERY = 60.0
"""Minimum seconds between availability checks of a model's or embedder's server."""


class MemoryBank:
    """The memories of a data directory, and the people in it; thread-safe.

    Use as a context manager, or call :meth:`close`, which waits for background extraction.

    Args:
        home: the directory; without it, the one that the settings name.
        settings: instead of ``home`` and of what the environment says.
        answers_while_indexing: recall by words until a large index is embedded.
        resume: resume interrupted erasures now; else call :meth:`resume_erasures`.
        ask_passphrase: asks for the passphrase of a folder of encrypted files.

    Raises:
        ConfigurationError, StoreError: a setting is bad, or the directory cannot be read.
    """

    def __init__(
        self,
        home: Path | str | None = None,
        *,
        settings: Settings | None = None,
        store: MemoryStore | None = None,
        chat: ChatModel | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        answers_while_indexing: bool = False,
        resume: bool = True,
        ask_passphrase: Callable[[str], str] | None = None,
    ) -> None:
        self.settings = settings or load_settings(home=home)
        self._checked: dict[str, tuple[float, bool]] = {}
        self.runtime = Runtime(
            self.settings,
            clock,
            store=store,
            chat=chat,
            embedder=embedder,
            answers_while_indexing=answers_while_indexing,
        )
        self.store = self.runtime.store
        if ask_passphrase is not None:
            self.store.ask = ask_passphrase
        if resume and store is None:
            self.resume_erasures()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @cached_property
    def companions(self) -> Companions:
        """The characters of the data directory."""
        from siliconfriend.characters.companions import Companions

        return Companions(self.settings.home)

    @property
    def installation(self) -> Installation:
        """State shared by all processes: keys, passwords, limits and leases."""
        return self.runtime.installation

    @property
    def chat(self) -> ChatModel | None:
        """The chat model; None for the offline companion."""
        return self.runtime.chat

    def resume_erasures(self) -> list[Resumed]:
        """Resume interrupted erasures; see :meth:`Runtime.resume_erasures`."""
        return self.runtime.resume_erasures()

    def ask(
        self,
        messages: Sequence[Message],
        schema: JsonSchema | None,
        options: AnswerOptions,
        person: str,
    ) -> Generator[str, None, Usage]:
        """Stream the model's answer to a program's own question; no memory is read or written.

        With a JSON ``schema`` the answer is yielded whole. Returns the tokens used, if the model
        reports them; they count towards the limit of ``person``.
        UsageError: there is no model; ModelError: it failed; LimitReached: as for a reply.
        """
        chat, used = self.chat, Usage()
        if chat is None:
            raise UsageError("needs_model")
        self.installation.tokens.check(person)
        for attempt in attempts(chat, options):
            with attempt:
                model = attempt.model
                if schema is not None:
                    answer = model.complete(messages, schema)
                    # The text may have been repaired.
                    yield json.dumps(answer.data, ensure_ascii=False)
                    used = Usage(1, answer.input_tokens, answer.output_tokens)
                    break
                for piece in model.stream(messages):
                    attempt.has_begun = True
                    yield piece
                used = getattr(model, "last_usage", used)
        self.installation.tokens.record(person, used)
        return used

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return self.runtime.clock.now(self.settings.zone)

    def people(self) -> list[Scope]:
        """Return all scopes with memories, sorted."""
        return self.store.scopes()

    def companions_by_person(self, name: str | None = None) -> dict[str, list[str]]:
        """Return everyone's companions, or one person's, by sorted name; no memory is opened."""
        found: dict[str, list[str]] = {}
        for scope in self.people():
            if name in (None, scope.person):
                found.setdefault(scope.person, []).append(scope.companion)
        return found

    def summaries(
        self, after: str = "", limit: int | None = None
    ) -> tuple[list[PersonSummary], list[StoreError]]:
        """Count what is remembered of everyone; and return what is unreadable.

        ``after`` skips people up to that name; ``limit`` is a maximum number of people.
        """
        found, faults = list[PersonSummary](), list[StoreError]()
        scopes = [scope for scope in self.people() if scope.person > after]
        names = set(sorted({scope.person for scope in scopes})[:limit])
        for scope in (scope for scope in scopes if scope.person in names):
            try:
                found.append(self.person(scope.person, scope.companion).summary())
            except StoreError as error:  # list the others all the same
                faults.append(error)
        return found, faults

    def counts(self) -> dict[str, int]:
        """Return how many memories this process holds, and numbers about its database connections."""
        connections = self.installation.tables.database.connections()
        counted = {f"database_{name}": number for name, number in connections.items()}
        return {"snapshots": self.store.open_snapshots} | counted

    def near(self, name: str) -> list[str]:
        """Return known names similar to an unknown name, nearest first."""
        return near_names(name, {scope.person for scope in self.people()})

    def companion_names(self, person: str | None = None) -> list[str]:
        """List the default companion, those described, and those that anyone, or ``person``, told."""
        told = (scope.companion for scope in self.people() if person in (None, scope.person))
        return list(dict.fromkeys([DEFAULT_COMPANION, *self.companions.names(), *told]))

    def check_companion(self, name: str | None = None, person: str | None = None) -> None:
        """Raise UsageError where :meth:`companion_names` lacks a companion, else the settings'."""
        name, known = name or self.settings.companion, self.companion_names(person)
        if name not in known:
            raise UsageError("companion_not_begun", name=name, known=", ".join(known))

    def person(self, name: str | None = None, companion: str | None = None) -> Person:
        """Return the person of this name, else of the settings, known or not.

        RefusedName, UsageError: it cannot be a name, or none is given and none set.
        """
        runtime = self.runtime.for_companion(companion) if companion else self.runtime
        return Person(runtime.scope(name), runtime)

    def known_person(self, name: str | None = None, companion: str | None = None) -> Person:
        """Return a person as :meth:`person` does; UnknownPerson suggests a similar name."""
        person = self.person(name, companion)
        if person.is_known():
            return person
        about = {"name": person.scope.person, "companion": person.scope.companion}
        if others := [scope.companion for scope in self.scopes_of(about["name"])]:
            raise UnknownPerson("unknown_to_companion", **about, known=", ".join(others))
        if near := self.near(about["name"]):
            raise UnknownPerson("unknown_person_near", **about, near=near[0])
        raise UnknownPerson("unknown_person", **about)

    def lore(self, companion: str, words: str = "", kind: str | None = None) -> list[Entry]:
        """Return what a companion knows and has lived; with words, what fits them, best first.

        UsageError: there is no such companion.
        """
        from siliconfriend.characters.entries import all_entries

        lore = self.companions.lore(companion)
        entries = [] if lore is None else all_entries(lore)
        searched = self.runtime.lore(companion) if words.strip() else None
        if searched is not None:
            entries = searched.find(words, now=self.now(), top=len(entries))
        return [entry for entry in entries if kind in (None, kind_of(entry))]

    def delete(self, name: str, companion: str | None = None) -> Deleted:
        """Delete a person permanently, with one or every companion, and prove the deletion.

        With every companion their keys and password go too, also those of a person without a
        memory. Errors as :meth:`check_deletion` and :meth:`Eraser.delete`.
        """
        from siliconfriend.control.erasure.proof import Proof

        scopes, person = self.check_deletion(name, companion), clean_name(name)
        self.installation.audit.record("delete", person)
        if not scopes:
            self.installation.forget_person(person)
            return Deleted((), Proof(0, ()))
        return Deleted(tuple(scopes), self.runtime.eraser.delete(scopes))

    def check_deletion(self, name: str, companion: str | None = None) -> list[Scope]:
        """Return the memories to be deleted; UnknownPerson: no memory, and no key or password."""
        scopes, person, access = (
            self.scopes_of(name, companion),
            clean_name(name),
            self.installation,
        )
        has_access = access.keys.of(person) or access.passwords.hash_of(person)
        if not scopes and (companion is not None or not has_access):
            self.known_person(name, companion)  # raises
        return scopes

    def scopes_of(self, name: str, companion: str | None = None) -> list[Scope]:
        """Return the memories of a person, of every companion unless one is named."""
        named = Scope.of(name, companion or DEFAULT_COMPANION)
        mine = [scope for scope in self.people() if scope.person == named.person]
        scopes = [scope for scope in mine if companion is None or scope == named]
        if named not in scopes and self.store.exists(named):
            scopes.append(named)  # too damaged to know the owner, except by the folder's name
        return scopes

    def import_(
        self,
        bank: object,
        *,
        only: str | None = None,
        language: Language | None = None,
        companion: str | None = None,
        dry_run: bool = False,
    ) -> ImportReport:
        """Import every person of a file in MemoryBank's form or our own, or ``only`` one of them.

        ``bank`` is its path or its JSON. Existing turns are skipped. ``language`` is used for new
        people if the file does not say it. UnreadableFile, RefusedName: nothing was written.
        """
        return import_bank(
            self.store,
            bank,
            language=language or self.settings.language,
            companion=clean_name(companion or self.settings.companion),
            zone=self.settings.zone,
            now=self.now(),
            only=only,
            dry_run=dry_run,
        )

    def import_files(
        self, paths: Sequence[Path], options: Options, companion: str, language: Language, dry: bool
    ) -> Imported | ImportReport:
        """Import a person's talks from another program's export, else their part of files of ours.

        ``options.user`` is the person, ``language`` that of a person who is new.

        Raises:
            Undecided: something that only the person knows, which another try can say in ``options``.
            UnreadableFile: one is no such file, or holds nothing of them.
        """
        from siliconfriend.importers.reading import is_foreign

        if any(map(is_foreign, paths)):
            return self.person(options.user, companion).import_(paths, options, dry_run=dry)
        how: dict[str, Any] = {"language": language, "companion": companion, "only": options.user}
        reports = [self.import_(path, dry_run=dry, **how) for path in paths]
        return ImportReport(tuple(each for report in reports for each in report.people))

    def night(self, options: NightOptions | None = None, **how: Any) -> NightReport:
        """Run the night of everyone or of those named; keywords and errors as :func:`run_night`."""
        from siliconfriend.night.run import run_night

        return run_night(self.runtime, options, **how)

    def begin_night(self, options: NightOptions, **how: Any) -> BegunNight:
        """Enqueue a night; keywords and errors as :class:`BegunNight`."""
        from siliconfriend.night.run import BegunNight

        return BegunNight(self.runtime, options, **how)

    def night_worker(self, **how: Any) -> NightWorker:
        """Return a worker on the queue of nights, with the keywords of :class:`NightWorker`."""
        from siliconfriend.night.run import NightWorker

        return NightWorker(self.runtime, **how)

    def missing(self) -> list[str]:
        """Return which of ``store``, ``model`` and ``embedder`` are unavailable.

        Servers of models and embedders are checked at most every :data:`ASKED_EVERY` seconds.
        """
        checks: dict[str, Callable[[], object]] = {
            "store": lambda: (self.store.unreadable(), self.store.exists(ANYBODY)),
            "model": self._ask_model,
            "embedder": self._embed_a_word,
        }
        found = []
        for name, check in checks.items():
            moment, is_missing = self._checked.get(name, (-inf, False))
            if name == "store" or monotonic() - moment >= ASKED_EVERY:
                try:
                    check()
                    is_missing = False
                except SiliconFriendError:
                    is_missing = True
                self._checked[name] = (monotonic(), is_missing)
            if is_missing:
                found.append(name)
        return found

    def _ask_model(self) -> None:
        if (model := self._served_model) is not None:
            model.check()

    @property
    def _served_model(self) -> OpenAICompatible | None:
        first = self.chat.first if isinstance(self.chat, FallbackModel) else self.chat
        return first if isinstance(first, OpenAICompatible) else None

    def _embed_a_word(self) -> None:
        embedder = self.runtime.recaller.embedder
        if embedder is not None and embedder.name.startswith("openai:"):
            # A new text, since a known one would come from the cache.
            embedder.queries([f"ready {monotonic()}"])

    def preload(self) -> None:
        """Open the parts of the first reply in advance; the first reply reports failures."""
        from siliconfriend.recall.recaller import preload

        with suppress(SiliconFriendError):
            embedder = self.runtime.recaller.embedder
            preload(vectors=embedder is not None)
            if (model := self._served_model) is not None:
                model.load()

    def close(self) -> None:
        """Stop background extraction; the next night processes the remaining turns."""
        self.runtime.close()
