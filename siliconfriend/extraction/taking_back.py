"""What a rule took out of turns gives way to what a model finds when it reads them after all.

Rules say little and in the person's own words; were all of it left beside a model's, what was
told before there was a model would be remembered twice. But what a sentence said outright is
not lost because a small model overlooked it, and what the person put right, pinned or put
away stays as it is, and so does what an insight rests on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from siliconfriend.extraction.claims import same, statement_of
from siliconfriend.extraction.extractor import Extracted, FactDraft
from siliconfriend.extraction.statements import same_entity
from siliconfriend.extraction.telling import content
from siliconfriend.extraction.things import Embed
from siliconfriend.memory.changes import Change, Erase, PutDerived
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.documents import OFFLINE


def taken_back(
    memory: PersonMemory, ids: Collection[str], read: Extracted, embed: Embed | None
) -> Iterator[Change]:
    """The changes that take away what rules alone made of turns and what gives way.

    An event gives way to any event of the same turns, a fact to one that tells the same matter
    of the same one otherwise. A fact that one of them had replaced holds again.

    Args:
        memory: the newest snapshot.
        ids: of the turns that a model has read now.
        read: what it found.
        embed: as for :func:`siliconfriend.extraction.claims.same`.
    """
    noted = frozenset(it for it in ids if _is_noted(memory, it))
    if not noted:
        return
    cited = {source for it in memory.insights() for source in it.provenance.from_ids}
    told = {turn for it in read.events for turn in it.turns}
    gone = {
        event.id
        for event in memory.events()
        if _is_a_rules(event, noted) and not told.isdisjoint(event.provenance.from_ids)
    }
    gone.update(
        fact.id
        for fact in memory.facts()
        if _is_a_rules(fact, noted) and _gives_way(fact, read.facts, embed)
    )
    gone -= cited
    for fact in memory.facts():
        if fact.superseded_by in gone and fact.id not in gone:
            yield PutDerived(replace(fact, superseded_by="", merged=False))
    if gone:
        yield Erase(tuple(sorted(gone)))


def is_of_one_matter(fact: Fact, draft: FactDraft) -> bool:
    """Whether a draft tells of the same matter as a fact, the same of it or not."""
    told, drafted = statement_of(fact), statement_of(draft)
    if told is not None and drafted is not None:
        if told.kind != drafted.kind:
            return False
        if told.is_single:
            return True
    before = fact.text if told is None or drafted is None else told.value
    after = draft.text if told is None or drafted is None else drafted.value
    words = content(f"{before} {fact.key_word}", fact.entity)
    return bool(words & content(f"{after} {draft.key_word}", draft.entity))


def _is_noted(memory: PersonMemory, identifier: str) -> bool:
    turn = memory.find(identifier)
    return isinstance(turn, Turn) and turn.context == "noted"


def _is_a_rules(record: Event | Fact, noted: frozenset[str]) -> bool:
    """Whether rules made a record of nothing but these turns, and nobody laid a hand on it."""
    made, trace = record.provenance, record.trace
    is_touched = trace.pinned or trace.archived is not None
    return made.made_by == OFFLINE and not is_touched and noted.issuperset(made.from_ids)


def _gives_way(fact: Fact, drafts: Collection[FactDraft], embed: Embed | None) -> bool:
    about = [
        it
        for it in drafts
        if same_entity(it.entity, fact.entity)
        and not set(it.turns).isdisjoint(fact.provenance.from_ids)
        and is_of_one_matter(fact, it)
    ]
    return bool(about) and not any(same(it, fact, embed) for it in about)
