"""Retrieve topics, their pages and knowledge for a question; looking changes nothing.

The steps and numbers of MemoryOS (arXiv 2506.06326, its ``retrieve_context``): the five
nearest topics, the seven best of their pages, and of each knowledge the twenty nearest
entries. What then enters a prompt is told to :meth:`Recaller.reinforce`, which visits the
topics; MemoryOS counts each look as a visit, so that asking about a topic warmed it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from siliconfriend.extraction.topics.knowledge import Owner, knowledge_entries
from siliconfriend.memory.knowledge import Fact, Topic
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.similarity import QuerySimilarity

TOPICS, PAGES, ENTRIES = 5, 7, 20
TOPIC_FLOOR, PAGE_FLOOR, ENTRY_FLOOR = 0.1, 0.1, 0.01
"""The least likeness that counts, of a topic with its share of key words added."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Topics, pages and knowledge for a question, each best first.

    Attributes:
        topics: those that gave a page.
        pages: turns of these topics.
        overviews: what the talk was about that each page belongs to, by the page's id.
        user_knowledge: entries about the person and the world around them.
        assistant_knowledge: entries about the companion: what it promised, recommended, said.
    """

    topics: tuple[Topic, ...]
    pages: tuple[Turn, ...]
    overviews: Mapping[str, str]
    user_knowledge: tuple[Fact, ...]
    assistant_knowledge: tuple[Fact, ...]


def retrieve(
    recaller: Recaller,
    scope: Scope,
    query: str,
    *,
    now: datetime,
    pages: int = PAGES,
    exclude: Collection[str] = (),
) -> Retrieved:
    """Retrieve topics, pages and knowledge relevant to ``query``; what was archived stays out.

    Args:
        recaller: over the person's store.
        scope: whose.
        query: what is asked or said.
        now: aware.
        pages: at most so many, of all these topics together.
        exclude: ids of pages that are in the prompt already.

    Raises:
        UnknownPerson, DamagedMemory: as the store's ``load``.
        ModelUnavailable: the embedder is a service that failed.
    """
    near = recaller.similarity(scope, query, now=now)
    found = _nearest_topics(near)
    held = [page for topic in found for page in topic.pages if page not in exclude]
    best = _best(near, held, PAGE_FLOOR, pages)
    turns = [it for page in best if isinstance(it := near.memory.find(page), Turn)]
    given = frozenset(best)
    return Retrieved(
        topics=tuple(topic for topic in found if not given.isdisjoint(topic.pages)),
        pages=tuple(turns),
        overviews={
            page: talk.overview
            for topic in found
            for talk in topic.talks
            for page in talk.pages
            if page in given
        },
        user_knowledge=_nearest_entries(near, "user"),
        assistant_knowledge=_nearest_entries(near, "assistant"),
    )


def _nearest_topics(near: QuerySimilarity) -> list[Topic]:
    topics = near.topics()
    scores = dict(
        zip((topic.id for topic in topics), near.topic_scores(topics).tolist(), strict=True)
    )
    order = sorted(topics, key=lambda it: (-scores[it.id], it.id))
    return [topic for topic in order if scores[topic.id] >= TOPIC_FLOOR][:TOPICS]


def _nearest_entries(near: QuerySimilarity, owner: Owner) -> tuple[Fact, ...]:
    entries = {fact.id: fact for fact in knowledge_entries(near.memory, owner)}
    return tuple(entries[it] for it in _best(near, list(entries), ENTRY_FLOOR, ENTRIES))


def _best(near: QuerySimilarity, ids: Sequence[str], floor: float, most: int) -> list[str]:
    """The nearest of these ids, best first; equals by id."""
    found = [identifier for identifier in ids if near.of.get(identifier, float("-inf")) >= floor]
    return sorted(found, key=lambda it: (-near.of[it], it))[:most]
