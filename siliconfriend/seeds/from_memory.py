"""Apply the systems of this package to a stored memory."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from siliconfriend.config import load_settings
from siliconfriend.language.tokenizer import token_pairs
from siliconfriend.memory.changes import apply_all
from siliconfriend.memory.knowledge import OFFLINE
from siliconfriend.models.output import clean
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.cue import name_words
from siliconfriend.seeds import expansion
from siliconfriend.seeds.association import Association, concepts_of
from siliconfriend.seeds.association_table import AssociationTable
from siliconfriend.seeds.association_table import table_in as table_in
from siliconfriend.seeds.expansion import Expansion, Strategy, query_terms
from siliconfriend.seeds.topics import (
    TopicSimilarity,
    assign_topics,
    drafts_by_day,
    evict_topics,
    learn_from_hot_topics,
)

if TYPE_CHECKING:
    from siliconfriend.person import Person
    from siliconfriend.seeds.memory_stream import MemoryStream

STREAM_DECAY = 0.995 ** (1 / 3600)
"""Decay a second: 0.995 an hour."""


def expand(
    sentence: str,
    limit: int = 100,
    strategy: Strategy = "first",
    filter_values: Collection[int] = (0,),
    *,
    table: AssociationTable | None = None,
) -> Expansion:
    """Expand a sentence (:func:`siliconfriend.seeds.expansion.expand`), by default with the operator's table."""
    table = table or table_in(load_settings().home)
    return expansion.expand(clean(sentence), limit, strategy, filter_values, table=table)


def keywords(bank: MemoryBank, person: Person, text: str, most: int) -> list[str]:
    """Return the heaviest words of a text by TF-IDF over the person's memories, heaviest first."""
    with bank.runtime.recaller.synced_index(person.scope) as (index, memory):
        terms = query_terms(
            token_pairs(text),
            names=name_words([memory.profile.name]),
            frequency=index.word_index.frequency,
            documents=len(index.word_index),
        )
    return [term.word for term in terms[:most]]


def association(bank: MemoryBank, person: Person) -> Association:
    """Return an association over a copy of the turns, events, facts and insights."""
    concepts, embedder = concepts_of(person.memory()), bank.runtime.embedder
    return Association(concepts, now=person.now(), embedder=embedder)


def memory_stream(bank: MemoryBank, person: Person) -> MemoryStream:
    """Return a copy of the turns, events, facts and insights as a memory stream, oldest first."""
    from siliconfriend.seeds.memory_stream import Memory, MemoryStream

    memories, runtime = [], bank.runtime
    for concept in sorted(concepts_of(person.memory()), key=lambda concept: concept.created):
        kind = "reflection" if concept.kind == "insight" else "observation"
        memory = Memory(concept.description, concept.created, concept.last_accessed, kind)
        memory.importance = concept.importance
        memories.append(memory)
    return MemoryStream(
        memories,
        *(1.0, 1.0, 1.0, STREAM_DECAY, 10),
        chat=runtime.chat,
        embedder=runtime.embedder,
        clock=runtime.clock,
    )


def arrange_topics(bank: MemoryBank, person: Person) -> int:
    """Store topics of the turns and knowledge of hot ones; return the number of active topics."""
    now, scope = person.now(), person.scope
    similarity = TopicSimilarity(bank.runtime.embedder)
    with bank.runtime.store.edit(scope) as edit:
        drafts = drafts_by_day(edit.memory)
        changes = assign_topics(edit.memory, scope, drafts, similarity, now=now, made_by=OFFLINE)
        after = apply_all(edit.memory, changes)
        learned = learn_from_hot_topics(after, now, policy=bank.runtime.policy).changes
        evicted = evict_topics(apply_all(after, learned), now)
        edit.add(*changes, *learned, *evicted)
    return sum(topic.trace.is_active for topic in edit.memory_after.topics())
