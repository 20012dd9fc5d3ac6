"""What was read of a batch enters the memory, all of it at once or nothing.

A model reads with no lock held, so the memory may have moved on meanwhile. If a turn of the
batch was reworded, erased, or read by someone else, all that came of it is dropped, and the
turns that still wait are read again. Taken in twice it changes nothing.

What a rule took out of turns gives way to what a model finds when it reads them after all:
rules say little and in the person's own words; were all of it left beside a model's, what was
told before there was a model would be remembered twice. But what a sentence said outright is
not lost because a small model overlooked it, and what the person put right, pinned or put
away stays as it is, and so does what an insight rests on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from siliconfriend.extraction.attribution import content_words
from siliconfriend.extraction.comparison import contradicts, fact_statement, is_same, is_same_entity
from siliconfriend.extraction.drafts import EventDraft, FactDraft
from siliconfriend.extraction.extractor import Extracted
from siliconfriend.extraction.phrases import Embed
from siliconfriend.extraction.queue import Batch
from siliconfriend.forgetting.trace import Trace
from siliconfriend.importance import offline_importance
from siliconfriend.memory.changes import Change, Erase, PutContext, PutDerived, PutTrace, apply
from siliconfriend.memory.identity import place_of
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.provenance import BY_PERSON, Provenance
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.documents import OFFLINE
from siliconfriend.recall.score_calibration import PLAIN, ScoreCalibration
from siliconfriend.topics.assignment import assign_topics


def store_extracted(
    store: MemoryStore,
    scope: Scope,
    batch: Batch,
    extracted: Extracted,
    *,
    embed: Embed | None,
    now: datetime,
    made_by: str,
    likeness: ScoreCalibration = PLAIN,
) -> bool:
    """Store what was read; whether the batch was still what had been read.

    Args:
        store: where the memory is.
        scope: whose.
        batch: what was read.
        extracted: what came of it.
        embed: vectors to compare facts of two languages and topics by; None for words alone.
            It is called under the lock as well, so it should know these texts by then.
        now: aware.
        made_by: what the provenance says.
        likeness: of the embedder behind ``embed``.

    Raises:
        UnknownPerson, MemoryBusy, ModelUnavailable: nothing is stored.
    """
    taking = _BatchChanges(scope, batch, embed, now, made_by, likeness)
    if embed is not None:
        taking.changes(store.load(scope), extracted)  # embeds all that the lock must not wait for
    with store.edit(scope) as edit:
        is_taken = is_still_unread(edit.memory, batch)
        if is_taken:
            edit.add(*taking.changes(edit.memory, extracted))
    return is_taken


def is_still_unread(memory: PersonMemory, batch: Batch) -> bool:
    """Whether every turn of the batch is there in the same words and not read since."""
    return all(_is_unchanged(memory, turn) for turn in batch.turns)


def _is_unchanged(memory: PersonMemory, turn: Turn) -> bool:
    found = memory.find(turn.id)
    return (
        isinstance(found, Turn)
        and (found.query, found.response) == (turn.query, turn.response)
        and (not found.is_read or (found.context, turn.context) == ("noted", "noted"))
        and not found.unkept
        and found.trace.archived is None
    )


class _BatchChanges:
    """One batch on its way into one memory."""

    def __init__(
        self,
        scope: Scope,
        batch: Batch,
        embed: Embed | None,
        now: datetime,
        made_by: str,
        likeness: ScoreCalibration,
    ) -> None:
        self._scope = scope
        self._batch = batch
        self._embed = embed
        self._now = now
        self._made_by = made_by
        self._likeness = likeness
        self._turns = {turn.id: turn for turn in batch.turns}

    def changes(self, memory: PersonMemory, extracted: Extracted) -> list[Change]:
        """All changes, in order."""
        done: list[Change] = []

        def do(changes: Iterable[Change]) -> None:
            nonlocal memory
            for change in changes:
                done.append(change)
                memory = apply(memory, change)

        do(supersede_offline(memory, self._turns, extracted, self._embed))
        told = {source for event in memory.events() for source in event.provenance.from_ids}
        do(self._judged(memory, extracted))
        for event in extracted.events:
            # What an earlier reading of all these turns gave stands.
            if not told.issuperset(event.turns):
                do([self._event(memory, event)])
        for fact in sorted(extracted.facts, key=lambda it: _newest_turn(it.turns)):
            do(self._fact(memory, fact))
        done += assign_topics(
            memory,
            self._scope,
            extracted.topics,
            embed=self._embed,
            now=self._now,
            made_by=self._made_by,
            likeness=self._likeness,
        )
        is_by_rule = self._made_by == OFFLINE
        done.append(PutContext(tuple(self._turns), "noted" if is_by_rule else "extracted"))
        return done

    def _judged(self, memory: PersonMemory, extracted: Extracted) -> Iterator[Change]:
        for identifier, importance in extracted.importance.items():
            found = memory.find(identifier)
            if found is not None and found.trace.importance is None:
                yield PutTrace(identifier, replace(found.trace, importance=importance))

    def _event(self, memory: PersonMemory, draft: EventDraft) -> Change:
        date = self._turns[draft.turns[-1]].date
        return PutDerived(
            draft.to_event(
                memory,
                self._scope,
                date=date,
                trace=Trace(self._now, importance=self._importance(memory, draft.turns)),
                provenance=Provenance(self._made_by, self._now, draft.turns),
            )
        )

    def _fact(self, memory: PersonMemory, draft: FactDraft) -> Iterator[Change]:
        first, last = self._turns[draft.turns[0]].date, self._turns[draft.turns[-1]].date
        about = [it for it in memory.facts() if is_same_entity(it.entity, draft.entity)]
        if any(self._was_put_right(it, draft) or self._is_away(it, draft) for it in about):
            return
        repeated = self._repeated(draft, about)
        if repeated is not None:
            yield PutDerived(_with_more_evidence(repeated, draft.turns, first, last))
            return
        fact = draft.to_fact(
            memory,
            self._scope,
            first=first,
            last=last,
            trace=Trace(self._now, importance=offline_importance(draft.text)),
            provenance=Provenance(self._made_by, self._now, draft.turns),
        )
        wrong = [it for it in about if not it.superseded_by and self._corrects(draft, it)]
        later = [it for it in wrong if self._is_later(it, draft)]
        if later:
            yield PutDerived(replace(fact, superseded_by=later[-1].id))
            return
        yield PutDerived(fact)
        for it in wrong:
            yield PutDerived(replace(it, superseded_by=fact.id))

    def _repeated(self, draft: FactDraft, about: Iterable[Fact]) -> Fact | None:
        """The fact that says the same: one that holds, or one of the past told of the past."""
        by_id = {it.id: it for it in about}
        for fact in by_id.values():
            repeats = fact.id == draft.repeats or is_same(draft, fact, self._embed)
            if not repeats or fact.trace.archived is not None:
                continue
            if not fact.superseded_by:
                return fact
            newer = by_id.get(fact.superseded_by)
            if newer is not None and self._is_later(newer, draft):
                return fact
        return None

    def _corrects(self, draft: FactDraft, fact: Fact) -> bool:
        return fact.id == draft.corrects or contradicts(draft, fact, self._embed)

    def _was_put_right(self, fact: Fact, draft: FactDraft) -> bool:
        """Whether the person said since how it is what these very turns tell."""
        rests = set(fact.provenance.from_ids)
        return (
            fact.aspect == draft.aspect
            and rests.issuperset(draft.turns)
            and _may_be_what_was(fact, draft)
            and self._is_said_after(fact, draft)
        )

    def _is_away(self, fact: Fact, draft: FactDraft) -> bool:
        """Whether this, told in these very turns, was put away: it does not come back by itself."""
        is_away = fact.trace.archived is not None
        rests = set(fact.provenance.from_ids)
        return is_away and rests.issuperset(draft.turns) and is_same(draft, fact, self._embed)

    def _is_later(self, fact: Fact, draft: FactDraft) -> bool:
        """Whether a fact was told, or put right by the person, after all a draft rests on."""
        if self._is_said_after(fact, draft):
            return True
        return _newest_turn(fact.provenance.from_ids) > _newest_turn(draft.turns)

    def _is_said_after(self, fact: Fact, draft: FactDraft) -> bool:
        """Whether the person put the fact right after the turns of a draft were said."""
        made = fact.provenance
        said = max(self._turns[it].trace.created for it in draft.turns)
        return made.made_by == BY_PERSON and made.made_at >= said

    def _importance(self, memory: PersonMemory, turns: Iterable[str]) -> float:
        """That of the turn that matters most, as judged or by rule."""
        found = (memory.find(it) for it in turns)
        return max(
            offline_importance(it.query) if it.trace.importance is None else it.trace.importance
            for it in found
            if isinstance(it, Turn)
        )


def _newest_turn(ids: Iterable[str]) -> tuple[str, int]:
    """The day and place of the newest of these turns."""
    places = (place for it in ids if (place := place_of(it)) is not None and place.kind == "turn")
    return max(((place.date, place.position) for place in places), default=("", -1))


def _may_be_what_was(fact: Fact, draft: FactDraft) -> bool:
    """Whether a draft may tell what a fact told before the person reworded it."""
    has_key_words = bool(fact.key_word and draft.key_word)
    return not has_key_words or is_about_same(fact, draft)


def _with_more_evidence(fact: Fact, turns: Iterable[str], first: str, last: str) -> Fact:
    """The fact with more evidence."""
    from_ids = tuple(dict.fromkeys((*fact.provenance.from_ids, *turns)))
    return replace(
        fact,
        provenance=replace(fact.provenance, from_ids=from_ids),
        first=min(fact.first or first, first),
        last=max(fact.last or last, last),
    )


def supersede_offline(
    memory: PersonMemory, ids: Collection[str], read: Extracted, embed: Embed | None
) -> Iterator[Change]:
    """The changes that take away what rules alone made of turns and what gives way.

    An event gives way to any event of the same turns, a fact to one that tells the same matter
    of the same one otherwise. A fact that one of them had replaced holds again.

    Args:
        memory: the newest snapshot.
        ids: of the turns that a model has read now.
        read: what it found.
        embed: as for :func:`siliconfriend.extraction.comparison.is_same`.
    """
    noted = frozenset(it for it in ids if _was_read_offline(memory, it))
    if not noted:
        return
    cited = {source for it in memory.insights() for source in it.provenance.from_ids}
    told = {turn for it in read.events for turn in it.turns}
    gone = {
        event.id
        for event in memory.events()
        if _is_untouched_offline(event, noted) and not told.isdisjoint(event.provenance.from_ids)
    }
    gone.update(
        fact.id
        for fact in memory.facts()
        if _is_untouched_offline(fact, noted) and _is_superseded(fact, read.facts, embed)
    )
    gone -= cited
    for fact in memory.facts():
        if fact.superseded_by in gone and fact.id not in gone:
            yield PutDerived(replace(fact, superseded_by="", merged=False))
    if gone:
        yield Erase(tuple(sorted(gone)))


def is_about_same(fact: Fact, draft: FactDraft) -> bool:
    """Whether a draft tells of the same matter as a fact, the same of it or not."""
    told, drafted = fact_statement(fact), fact_statement(draft)
    if told is not None and drafted is not None:
        if told.kind != drafted.kind:
            return False
        if told.is_single:
            return True
    before = fact.text if told is None or drafted is None else told.value
    after = draft.text if told is None or drafted is None else drafted.value
    words = content_words(f"{before} {fact.key_word}", fact.entity)
    return bool(words & content_words(f"{after} {draft.key_word}", draft.entity))


def _was_read_offline(memory: PersonMemory, identifier: str) -> bool:
    turn = memory.find(identifier)
    return isinstance(turn, Turn) and turn.context == "noted"


def _is_untouched_offline(record: Event | Fact, noted: frozenset[str]) -> bool:
    """Whether rules made a record of nothing but these turns, and nobody laid a hand on it."""
    made, trace = record.provenance, record.trace
    is_touched = trace.pinned or trace.archived is not None
    return made.made_by == OFFLINE and not is_touched and noted.issuperset(made.from_ids)


def _is_superseded(fact: Fact, drafts: Collection[FactDraft], embed: Embed | None) -> bool:
    about = [
        it
        for it in drafts
        if is_same_entity(it.entity, fact.entity)
        and not set(it.turns).isdisjoint(fact.provenance.from_ids)
        and is_about_same(fact, it)
    ]
    return bool(about) and not any(is_same(it, fact, embed) for it in about)
