"""People of whom something is known, and what asking for it gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.knowledge import Aspect, EntityType, Fact
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.scope import Scope, memory_id
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import RecallResult
from siliconfriend.texts import Language
from tests.memory.people import NORA, a_profile
from tests.memory.stored import put

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
DAY = "2026-03-01"


def a_fact(
    text: str,
    *,
    key_word: str = "",
    entity: str = "Nora",
    entity_type: EntityType = "object",
    aspect: Aspect = "attribute",
    last: str = DAY,
    **more: Any,
) -> Fact:
    """A fact; its place in its day is given when it is told."""
    return Fact(
        id="",
        date=last,
        position=0,
        text=text,
        trace=Trace(NOW),
        provenance=Provenance("scripted", NOW),
        entity=entity,
        entity_type=entity_type,
        aspect=aspect,
        key_word=key_word,
        first=DAY,
        last=last,
        **more,
    )


def numbered(facts: Iterable[Fact], scope: Scope = NORA) -> list[Fact]:
    """The facts with their ids, numbered within their days."""
    made: list[Fact] = []
    for fact in facts:
        position = sum(it.date == fact.date for it in made)
        identifier = memory_id(scope, "fact", fact.date, position)
        made.append(replace(fact, id=identifier, position=position))
    return made


def know(
    store: MemoryStore,
    facts: Iterable[Fact],
    scope: Scope = NORA,
    language: Language = "en",
) -> list[Fact]:
    """Put facts into a store; they as they stand there."""
    made = numbered(facts, scope)
    if not store.exists(scope):
        store.create(scope, replace(a_profile(scope), language=language))
    put(store, scope, *(PutDerived(it) for it in made))
    return made


def known(recollection: RecallResult) -> list[str]:
    """The descriptions of the facts found, in their order."""
    return [it.memory.text for it in recollection.facts if isinstance(it.memory, Fact)]


def ask(recaller: Recaller, query: str, scope: Scope = NORA, **options: Any) -> list[str]:
    """What is known that bears on a question."""
    return known(recaller.recall(scope, query, now=NOW, **options))
