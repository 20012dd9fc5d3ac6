"""What reading a batch gives, before it is stored, and who can read one.

A draft names turns by their ids and nothing else of the memory, so that it can be checked
against the memory as it is when the reading has ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from siliconfriend.extraction.queue import Batch
from siliconfriend.extraction.subject import Subject
from siliconfriend.memory.knowledge import Aspect, EntityType, Fact
from siliconfriend.topics.drafts import TopicDraft


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event as it was read; see :class:`siliconfriend.memory.knowledge.Event`.

    ``turns`` are ids of the batch's turns it comes from, oldest first.
    """

    text: str
    turns: tuple[str, ...]
    time: datetime | None = None
    place: str = ""
    scene: str = ""
    key_words: tuple[str, ...] = ()
    insight: str = ""


@dataclass(frozen=True, slots=True)
class FactDraft:
    """A fact as it was read; see :class:`siliconfriend.memory.knowledge.Fact`.

    Attributes:
        turns: ids of the batch's turns that are its evidence, oldest first.
        corrects: id of the known fact that it puts right; empty for none.
        repeats: id of the known fact that says the same; empty for none.
    """

    text: str
    turns: tuple[str, ...]
    entity: str
    entity_type: EntityType
    aspect: Aspect
    key_word: str = ""
    said_by: Literal["person", "companion"] = "person"
    corrects: str = ""
    repeats: str = ""


@dataclass(frozen=True, slots=True)
class Extracted:
    """All that one reading of a batch gave.

    ``importance``: how much turns matter, 0.1 to 1.0 by id, as far as the reading judged it.
    """

    events: tuple[EventDraft, ...] = ()
    facts: tuple[FactDraft, ...] = ()
    themes: tuple[TopicDraft, ...] = ()
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
        """What the batch holds.

        Args:
            subject: whose talk it is.
            batch: what is read.
            known: facts that the batch may repeat or correct.

        Raises:
            ModelError: nothing usable came of it; nothing of it may be kept.
        """
        ...
