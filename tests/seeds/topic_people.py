"""Somebody with pages, topics and facts to test topics on."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import Change, PutDerived, PutTurn, apply_all
from siliconfriend.memory.knowledge import EntityType, Fact, Provenance, Topic, TopicSegment
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import memory_id
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.seeds.topics import TopicDraft, TopicSimilarity, assign_topics
from tests.memory.people import NORA, a_profile, a_turn

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
DAY = "2026-03-01"


def with_turns(count: int, *, day: str = DAY) -> PersonMemory:
    """A memory of ``count`` turns of one day."""
    turns = [a_turn(f"I said number {at}.", day=day, position=at) for at in range(count)]
    return with_records(PersonMemory(a_profile()), turns)


def with_records(memory: PersonMemory, records: Iterable[Turn | Topic | Fact]) -> PersonMemory:
    """The memory with these in it."""
    changes = [
        PutTurn(record) if isinstance(record, Turn) else PutDerived(record) for record in records
    ]
    return apply_all(memory, changes)


def page(position: int, *, day: str = DAY) -> str:
    """The id of a turn."""
    return memory_id(NORA, "turn", day, position)


def pages(*positions: int, day: str = DAY) -> tuple[str, ...]:
    """The ids of turns."""
    return tuple(page(at, day=day) for at in positions)


def a_theme(summary: str, *positions: int, words: Sequence[str] = (), day: str = DAY) -> TopicDraft:
    """A theme over turns of one day."""
    return TopicDraft(summary, tuple(words), pages(*positions, day=day))


def join(
    memory: PersonMemory, *themes: TopicDraft, embedder: Embedder | None = None, now: datetime = NOW
) -> PersonMemory:
    """The memory after one batch of themes."""
    changes: Sequence[Change] = assign_topics(
        memory, NORA, themes, TopicSimilarity(embedder), now=now, made_by="scripted"
    )
    return apply_all(memory, changes)


def a_topic(
    text: str,
    on: Sequence[str],
    *,
    position: int = 0,
    day: str = DAY,
    words: Sequence[str] = (),
    **values: object,
) -> Topic:
    """A topic with one talk; its length is that of its pages."""
    identifier, pages = memory_id(NORA, "topic", day, position), tuple(on)
    made = Provenance("scripted", NOW, pages)
    topic = Topic(identifier, day, position, text, Trace(NOW), made, tuple(words))
    talks = (TopicSegment(pages, text),) if on else ()
    topic = replace(topic, talks=talks, length=len(on), last_visit=NOW)
    return replace(topic, **values)  # type: ignore[arg-type]  # the fields under test


def a_fact(
    text: str,
    on: Sequence[str],
    *,
    position: int = 0,
    day: str = DAY,
    about: EntityType = "object",
    created: datetime = NOW,
    **values: object,
) -> Fact:
    """A fact with its evidence."""
    identifier, made = (
        memory_id(NORA, "fact", day, position),
        Provenance("scripted", NOW, tuple(on)),
    )
    told = (identifier, day, position, text, Trace(created), made)
    fact = Fact(*told, "Nora", about, "attribute")
    return replace(fact, **values)  # type: ignore[arg-type]  # the fields under test
