"""The stage ``extract``: events, facts and topics are extracted from what was said.

Turns that left the live dialogue and nobody has read, and all of the days that are over,
imports among them, are read in batches. A batch is stored whole or not at all, so a night
that is killed goes on with the next one. Then facts are deduplicated.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

from siliconfriend.extraction.deduplication import (
    MIN_UNCHECKED,
    facts_to_compare,
    find_duplicates,
    merge_duplicates,
    unchecked_facts,
)
from siliconfriend.extraction.extractor import Extractor
from siliconfriend.extraction.model_extractor import ModelExtractor
from siliconfriend.extraction.offline_extractor import OfflineExtractor
from siliconfriend.extraction.queue import Batch, offline_batches, pending_batches
from siliconfriend.extraction.store_facts import Known
from siliconfriend.extraction.support import meaning_of
from siliconfriend.extraction.worker import Reader, read_batch
from siliconfriend.memory.days import changed_dates
from siliconfriend.memory.records import Day, PersonMemory
from siliconfriend.models.openai_compatible import WRITTEN_TOKENS
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.recall.embedders.cached import BACKGROUND_BATCH, CachedEmbedder

NAME = "extract"
READING = "reading"
"""Name of unread turns in the report."""
MERGING = "merging"
"""Name of unchanged facts in the report."""
REREAD = 30
"""Batches read by rule that a model reads in one night, so that its first does not last for hours."""


def run(night: PersonNight) -> None:
    """Extract from every batch that is due, then deduplicate."""
    memory = night.load()
    batches = _due(night, memory)
    if night.options.dry_run:
        night.report.count(NAME, due=len(batches), done=0)
        return
    embedder = _embedder(night)
    reader, known = Reader(_extractor(night, embedder), night.subject, embedder), Known(embedder)
    done = run_items(
        night,
        batches,
        lambda batch: _extract(night, reader, batch, known),
        name_of=lambda _batch: READING,
    )
    _deduplicate(night)
    new = _new_kinds(memory, night.load())
    night.report.events += new["event"]
    night.report.facts += new["fact"]
    night.report.pending[:] = dict.fromkeys(night.report.pending)
    night.report.count(NAME, due=len(batches), done=len(done))


def _due(night: PersonNight, memory: PersonMemory) -> list[Batch]:
    fresh = pending_batches(memory, night.now, over=True, today=night.options.today)
    if night.chat is None:
        return fresh
    return [*fresh, *islice(offline_batches(memory, night.now), REREAD)]


def _embedder(night: PersonNight) -> CachedEmbedder | None:
    if night.runtime.recaller.embedder is None:
        return None
    return CachedEmbedder(
        night.runtime.recaller.embedder,
        batch_size=BACKGROUND_BATCH,
        file=night.runtime.recaller.vector_file(night.scope),
    )


def _extractor(night: PersonNight, embedder: CachedEmbedder | None) -> Extractor:
    if night.chat is None:
        return OfflineExtractor()
    return ModelExtractor(
        night.chat,
        night.prompts,
        answer_tokens=max(night.runtime.settings.max_tokens, WRITTEN_TOKENS),
        embed=meaning_of(embedder),
    )


def _extract(night: PersonNight, reader: Reader, batch: Batch, known: Known) -> bool:
    extracted = read_batch(night.runtime.store, night.scope, reader, batch, night.now, known)
    if extracted is None:
        return False
    rated = (turn for turn in batch.turns if turn.id in extracted.importance)
    night.report.judged += sum(turn.trace.importance is None for turn in rated)
    return True


def _deduplicate(night: PersonNight) -> None:
    """Merge facts that say the same by the model, once enough were never compared."""
    chat = night.chat
    if chat is None or not _is_worth_merging(night.load()):
        return

    def merge(_name: str) -> bool:
        memory = night.load()
        while _is_worth_merging(memory):
            facts = facts_to_compare(memory)
            groups = find_duplicates(chat, night.prompts, night.subject.person, facts)
            with night.edit() as edit:
                edit.add(*merge_duplicates(edit.memory, groups, facts))
            after = edit.memory_after.recallable()
            if len(unchecked_facts(after)) >= len(unchecked_facts(memory)):
                break  # they changed while the model thought; the next night sees them
            memory = after
        return True

    run_items(night, [MERGING], merge)


def _is_worth_merging(memory: PersonMemory) -> bool:
    return len(unchecked_facts(memory)) >= MIN_UNCHECKED


def _new_kinds(before: PersonMemory, after: PersonMemory) -> Counter[str]:
    dates = changed_dates(before.days, after.days)
    known = {id_ for date in dates if date in before.days for id_ in _kinds(before.days[date])}
    found = {id_: kind for date in dates for id_, kind in _kinds(after.days[date]).items()}
    return Counter(kind for id_, kind in found.items() if id_ not in known)


def _kinds(day: Day) -> dict[str, str]:
    events = {event.id: "event" for event in day.events}
    return events | {fact.id: "fact" for fact in day.facts if not fact.superseded_by}
