"""Base of a person: memory, name, language and time zone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from siliconfriend.control.listing import MemoryRow, memory_row, memory_rows
from siliconfriend.errors import UsageError
from siliconfriend.memory.names import check_newcomer
from siliconfriend.memory.records import Memory, PersonMemory, Profile
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.person.views import PersonSummary
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language


class PersonBase:
    """Shared part of :class:`Person`."""

    def __init__(self, scope: Scope, runtime: Runtime) -> None:
        self.scope = scope
        self._runtime = runtime.for_companion(scope.companion)
        self._store = runtime.store

    @property
    def policy(self) -> str:
        """The name of the forgetting policy."""
        return self._runtime.settings.policy

    @property
    def home(self) -> Path:
        """The data directory."""
        return self._runtime.settings.home

    def policy_formula(self, language: Language) -> str:
        """Return the forgetting policy in one line: name, formula and unit."""
        from siliconfriend.control.policy_text import formula

        return formula(self._runtime.policy, language)

    def check_name(self) -> None:
        """Raise RefusedName for somebody new whose name looks like a known one."""
        check_newcomer(self._store, self.scope)

    def is_known(self) -> bool:
        """Return True if anything is remembered of them."""
        return self._store.exists(self.scope)

    def memory(self) -> PersonMemory:
        """Load everything that is remembered, as it is now."""
        return self._store.load(self.scope)

    def now(self) -> datetime:
        """Return the present moment in UTC; a clock without an offset shows the person's time."""
        return self._runtime.now(self._runtime.memory(self.scope))

    def summary(self) -> PersonSummary:
        """Count what is remembered."""
        from siliconfriend.memory.days import outlines

        memory = self.memory()
        turns = {date: outline.turns for date, outline in outlines(memory.days) if outline.turns}
        return PersonSummary(
            user=self.scope.person,
            name=memory.profile.called,
            companion=self.scope.companion,
            language=memory.profile.language,
            timezone=memory.profile.timezone,
            days=len(turns),
            turns=sum(turns.values()),
            summaries=sum(1 for _ in memory.summaries()),
            first=min(turns, default=None),
            last=max(turns, default=None),
        )

    def meet(
        self,
        *,
        language: Language | None = None,
        timezone: str | None = None,
        name: str | None = None,
        said: str = "",
    ) -> PersonMemory:
        """Begin the memory of somebody new; a known person is returned unchanged.

        Args:
            language: else that of another companion of theirs, of the settings, or of ``said``.
            timezone: IANA name; else that of another companion of theirs or of the settings.
            name: what they are called, where that is not the name they are found by.
            said: their first words.

        Raises:
            RefusedName: the name looks like a known one.
        """
        if self.is_known():
            return self.memory()
        self.check_name()
        memory = self._memory_to_be(said)
        profile = _changed(memory.profile, language, timezone, name)
        return self._store.create(self.scope, profile)

    def update(
        self,
        *,
        language: Language | None = None,
        timezone: str | None = None,
        name: str | None = None,
    ) -> None:
        """Change language, time zone or what they are called, for each companion of the person.

        Raises:
            RefusedName: nobody can be called so.
            UsageError: there is no such time zone.
        """
        from siliconfriend.memory.changes import PutProfile

        self.memory()
        for scope in self._scopes():
            with self._store.edit(scope) as edit:
                profile = _changed(edit.memory.profile, language, timezone, name)
                if profile != edit.memory.profile:
                    edit.add(PutProfile(profile))

    @property
    def language(self) -> Language:
        """The language of the person; of somebody new, the one they would begin with."""
        return self._runtime.memory(self.scope).profile.language

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the person; of somebody new, the one they would begin with."""
        return self._runtime.memory(self.scope).profile.zone

    @property
    def companion_name(self) -> str:
        """Name of the companion in the person's language."""
        from siliconfriend.characters.companions import companion_name

        return companion_name(self._runtime.settings, self.scope.companion, self.language)

    def _scopes(self) -> Sequence[Scope]:
        return [scope for scope in self._store.scopes() if scope.person == self.scope.person]

    def _memory_to_be(self, said: str) -> PersonMemory:
        from siliconfriend.language.characters import language_of

        settings = self._runtime.settings
        memory = self._runtime.memory(self.scope)
        others = [scope for scope in self._scopes() if scope != self.scope]
        if others:
            other = self._store.load(others[0]).profile
            name = str(other.meta_information.get("name") or "") or None
            return PersonMemory(_changed(memory.profile, other.language, other.timezone, name))
        if settings.sources.get("language", "default") != "default":
            return memory
        language = language_of(said, settings.language)
        return PersonMemory(replace(memory.profile, language=language))

    def _rows(self, memory: PersonMemory) -> Iterator[MemoryRow]:
        return memory_rows(memory, self._runtime.policy, self._runtime.now(memory))

    def _rows_of(self, memory: PersonMemory, records: Iterable[Memory]) -> tuple[MemoryRow, ...]:
        now, policy = self._runtime.now(memory), self._runtime.policy
        return tuple(memory_row(memory, record, policy, now) for record in records)

    def _extract_soon(self) -> None:
        worker = self._runtime.worker
        if worker is not None:
            worker.wake(self.scope)


def _changed(
    profile: Profile, language: Language | None, timezone: str | None, name: str | None
) -> Profile:
    """Return a profile with what is given (RefusedName, UsageError: it cannot be that)."""
    about = dict(profile.meta_information)
    if name is not None:
        about["name"] = clean_name(name)
    zone = profile.timezone
    if timezone is not None:
        try:
            zone = ZoneInfo(timezone).key
        except (OSError, ValueError, KeyError) as error:
            raise UsageError("bad_timezone", name=timezone) from error
    language = language or profile.language
    return replace(profile, language=language, timezone=zone, meta_information=about)
