"""Store the extraction of a batch atomically.

A model reads without a lock. If a turn of the batch was reworded, erased or read meanwhile, the
result is dropped and the waiting turns are read again.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from siliconfriend.extraction.duplicates import compare, is_about_same, is_same_entity
from siliconfriend.extraction.extractor import ChangeDraft, Extracted
from siliconfriend.extraction.importance import offline_importance
from siliconfriend.extraction.queue import Batch
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold
from siliconfriend.memory.changes import (
    Change,
    Erase,
    PutContext,
    PutDerived,
    PutTrace,
    PutTurn,
    apply_all,
)
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import (
    BY_PERSON,
    CLOSING,
    MOST_EVIDENCE,
    OFFLINE,
    Event,
    Fact,
    Provenance,
    Tie,
    kept_evidence,
)
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope, parse_memory_id
from siliconfriend.memory.store import MemoryStore


def store_extracted(
    store: MemoryStore,
    scope: Scope,
    batch: Batch,
    extracted: Extracted,
    *,
    now: datetime,
    made_by: str,
) -> bool:
    """Store the extraction of a batch; store nothing and return False if the batch changed meanwhile.

    ``made_by`` is written into the provenance.

    Raises:
        UnknownPerson, MemoryBusy, ModelUnavailable: nothing is stored.
    """
    storing = _Storing(scope, batch, now, made_by)
    with store.edit(scope) as edit:
        is_current = is_still_unread(edit.memory, batch)
        if is_current:
            edit.add(*storing.changes(edit.memory, extracted))
    return is_current


def is_still_unread(memory: PersonMemory, batch: Batch) -> bool:
    """Return True if every turn of the batch has the same words and was not read since."""
    for turn in batch.turns:
        found = memory.find(turn.id)
        if not isinstance(found, Turn) or found.is_left_alone or not found.trace.is_active:
            return False
        if (found.query, found.response) != (turn.query, turn.response):
            return False
        if found.is_read and (found.context, turn.context) != ("noted", "noted"):
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Storing:
    scope: Scope
    batch: Batch
    now: datetime
    made_by: str

    def changes(self, memory: PersonMemory, extracted: Extracted) -> list[Change]:
        """Return all changes; each is computed on the memory after the previous ones."""
        done: list[Change] = []

        def put(*changes: Change) -> None:
            nonlocal memory
            done.extend(changes)
            memory = apply_all(memory, changes)

        put(*_supersede_offline(memory, self.batch, extracted))
        for identifier, importance in extracted.importance.items():
            found = memory.find(identifier)
            if found is not None and found.trace.importance is None:
                put(PutTrace(identifier, replace(found.trace, importance=importance)))
        # Events of an earlier reading of all these turns are kept.
        fresh = [event for event in extracted.events if not _have_events(memory, event.turns)]
        for event in fresh:
            rated = Trace(self.now, importance=_importance(memory, event.turns))
            made = Provenance(self.made_by, self.now, event.turns)
            date = self.batch.date
            new = event.to_event(memory, self.scope, date=date, trace=rated, provenance=made)
            put(PutDerived(new))
        for fact in sorted(extracted.facts, key=lambda draft: _newest_turn(draft.turns)):
            put(*self._fact(memory, fact))
        for change in extracted.changes:
            put(*self._change(memory, change))
        turns = tuple(turn.id for turn in self.batch.turns)
        context = PutContext(turns, "noted" if self.made_by == OFFLINE else "extracted")
        return [*done, context]

    def _change(self, memory: PersonMemory, draft: ChangeDraft) -> Iterator[Change]:
        """Close or doubt a known memory, or link the turn to the earlier turn it changes."""
        known, turn, date = memory.find(draft.known), memory.find(draft.turn), self.batch.date
        if not isinstance(turn, Turn):
            return
        is_closed = draft.how in CLOSING
        if isinstance(known, Turn):
            others = (tie for tie in turn.ties if tie.id != known.id)
            yield PutTurn(replace(turn, ties=(*others, Tie(known.id, draft.how))))
            if is_closed:
                yield PutTurn(replace(known, outdated_by=turn.id))
        elif isinstance(known, Event) and is_closed and not known.superseded_by:
            yield PutDerived(replace(known, superseded_by=turn.id))
        elif isinstance(known, Fact) and known.is_active:
            if is_closed:
                yield PutDerived(replace(known, superseded_by=turn.id, true_until=date))
            elif draft.how == "doubts":
                yield PutDerived(replace(known, doubted_by=turn.id))

    def _fact(self, memory: PersonMemory, draft: FactDraft) -> Iterator[Change]:
        """Store a fact as more evidence, as a correction, as history, as new, or not at all."""
        date, entity = self.batch.date, fold(draft.entity)
        about = [fact for fact in memory.facts() if fold(fact.entity) == entity]
        if any(self._was_settled(fact, draft) for fact in about):
            return
        duplicate = self._duplicate(draft, about)
        if duplicate is not None:
            from_ids = kept_evidence((*duplicate.provenance.from_ids, *draft.turns))
            made = replace(duplicate.provenance, from_ids=from_ids)
            first, last = min(duplicate.first or date, date), max(duplicate.last, date)
            yield PutDerived(replace(duplicate, provenance=made, first=first, last=last))
            return
        rated = Trace(self.now, importance=offline_importance(draft.text))
        made = Provenance(self.made_by, self.now, draft.turns)
        days = {"first": date, "last": date}
        new = draft.to_fact(memory, self.scope, **days, trace=rated, provenance=made)
        contradicted = [
            fact
            for fact in about
            if not fact.superseded_by
            and (fact.id == draft.corrects or compare(draft, fact) == "contradictory")
        ]
        later = [fact for fact in contradicted if self._is_later(fact, draft)]
        if later:
            yield PutDerived(replace(new, superseded_by=later[-1].id))
            return
        yield PutDerived(replace(new, true_from=date) if contradicted else new)
        for fact in contradicted:
            yield PutDerived(replace(fact, superseded_by=new.id, true_until=date))

    def _duplicate(self, draft: FactDraft, about: Iterable[Fact]) -> Fact | None:
        """Find the active duplicate, or the superseded one if the draft is older."""
        by_id = {fact.id: fact for fact in about}
        for fact in by_id.values():
            is_same = fact.id == draft.repeats or compare(draft, fact) == "same"
            if not is_same or not fact.trace.is_active:
                continue
            if not fact.superseded_by:
                return fact
            newer = by_id.get(fact.superseded_by)
            if newer is not None and self._is_later(newer, draft):
                return fact
        return None

    def _was_settled(self, fact: Fact, draft: FactDraft) -> bool:
        """Return True if the draft's turns gave this fact before it was archived or corrected."""
        from_ids = fact.provenance.from_ids
        was_given = set(from_ids).issuperset(draft.turns)
        if len(from_ids) >= MOST_EVIDENCE:  # it names only some of its turns
            was_given = fact.first <= self.batch.date <= fact.last
        if not was_given:
            return False
        if not fact.trace.is_active and compare(draft, fact) == "same":
            return True
        is_same_matter = not (fact.key_word and draft.key_word) or is_about_same(fact, draft)
        return (
            fact.aspect == draft.aspect and is_same_matter and self._is_corrected_after(fact, draft)
        )

    def _is_later(self, fact: Fact, draft: FactDraft) -> bool:
        """Return True if a fact was told, or corrected by the user, after all turns of a draft."""
        is_newer = _newest_turn(fact.provenance.from_ids) > _newest_turn(draft.turns)
        return is_newer or self._is_corrected_after(fact, draft)

    def _is_corrected_after(self, fact: Fact, draft: FactDraft) -> bool:
        made = fact.provenance
        said = max(turn.trace.created for turn in self.batch.turns if turn.id in draft.turns)
        return made.made_by == BY_PERSON and made.made_at >= said


