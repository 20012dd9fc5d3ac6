"""Recall, list, search, show and index the memories of a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from siliconfriend.control.edit import find_memories
from siliconfriend.control.listing import MemoryRow, grouped_facts, memory_details, recall_document
from siliconfriend.errors import UsageError
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory, kind_of
from siliconfriend.models.output import clean
from siliconfriend.person.views import Portrait, PortraitPart

if TYPE_CHECKING:
    from siliconfriend.recall.association import Association
    from siliconfriend.recall.associations import AssociationTable
    from siliconfriend.recall.cue import Utterance
    from siliconfriend.recall.results import RecallResult
    from siliconfriend.stream.memory_stream import MemoryStream

from siliconfriend.person.base import PersonBase

STREAM_DECAY = 0.995 ** (1 / 3600)
"""Decay of recency per second in a stream: 0.995 an hour, as in Generative Agents."""
STREAM_WINDOW = 10


class RememberedPerson(PersonBase):
    """The memories of a person, to be read."""

    def recall(
        self,
        query: str,
        *,
        top: int = 10,
        at: datetime | None = None,
        talk: Sequence[Utterance] = (),
        recipe: str = "siliconfriend",
        reinforce: bool = False,
    ) -> RecallResult:
        """Recall the memories and facts that matter to what is asked or said, best first.

        Those that other companions share with this one are among them.

        ``top``: at most so many memories.
        ``at``: the moment of the recall, aware; now unless given.
        ``talk``: what was said before it in this conversation, oldest first.
        ``reinforce``: strengthen what is likely, as a reply does; else nothing is changed.

        Raises:
            ModelUnavailable: the embedder cannot be loaded or reached.
        """
        from siliconfriend.dialogue.retrieval import merge_shared, shared_scopes

        now = at or self._runtime.now(self.memory())
        recaller, lore = self._runtime.recaller, self._runtime.lore(self.scope.companion)
        shared = shared_scopes(self._store, self.scope, lore)
        found, *others = (
            recaller.recall(
                scope,
                clean(query),
                now=now,
                top=top,
                talk=talk,
                recipe=recipe,
                companion_name=self.companion_name,
            )
            for scope in (self.scope, *shared)
        )
        if reinforce:
            recaller.reinforce(self.scope, found, now=now)
        if not others:
            return found
        merged = merge_shared(found, others)
        return replace(merged, memories=merged.memories[:top])

    def own_story(self, query: str = "", *, top: int = 5) -> list[Fact | Event]:
        """List what the companion's lore tells, most fitting first; all of it without a query."""
        from siliconfriend.characters.lore import Lore

        if not query:
            lore = Lore(self._runtime.settings.home, self.scope.companion, embedder=None)
            return list(lore.entries(self.language, self.scope.person))
        known = self._runtime.lore(self.scope.companion)
        if known is None:
            return []
        found = known.recall(
            clean(query),
            now=self.now(),
            top=top,
            top_facts=top,
            language=self.language,
            person=self.scope.person,
        )
        recalled = (each.memory for each in (*found.facts, *found.memories))
        return [memory for memory in recalled if isinstance(memory, Fact | Event)]

    def recall_document(self, found: RecallResult) -> dict[str, Any]:
        """Return a recall as ``recall --json`` prints it, with the sections of a prompt."""
        return recall_document(self.scope, found, self.memory(), self._runtime.settings)

    def list(self, *, kind: str | None = None, state: str | None = None) -> tuple[MemoryRow, ...]:
        """List every memory with the day it will fade, oldest first."""
        return tuple(
            row
            for row in self._rows(self.memory())
            if kind in (None, kind_of(row.memory)) and state in (None, row.prospect.state)
        )

    def search(
        self,
        words: str = "",
        *,
        kind: str | None = None,
        entity: str | None = None,
        top: int | None = None,
    ) -> tuple[MemoryRow, ...]:
        """Search by meaning and words, best first; without words list what fits."""
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
        )
        return self._rows_of(memory, found[:top])

    def matching(self, words: str) -> tuple[MemoryRow, ...]:
        """List the memories that hold all these words: what may be erased by its words."""
        from siliconfriend.control.search import memories_with_words

        memory = self.memory()
        return self._rows_of(memory, memories_with_words(memory, words))

    def rows(self, *ids: str) -> tuple[MemoryRow, ...]:
        """List the memories with these ids, in their order."""
        memory = self.memory()
        return self._rows_of(memory, find_memories(memory, ids))

    def resolve(self, *beginnings: str) -> tuple[str, ...]:
        """Return the ids that begin so, one each (UsageError: none begins so, or more than one)."""
        ids = [record.id for record in self.memory().memories()]
        return tuple(_resolve(written, ids) for written in beginnings)

    def show(self, memory_id: str) -> dict[str, Any]:
        """Return one memory whole as ``memories show --json``, with what was derived from it."""
        memory = self.memory()
        (record,) = find_memories(memory, [memory_id])
        (row,) = self._rows_of(memory, [record])
        return row.to_json() | memory_details(memory, record)

    def associations(self) -> AssociationTable:
        """Return the words that go together in this memory, for :func:`siliconfriend.expand`."""
        return self._runtime.recaller.associations(self.scope)

    def portrait(self) -> Portrait:
        """Return what the companion knows of the person, each text with its evidence."""
        memory = self.memory()
        personality, history = memory.overall_personality, memory.overall_history
        facts = [fact for fact in memory.facts() if fact.is_active]
        facts.sort(key=lambda fact: (fact.last or fact.date, fact.id), reverse=True)
        return Portrait(
            name=memory.profile.called,
            companion=self.scope.companion,
            language=memory.profile.language,
            timezone=memory.profile.zone.key,
            personality=personality.text if personality else "",
            history=history.text if history else "",
            facts=tuple(facts),
            parts=tuple(_portrait_parts(memory)),
        )

    def index(self) -> None:
        """Bring the search index up to date."""
        self._runtime.recaller.update_index(self.scope)

    def indexing(self) -> tuple[int, int] | None:
        """Return how many texts of how many are indexed; None while nothing is being indexed."""
        return self._runtime.recaller.indexing_progress(self.scope)

    def texts_left(self) -> int:
        """Return how many texts are found by their words alone until they are indexed."""
        from siliconfriend.recall.recaller import MOST_WAITED

        done, count = self.indexing() or (0, 0)
        left = count - done
        return left if left > MOST_WAITED else 0

    def memory_stream(self) -> MemoryStream:
        """Return the turns, events and insights as a memory stream, oldest first.

        It is a copy: what it retrieves or reflects changes nothing that is stored.
        """
        from siliconfriend.recall.association import concepts_of
        from siliconfriend.stream.memory_stream import Memory, MemoryStream

        memories = []
        for concept in sorted(concepts_of(self.memory()), key=lambda concept: concept.created):
            kind = "reflection" if concept.kind == "insight" else "observation"
            memory = Memory(concept.description, concept.created, concept.last_accessed, kind)
            memory.importance = concept.importance
            memories.append(memory)
        return MemoryStream(
            memories,
            *(1.0, 1.0, 1.0),
            decay_factor=STREAM_DECAY,
            context_window_size=STREAM_WINDOW,
            chat=self._runtime.chat,
            embedder=self._runtime.embedder,
            clock=self._runtime.clock,
        )

    def association(self) -> Association:
        """Link turns, events and insights by key words, weighed by focal points; a copy."""
        from siliconfriend.recall.association import Association, concepts_of

        memory = self.memory()
        return Association(
            concepts_of(memory), now=self._runtime.now(memory), embedder=self._runtime.embedder
        )


def _resolve(written: str, ids: Sequence[str]) -> str:
    if written in ids:
        return written
    exact = [known for known in ids if known.rpartition("-")[0] == written]
    found = exact or [known for known in ids if known.startswith(written)]
    if not found:
        raise UsageError("memory_unknown", id=written)
    if len(found) > 1:
        raise UsageError("memory_ambiguous", id=written, number=len(found), first=found[0])
    return found[0]


def _portrait_parts(memory: PersonMemory) -> Iterator[PortraitPart]:
    for name in ("overall_history", "overall_personality"):
        overall = getattr(memory, name)
        if overall is not None and overall.text:
            yield _part(name, "overall", name, overall)
    for group, fact in grouped_facts(memory):
        yield _part(fact.id, group, fact.entity if group == "around" else fact.key_word, fact)
    for insight in memory.insights():
        yield _part(insight.id, "thoughts", insight.question, insight)
    for day in reversed(list(memory.days.values())):
        if day.personality is not None:
            yield _part(f"personality-{day.date}", "days", day.date, day.personality)


def _part(identifier: str, group: str, title: str, text: Any) -> PortraitPart:
    made = text.provenance
    return PortraitPart(identifier, group, title, text.text, made.made_by, tuple(made.from_ids))
