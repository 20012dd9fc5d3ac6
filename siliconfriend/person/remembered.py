"""The memories of a person: who they are, and what is recalled, listed and shown of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from siliconfriend.config.settings import parse_timezone
from siliconfriend.control.edit import find_memories
from siliconfriend.control.listing import (
    MemoryRow,
    active_facts,
    formula,
    ids_with_metadata,
    memory_details,
    memory_row,
    recall_document,
)
from siliconfriend.errors import UsageError
from siliconfriend.memory.changes import PutField
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Memory, PersonMemory, Profile
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.models.output import clean
from siliconfriend.person.asynchronous import twin
from siliconfriend.person.views import PersonSummary, PortraitPart, portrait_parts
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language

if TYPE_CHECKING:
    from siliconfriend.recall.cue import Utterance
    from siliconfriend.recall.results import RecallResult


class RememberedPerson:
    """The memories of a person, to be read; ``settings`` are those with this companion."""

    def __init__(self, scope: Scope, runtime: Runtime) -> None:
        self.scope = scope
        self._runtime = runtime.for_companion(scope.companion)
        self._store = runtime.store
        self.settings = self._runtime.settings

    def policy_formula(self, language: Language) -> str:
        """Return the forgetting policy in one line: name, formula and unit."""
        return formula(self._runtime.policy, language)

    def check_name(self) -> None:
        """Raise RefusedName if this person is new and the name looks like a known one."""
        self._store.check_newcomer(self.scope)

    def is_known(self) -> bool:
        """Return True if anything is remembered of them."""
        return self._store.exists(self.scope)

    def memory(self) -> PersonMemory:
        """Load the current memory."""
        return self._store.load(self.scope)

    def now(self) -> datetime:
        """Return the current time in UTC; a clock without an offset uses the person's time zone."""
        return self._runtime.now(self._runtime.memory(self.scope))

    def summary(self) -> PersonSummary:
        """Count what is remembered."""
        memory = self.memory()
        turns = {date: len(day.turns) for date, day in memory.days.items() if day.turns}
        return PersonSummary(
            user=self.scope.person,
            name=memory.profile.called,
            companion=self.scope.companion,
            language=memory.profile.language,
            timezone=memory.profile.timezone,
            days=len(turns),
            turns=sum(turns.values()),
            summaries=sum(day.summary is not None for day in memory.days.values()),
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
        """Create the memory of a new person; a known person is returned unchanged.

        Language and time zone (IANA) default to those of the person's other companions, then of
        the settings; the language also to that of ``said``, their first words. ``name`` is the
        displayed name, if it differs from the name they are found by. RefusedName: the name looks
        like a known one.
        """
        if self.is_known():
            return self.memory()
        self.check_name()
        new = self._runtime.memory(self.scope, said).profile
        return self._store.create(self.scope, _changed(new, language, timezone, name))

    def update(
        self,
        *,
        language: Language | None = None,
        timezone: str | None = None,
        name: str | None = None,
    ) -> None:
        """Change language, time zone or what they are called, for each companion of the person.

        RefusedName, UsageError: the name is invalid, or there is no such time zone.
        """
        self.memory()
        mine = [scope for scope in self._store.scopes() if scope.person == self.scope.person]
        for scope in mine:
            with self._store.edit(scope) as edit:
                profile = _changed(edit.memory.profile, language, timezone, name)
                if profile != edit.memory.profile:
                    edit.add(PutField("profile", profile))

    @property
    def language(self) -> Language:
        """The language of the person; for a new person, the one they would begin with."""
        return self._runtime.memory(self.scope).profile.language

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the person; for a new person, the one they would begin with."""
        return self._runtime.memory(self.scope).profile.zone

    @property
    def companion_name(self) -> str:
        """Name of the companion in the person's language."""
        from siliconfriend.characters.companions import companion_name

        return companion_name(self.settings, self.scope.companion, self.language)

    def recall(
        self,
        query: str,
        *,
        top: int = 10,
        talk: Sequence[Utterance] = (),
        recipe: str = "siliconfriend",
        reinforce: bool = False,
        metadata: Mapping[str, Any] | None = None,
    ) -> RecallResult:
        """Recall the memories and facts relevant to a message, best first.

        Those that other companions share with this one are among them.

        ``top``: at most so many memories.
        ``talk``: earlier messages of this conversation, oldest first.
        ``reinforce``: strengthen what is likely, as a reply does; else nothing is changed.
        ``metadata``: only turns that were stored with these entries, and what was made of them.
        """
        from siliconfriend.dialogue.retrieval import merge_shared, shared_scopes

        now = self._runtime.now(self.memory())
        recaller, lore = self._runtime.recaller, self._runtime.lore(self.scope.companion)
        scopes = (self.scope, *shared_scopes(self._store, self.scope, lore))
        recall = partial(recaller.recall, now=now, top=top, talk=talk, recipe=recipe)
        query, name = clean(query), self.companion_name
        found, *others = (
            recall(scope, query, companion_name=name, exclude=self._without(scope, metadata))
            for scope in scopes
        )
        if reinforce:
            recaller.reinforce(self.scope, found, now=now)
        if not others:
            return found
        merged = merge_shared(found, others)
        return replace(merged, memories=merged.memories[:top])

    def _without(self, scope: Scope, metadata: Mapping[str, Any] | None) -> set[str]:
        """Return the ids of all memories that the metadata filter excludes."""
        if not metadata:
            return set()
        memory = self._store.load(scope)
        return {record.id for record in memory.memories()} - ids_with_metadata(memory, metadata)

    def own_story(self, query: str = "", *, top: int = 5) -> list[Fact | Event]:
        """List what the companion's lore tells, most fitting first; all of it without a query."""
        lore = self._runtime.lore(self.scope.companion)
        whose: Any = {"language": self.language, "person": self.scope.person}
        return lore.find(clean(query), now=self.now(), top=top, **whose) if lore else []

    def recall_document(self, found: RecallResult) -> dict[str, Any]:
        """Return a recall as ``recall --json`` prints it, with the sections of a prompt."""
        return recall_document(self.scope, found, self.memory(), self.settings)

    def list(self, *, kind: str | None = None, state: str | None = None) -> tuple[MemoryRow, ...]:
        """List memories with the day each will fade, oldest first."""
        return self.search(kind=kind, state=state)

    def search(
        self,
        words: str = "",
        *,
        kind: str | None = None,
        entity: str | None = None,
        state: str | None = None,
        top: int | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> tuple[MemoryRow, ...]:
        """Search by meaning and words, best first; without words list what fits, oldest first.

        Nothing is left out as unlikely: ``is_likely`` of each row says what is likely meant.
        What was put away is found by ``state="forgotten"`` alone, and listed without words.
        ``metadata`` as in :meth:`recall`.
        """
        from siliconfriend.control.search import search

        memory = self.memory()
        found = search(
            lambda: self._runtime.recaller,
            self.scope,
            memory,
            clean(words),
            now=self._runtime.now(memory),
            kind=kind,
            entity=entity,
            put_away=state == "forgotten",
        )
        if metadata:
            fitting = ids_with_metadata(memory, metadata)
            found = [record for record in found if record.memory.id in fitting]
        rows = [
            row._replace(is_likely=result.is_likely)
            for row, result in zip(
                self._rows_of(memory, (result.memory for result in found)), found, strict=True
            )
        ]
        return tuple(row for row in rows if state in (None, row.prospect.state))[:top]

    def matching(self, words: str) -> tuple[MemoryRow, ...]:
        """List the memories that hold all these words, those put away too: what may be erased."""
        from siliconfriend.control.search import memories_with_words

        memory = self.memory()
        return self._rows_of(memory, memories_with_words(memory, words))

    def rows(self, *ids: str) -> tuple[MemoryRow, ...]:
        """List the memories with these ids, in their order."""
        memory = self.memory()
        return self._rows_of(memory, find_memories(memory, ids))

    def resolve(self, *beginnings: str) -> tuple[str, ...]:
        """Return the id for each prefix; UsageError: no id has that prefix, or several have."""
        ids = [record.id for record in self.memory().memories()]
        found = []
        for written in beginnings:
            # A whole id, or one without its final digest, is never ambiguous.
            fitting = [
                identifier
                for identifier in ids
                if written in (identifier, identifier.rpartition("-")[0])
            ]
            fitting = fitting or [
                identifier for identifier in ids if identifier.startswith(written)
            ]
            if not fitting:
                raise UsageError("memory_unknown", id=written)
            first, *others = fitting
            if others:
                raise UsageError("memory_ambiguous", id=written, number=len(fitting), first=first)
            found.append(first)
        return tuple(found)

    def show(self, memory_id: str) -> dict[str, Any]:
        """Return one memory whole as ``memories show --json``, with what was derived from it."""
        (row,) = self.rows(memory_id)
        return row.to_json() | memory_details(self.memory(), row.memory)

    def portrait(self) -> dict[str, PortraitPart]:
        """Return the texts on what the companion knows of the person, by their ids."""
        return {part.id: part for part in portrait_parts(self.memory())}

    def facts(self) -> Sequence[Fact]:
        """Return the facts that are true now, the last told first."""
        return active_facts(self.memory())

    def index(self, told: Callable[[int, int], object] | None = None) -> None:
        """Bring the search index up to date; ``told`` is called with how many texts of how many."""
        self._runtime.recaller.update_index(self.scope, told)

    def indexing(self) -> tuple[int, int] | None:
        """Return how many texts of how many are indexed; None while nothing is being indexed."""
        return self._runtime.recaller.indexing_progress(self.scope)

    def texts_left(self) -> int:
        """Return the number of unindexed texts, which are found by words only."""
        from siliconfriend.recall.recaller import MOST_WAITED

        done, count = self.indexing() or (0, 0)
        return count - done if count - done > MOST_WAITED else 0

    amemory = twin(memory)
    asummary = twin(summary)
    aupdate = twin(update)
    arecall = twin(recall)
    alist = twin(list)  # noqa: A003 - the method above
    asearch = twin(search)
    ashow = twin(show)
    aportrait = twin(portrait)
    afacts = twin(facts)
    aindex = twin(index)

    def _rows_of(self, memory: PersonMemory, records: Iterable[Memory]) -> tuple[MemoryRow, ...]:
        now, policy = self._runtime.now(memory), self._runtime.policy
        return tuple(memory_row(memory, record, policy, now) for record in records)

    def _extract_soon(self) -> None:
        if (worker := self._runtime.worker) is not None:
            worker.wake(self.scope)


def _changed(
    profile: Profile, language: Language | None, timezone: str | None, name: str | None
) -> Profile:
    """Return a profile with what is given (RefusedName, UsageError: it cannot be that)."""
    about = dict(profile.meta_information)
    if name is not None:
        about["name"] = clean_name(name)
    zone = profile.timezone if timezone is None else parse_timezone(timezone)
    language = language or profile.language
    return replace(profile, language=language, timezone=zone, meta_information=about)
