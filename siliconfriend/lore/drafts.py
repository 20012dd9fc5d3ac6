"""Entries of lore before they have a place and an id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from siliconfriend.memory.knowledge import Aspect, EntityType
from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class FactDraft:
    """Something a companion knows.

    Attributes:
        text: a sentence.
        entity: the name of what it is about; empty for the companion itself.
        entity_type: what that is.
        aspect: what it says of it.
        key_word: the one word it is found by.
        day: when it was last told or changed; None where nobody knows.
        language: the only language it is recalled in; None for every one.
        extra: fields of an imported entry that mean nothing here.
    """

    text: str
    entity: str = ""
    entity_type: EntityType = "subject"
    aspect: Aspect = "attribute"
    key_word: str = ""
    day: date | None = None
    language: Language | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventDraft:
    """Something that happened in a companion's own life.

    Attributes:
        text: what happened.
        day: on which day; None where nobody knows.
        time: at which moment, aware, where that is known.
        place, scene, key_words, insight: as those of an event.
        language, extra: as those of a fact.
    """

    text: str
    day: date | None = None
    time: datetime | None = None
    place: str = ""
    scene: str = ""
    key_words: tuple[str, ...] = ()
    insight: str = ""
    language: Language | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


Draft = FactDraft | EventDraft
