"""Find the dependents of a memory: derived texts to remove when the memory changes or is erased.

Every derived text lists the ids of its sources, so dependents are found by following these ids. The
next night rebuilds a removed text from the remaining sources. A topic is rebuilt at once from its
remaining pages.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from siliconfriend.memory.changes import (
    Change,
    Erase,
    PutContext,
    PutDerived,
    PutField,
    PutPersonality,
    PutSummary,
    PutTurn,
)
from siliconfriend.memory.days import OVERALL
from siliconfriend.memory.knowledge import Event, Insight, Provenance, Topic
from siliconfriend.memory.records import DaySummary, PersonMemory, Turn
from siliconfriend.memory.records import Derived as Record
from siliconfriend.memory.scope import parse_memory_id


class DerivedText(NamedTuple):
    """A derived text with its id, its sources and the change that removes it.

    Attributes:
        id: memory id, or ``personality-DATE``, ``overall_history`` or ``overall_personality``.
        removal: change that removes the text, or rebuilds it without the removed sources.
    """

    id: str
    text: str
    provenance: Provenance
    removal: Change


def derived_texts(memory: PersonMemory) -> Iterator[DerivedText]:
    """Yield every derived text of a memory."""
    for date, day in memory.days.items():
        if (summary := day.summary) is not None:
            without = PutSummary(date, None)
            yield DerivedText(summary.id, summary.text, summary.provenance, without)
        if (own := day.personality) is not None:
            words = "\n".join((own.text, own.traits, own.mood, own.strategy))
            removal = PutPersonality(date, None)
            yield DerivedText(f"personality-{date}", words, own.provenance, removal)
        for record in day.derived():
            # Replies refer to its id, which must never be reused.
            erased = Erase((record.id,))
            yield DerivedText(record.id, sentences_of(record), record.provenance, erased)
    for name in OVERALL:
        if (overall := getattr(memory, name)) is not None:
            words = "\n".join(filter(None, (overall.text, overall.greeting)))
            yield DerivedText(name, words, overall.provenance, PutField(name, None))


def dependents_of(
    memory: PersonMemory, ids: Collection[str], reworded: Collection[Turn] = ()
) -> list[DerivedText]:
    """Find the derived texts that depend on any of ``ids``, directly or transitively.

    An imported text depends on its whole day; an imported overall text depends on all turns.

    ``reworded``: the turns among ``ids`` that are kept with new words.
    """
    gone, found = set(ids), dict[str, DerivedText]()
    remaining = list(derived_texts(memory))
    while fresh := [
        fact for fact in remaining if fact.id not in found and _rests_on(fact, memory, gone)
    ]:
        found |= {fact.id: fact for fact in fresh}
        gone.update(fact.id for fact in fresh)
    turns = {turn.id: turn for turn in reworded}
    return [
        record if record.id in ids else _kept_on(record, memory, gone, turns)
        for record in found.values()
    ]


def changes_after_edit(
    memory: PersonMemory, identifier: str, reworded: Turn | None = None
) -> tuple[list[Change], list[str]]:
    """Return the changes to dependents of a reworded memory, and the ids they remove."""
    found = dependents_of(memory, [identifier], () if reworded is None else (reworded,))
    gone = [record for record in found if record.id != identifier]
    changes = [*(record.removal for record in gone), *follow_up_changes(memory, gone)]
    return changes, [record.id for record in gone]


def follow_up_changes(
    memory: PersonMemory, removed: Collection[DerivedText], *, erased: Collection[str] = ()
) -> Iterator[Change]:
    """Yield the follow-up changes for removed derived texts.

    A fact superseded by a removed fact becomes active again. Turns whose events or facts were
    removed are extracted again at night. If an insight was removed, the night reflects again.

    ``erased``: ids that the person erased directly. Their turns are not extracted again, which
    would recreate the erased records.
    """
    gone = {record.id for record in removed}
    away = {*gone, *erased}
    for fact in memory.facts():
        if fact.id in away:
            continue
        if fact.superseded_by in away:
            yield PutDerived(replace(fact, superseded_by="", true_until=""))
        elif fact.doubted_by in away:
            yield PutDerived(replace(fact, doubted_by=""))
    for turn in memory.turns():
        if turn.outdated_by in away and turn.id not in away:
            yield PutTurn(replace(turn, outdated_by=""))
    for event in memory.events():
        if event.superseded_by in away and event.id not in away:
            yield PutDerived(replace(event, superseded_by=""))
    again, for_good = dict[str, Turn](), dict[str, Turn]()
    for taken in removed:
        if _kind_of(taken.id) in ("event", "fact"):
            turns = map(memory.find, taken.provenance.from_ids)
            reading = for_good if taken.id in erased else again
            reading.update({turn.id: turn for turn in turns if isinstance(turn, Turn)})
    pending = [id_ for id_, turn in again.items() if turn.context in ("noted", "extracted")]
    if pending:
        yield PutContext(tuple(pending), "pending")
    never = [id_ for id_, turn in for_good.items() if turn.context == "noted"]
    if never := [id_ for id_ in never if id_ not in pending]:
        yield PutContext(tuple(never), "extracted")
    thought = [
        insight for insight in memory.insights() if insight.id in gone and insight.id not in erased
    ]
    if thought and memory.last_reflection is not None:
        yield PutField("last_reflection", replace(memory.last_reflection, inputs=""))


def sentences_of(record: Record | DaySummary) -> str:
    """Return the sentences of a record to search for after an erasure.

    Single key words and names are left out, since they may occur in any file.
    """
    parts: tuple[str, ...] = ()
    match record:
        case Event():
            parts = (record.scene, record.insight)
        case Topic():
            parts = tuple(talk.overview for talk in record.talks)
        case Insight():
            parts = (record.question,)
    return "\n".join(part for part in (record.text, *parts) if part)


def _rests_on(derived: DerivedText, memory: PersonMemory, gone: set[str]) -> bool:
    if derived.id in gone:
        return True
    if derived.provenance.from_ids:
        return not gone.isdisjoint(derived.provenance.from_ids)
    place = parse_memory_id(derived.id)
    about = derived.id.removeprefix("personality-") if place is None else place.date
    day = memory.days.get(about)
    if day is not None and (place is None or place.kind == "day"):
        return not gone.isdisjoint(turn.id for turn in day.turns)
    return any(_kind_of(identifier) == "turn" for identifier in gone)


def _kind_of(identifier: str) -> str:
    place = parse_memory_id(identifier)
    return "" if place is None else place.kind


def _kept_on(
    derived: DerivedText, memory: PersonMemory, gone: Collection[str], reworded: Mapping[str, Turn]
) -> DerivedText:
    from siliconfriend.extraction.topics import rebuild_topic  # loads numpy

    topic = memory.find(derived.id)
    if not isinstance(topic, Topic):
        return derived
    pages = {}
    for page in topic.pages:
        turn = reworded.get(page) or memory.find(page)
        if isinstance(turn, Turn) and (page in reworded or page not in gone):
            pages[page] = turn
    fresh = rebuild_topic(topic, pages, gone)
    return derived if fresh is None else derived._replace(removal=PutDerived(fresh))