def _supersede_offline(memory: PersonMemory, batch: Batch, read: Extracted) -> Iterator[Change]:
    """Erase the rule-made facts of these turns that a model's reading contradicts.

    Corrected, pinned and archived facts stay, and those that an insight cites. Facts that an erased
    one had superseded become active again.
    """
    noted = frozenset(turn.id for turn in batch.turns if turn.context == "noted")
    if not noted:
        return
    cited = {source for insight in memory.insights() for source in insight.provenance.from_ids}
    gone = {
        fact.id
        for fact in memory.facts()
        if fact.provenance.made_by == OFFLINE
        and noted.issuperset(fact.provenance.from_ids)
        and fact.trace.is_active
        and not fact.trace.pinned
        and _is_superseded(fact, read.facts)
    } - cited
    for fact in memory.facts():
        if fact.superseded_by in gone and fact.id not in gone:
            yield PutDerived(replace(fact, superseded_by=""))
    if gone:
        yield Erase(tuple(sorted(gone)))


def _importance(memory: PersonMemory, turns: Iterable[str]) -> float:
    found = (memory.find(identifier) for identifier in turns)
    return max(
        offline_importance(turn.query) if turn.trace.importance is None else turn.trace.importance
        for turn in found
        if isinstance(turn, Turn)
    )


def _newest_turn(ids: Iterable[str]) -> tuple[str, int]:
    places = [parse_memory_id(identifier) for identifier in ids]
    return max(
        (
            (place.date, place.position)
            for place in places
            if place is not None and place.kind == "turn"
        ),
        default=("", -1),
    )


def _is_superseded(fact: Fact, drafts: Collection[FactDraft]) -> bool:
    """Return True if drafts of the same turns cover the same matter with other values."""
    about = [
        draft
        for draft in drafts
        if is_same_entity(draft.entity, fact.entity)
        and not set(draft.turns).isdisjoint(fact.provenance.from_ids)
        and is_about_same(fact, draft)
    ]
    return bool(about) and all(compare(draft, fact) != "same" for draft in about)


def _have_events(memory: PersonMemory, turns: Collection[str]) -> bool:
    """Return True if the events of the turns' days are based on all of these turns."""
    dates = {place.date for source in turns if (place := parse_memory_id(source)) is not None}
    events = (event for date in dates & memory.days.keys() for event in memory.on(date, "event"))
    sources = (event.provenance.from_ids for event in events if isinstance(event, Event))
    return set(turns) <= set(chain.from_iterable(sources))
