"""Ada's and Xiao's talk in a store without files, read batch by batch."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from siliconfriend.extraction.extractor import Extracted, Subject, related_facts
from siliconfriend.extraction.offline_extractor import OfflineExtractor
from siliconfriend.extraction.queue import Batch, pending_batches
from siliconfriend.extraction.store_facts import Known, store_extracted
from siliconfriend.extraction.validation import validate_extraction
from siliconfriend.memory.changes import Change, PutContext, PutTurn
from siliconfriend.memory.drafts import new_turn
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language
from tests.extraction.reading import MET, at
from tests.memory.stored import put

NOW = at("20")


def settle() -> None:
    """Wait until every worker has read what it was woken for."""
    for thread in threading.enumerate():
        if thread.name == "extraction":
            thread.join()


@dataclass
class Reading:
    """A person whose talk is read."""

    language: Language = "en"
    store: InMemoryStore = field(default_factory=InMemoryStore)

    def __post_init__(self) -> None:
        self.subject = Subject(
            *(("Ada", "Kai") if self.language == "en" else ("小林", "小硅")), self.language
        )
        self.scope = Scope.of(self.subject.person)
        self.store.create(
            self.scope,
            Profile(self.scope.person, language=self.language, timezone="UTC", created=MET),
        )

    def say(self, moment: str, query: str, response: str = "I see.", **fields: Any) -> str:
        """One more turn; its id."""
        with self.store.edit(self.scope) as edit:
            turn = new_turn(self.scope, edit.memory, query, now=at(moment))
            edit.add(PutTurn(replace(turn, response=response, **fields)))
        return turn.id

    def batches(self, now: datetime = NOW) -> list[Batch]:
        """What waits to be read."""
        memory = self.memory()
        return pending_batches(memory, now, over=True)

    def read(self) -> None:
        """Read all that waits, by rule."""
        for batch in self.batches():
            found = OfflineExtractor().extract(
                self.subject, batch, related_facts(self.memory(), batch)
            )
            assert self.take(batch, found)

    def believe(self, answer: dict[str, Any]) -> bool:
        """Read the oldest batch with what a model answers of it."""
        batch = self.batches()[0]
        known = related_facts(self.memory(), batch)
        return self.take(batch, validate_extraction(answer, self.subject, batch, known))

    def take(self, batch: Batch, found: Extracted) -> bool:
        """Take in what was read of a batch."""
        return store_extracted(
            self.store, self.scope, batch, found, Known(), now=NOW, made_by="scripted"
        )

    def put(self, *changes: Change) -> None:
        """Change the memory."""
        put(self.store, self.scope, *changes)

    def again(self, *ids: str) -> None:
        """Let turns wait to be read another time."""
        self.put(PutContext(ids, "pending"))

    def memory(self) -> PersonMemory:
        """What is remembered now."""
        return self.store.load(self.scope)

    def facts(self) -> list[Fact]:
        """The facts that hold."""
        return [it for it in self.memory().facts() if not it.superseded_by]

    def known(self) -> list[str]:
        """Their words."""
        return [it.text for it in self.facts()]

    def events(self) -> list[Event]:
        """All events."""
        return list(self.memory().events())
