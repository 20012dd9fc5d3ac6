"""The interface of extractors: input, result, and the known facts they are shown.

Few known facts are shown, so that the prompt stays short; single-valued ones (home, job) always,
since a correction in another language may share no word with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from siliconfriend.extraction.queue import Batch
from siliconfriend.language.words import word_set
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

SINGLE_VALUED = frozenset(("name", "home", "job"))
"""Kinds of facts of which one has only one: another value is a correction."""
MAX_KNOWN_FACTS = 12
MAX_SINGLE_VALUED = 4
"""Most single-valued facts among them, the last told first."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Names of person and companion, and the person's language."""

    person: str
    companion: str
    language: Language


@dataclass(frozen=True, slots=True)
class Extracted:
    """Drafts of one reading of a batch, and the importance of turns by id, 0.1 to 1.0, where judged."""

    events: tuple[EventDraft, ...] = ()
    facts: tuple[FactDraft, ...] = ()
    importance: Mapping[str, float] = field(default_factory=dict)


class Extractor(Protocol):
    """Extracts from batches; ``made_by`` is a model's name, or ``offline``."""

    made_by: str

    def extract(self, subject: Subject, batch: Batch, known: Sequence[Fact]) -> Extracted:
        """Extract events and facts from a batch, which may repeat or correct known facts.

        Raises:
            ModelError: nothing usable came of it; nothing of it may be kept.
        """


def related_facts(memory: PersonMemory, batch: Batch) -> list[Fact]:
    """Find the active facts a batch may repeat or correct, at most :data:`MAX_KNOWN_FACTS`.

    Those of which one has only one come first, then those that share most words with the batch.
    """
    facts = sorted(
        (it for it in memory.facts() if it.is_active), key=lambda it: it.last, reverse=True
    )
    said = word_set(*(turn.text for turn in batch.turns))
    single = [it for it in facts if it.entity_type == "object" and it.kind in SINGLE_VALUED]
    shared = [len(said & word_set(it.text, it.key_word)) for it in facts]
    similar = sorted((-count, at) for at, count in enumerate(shared) if count)
    chosen = [*single[:MAX_SINGLE_VALUED], *(facts[at] for _, at in similar)]
    return list({fact.id: fact for fact in chosen}.values())[:MAX_KNOWN_FACTS]
