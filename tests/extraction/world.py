"""Ada's and Xiao's talk, a batch of it and a model's answer; and the talk in a store, read batch by batch."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from siliconfriend.extraction.extractor import Extracted, Subject, related_facts, related_memories
from siliconfriend.extraction.offline_extractor import OfflineExtractor
from siliconfriend.extraction.queue import Batch, pending_batches
from siliconfriend.extraction.store_facts import store_extracted
from siliconfriend.extraction.validation import validate_extraction
from siliconfriend.memory.changes import Change, PutContext, PutTurn, apply_all
from siliconfriend.memory.drafts import new_turn
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language
from tests.memory.stored import put, tell
from tests.memory.temporary import TemporaryStore

ADA = Subject("Ada", "Kai", "en")
XIAO = Subject("小林", "小硅", "cn")
WHO = Scope.of("Ada")
MET = datetime(2026, 6, 1, tzinfo=UTC)


def at(moment: str) -> datetime:
    """A moment of June 2026 in UTC: ``"3 14:05"``."""
    day, _, time = moment.partition(" ")
    return datetime.fromisoformat(f"2026-06-{int(day):02}T{time or '12:00'}:00+00:00")


def nobody_yet(language: Language = "en", scope: Scope = WHO) -> PersonMemory:
    """A memory without a word in it."""
    return PersonMemory(Profile(scope.person, language=language, timezone="UTC", created=MET))


def said(
    memory: PersonMemory, moment: str, query: str, response: str = "I see.", **fields: Any
) -> PersonMemory:
    """The memory after one more turn."""
    scope = Scope.of(memory.profile.name)
    turn = new_turn(scope, memory, query, now=at(moment))
    return apply_all(memory, [PutTurn(replace(turn, response=response, **fields))])


def talk(moments: Iterable[str], **fields: Any) -> PersonMemory:
    """A memory with a turn at each of the moments; its words are its number."""
    memory = nobody_yet()
    for number, moment in enumerate(moments, start=1):
        memory = said(memory, moment, f"word {number}", **fields)
    return memory


def batch_of(*spoken: str | tuple[str, str], **fields: Any) -> Batch:
    """The batch of turns said on the 3rd of June, a minute apart; a pair brings the reply."""
    memory = nobody_yet()
    for minute, words in enumerate(spoken):
        query, response = (words, "I see.") if isinstance(words, str) else words
        memory = said(memory, f"3 14:{minute:02}", query, response, **fields)
    return the_batch(memory)


def the_batch(memory: PersonMemory) -> Batch:
    """The only batch of a memory on the day after."""
    (batch,) = pending_batches(memory, at("4"), over=True)
    return batch


def ids(batch: Batch, *numbers: int) -> tuple[str, ...]:
    """The ids of turns of a batch, by number from 1."""
    return tuple(batch.turns[number - 1].id for number in numbers)


def an_event(text: str = "Ada carried a piano.", **fields: Any) -> dict[str, Any]:
    """An event as a model answers it."""
    return {"text": text, "time": "", "place": "", "turns": [1], **fields}


def a_fact(description: str, **fields: Any) -> dict[str, Any]:
    """A fact as a model answers it; about Ada, said by her in turn 1."""
    fact = {"entity": "Ada", "entity_type": "object", "aspect": "attribute", "key_word": ""}
    told = {"description": description, "said_by": "person", "turns": [1]}
    return {**fact, **told, "corrects": None, "repeats": None, **fields}


def an_answer(
    events: Any = (), facts: Any = (), importance: Any = (), changes: Any = ()
) -> dict[str, Any]:
    """A whole answer."""
    told = {"events": list(events), "facts": list(facts), "importance": list(importance)}
    return {**told, "changes": list(changes)}


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
    store: TemporaryStore = field(default_factory=TemporaryStore)

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
        return tell(self.store, self.scope, query, now=at(moment), response=response, **fields)

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
        known = related_memories(self.memory(), batch)
        return self.take(batch, validate_extraction(answer, self.subject, batch, known))

    def take(self, batch: Batch, found: Extracted) -> bool:
        """Take in what was read of a batch."""
        return store_extracted(self.store, self.scope, batch, found, now=NOW, made_by="scripted")

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
        return [fact for fact in self.memory().facts() if not fact.superseded_by]

    def known(self) -> list[str]:
        """Their words."""
        return [fact.text for fact in self.facts()]

    def events(self) -> list[Event]:
        """All events."""
        return list(self.memory().events())
