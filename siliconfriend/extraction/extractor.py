"""Who can read a batch of talk, whom it is about, and what one reading of it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from siliconfriend.extraction.drafts import EventDraft, FactDraft
from siliconfriend.extraction.queue import Batch
from siliconfriend.memory.knowledge import Fact
from siliconfriend.texts import Language
from siliconfriend.topics.drafts import TopicDraft


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom texts are about, and in which language they are written.

    Attributes:
        person: their name.
        companion: the companion's.
        language: the person's.
    """

    person: str
    companion: str
    language: Language


@dataclass(frozen=True, slots=True)
class Extracted:
    """All that one reading of a batch gave.

    Attributes:
        events, facts, topics: drafts of them.
        importance: how much turns matter, 0.1 to 1.0 by id, as far as the reading judged it.
    """

    events: tuple[EventDraft, ...] = ()
    facts: tuple[FactDraft, ...] = ()
    topics: tuple[TopicDraft, ...] = ()
    importance: Mapping[str, float] = field(default_factory=dict)


class Extractor(Protocol):
    """Reads batches.

    Attributes:
        made_by: what the provenance of what it reads says.
    """

    @property
    def made_by(self) -> str:
        """The model's name, or ``offline``."""
        ...

    def extract(self, subject: Subject, batch: Batch, known: Sequence[Fact]) -> Extracted:
        """Extract events, facts and topics from a batch.

        Args:
            subject: whose talk it is.
            batch: what is read.
            known: facts that the batch may repeat or correct.

        Raises:
            ModelError: nothing usable came of it; nothing of it may be kept.
        """
        ...
