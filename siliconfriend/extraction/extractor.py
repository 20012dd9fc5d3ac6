"""The interface of extractors: input, result, and the known facts they are shown.

Few known facts are shown, so that the prompt stays short; single-valued ones (home, job) always,
since a correction in another language may share no word with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from siliconfriend.extraction.comparison import SINGLE_VALUED
from siliconfriend.extraction.queue import Batch
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

MAX_KNOWN_FACTS = 12
MAX_SINGLE_VALUED = 4
"""Most of these that are facts of which a person has only one (a home, say), the last told first."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Names of person and companion, and the person's language."""

    person: str
    companion: str
    language: Language


@dataclass(frozen=True, slots=True)
class TopicDraft:
    """Pages of one batch that belong together.

    Attributes:
        summary: what they are about, in a sentence or a few.
        key_words: the words for it, most telling first.
        pages: ids of turns, oldest first.
        continues: its first page goes on from the page right before the batch.
    """

    summary: str
    key_words: tuple[str, ...]
    pages: tuple[str, ...]
    continues: bool


@dataclass(frozen=True, slots=True)
class Extracted:
    """Drafts that one reading of a batch gave, and how much turns matter, 0.1 to 1.0 by id, where it judged that."""

    events: tuple[EventDraft, ...] = ()
    facts: tuple[FactDraft, ...] = ()
    topics: tuple[TopicDraft, ...] = ()
    importance: Mapping[str, float] = field(default_factory=dict)


class Extractor(Protocol):
    """Reads batches."""

    @property
    def made_by(self) -> str:
        """The model's name, or ``offline``."""
        ...

    def extract(self, subject: Subject, batch: Batch, known: Sequence[Fact]) -> Extracted:
        """Extract events, facts and topics from a batch, which may repeat or correct known facts.

        Raises:
            ModelError: nothing usable came of it; nothing of it may be kept.
        """
        ...


def related_facts(memory: PersonMemory, batch: Batch) -> list[Fact]:
    """Find the active facts a batch may repeat or correct, at most :data:`MAX_KNOWN_FACTS`.

    Those of which one has only one come first, then those that share most words with the batch.
    """
    facts = [fact for fact in memory.facts() if fact.is_active]
    said = {word for turn in batch.turns for word in tokenize(f"{turn.query}\n{turn.response}")}
    single = [it for it in facts if it.entity_type == "object" and it.kind in SINGLE_VALUED]
    single.sort(key=lambda fact: fact.last, reverse=True)
    shared = {
        fact.id: len(said.intersection(tokenize(f"{fact.text} {fact.key_word}"))) for fact in facts
    }
    near = [fact for fact in facts if shared[fact.id]]
    near.sort(key=lambda fact: (shared[fact.id], fact.last), reverse=True)
    chosen = {fact.id: fact for fact in (*single[:MAX_SINGLE_VALUED], *near)}
    return list(chosen.values())[:MAX_KNOWN_FACTS]
