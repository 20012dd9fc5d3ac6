"""The step ``extract``: what was told is taken out of the talk as events, facts and themes.

Whatever left the talk and nobody has read, and all of the days that are over, imports among
them, is read in batches. A batch is kept whole or not at all, so a night that is killed
goes on with the next one. Then facts that say the same become one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from siliconfriend.errors import ModelError
from siliconfriend.extraction.deduplication import (
    ASKED_FROM,
    DuplicateFacts,
    facts_to_compare,
    find_duplicates,
    find_duplicates_by_model,
    merge_duplicates,
    unchecked_facts,
)
from siliconfriend.extraction.extractor import Extractor, related_facts
from siliconfriend.extraction.model_extractor import ModelExtractor
from siliconfriend.extraction.offline_extractor import OfflineExtractor
from siliconfriend.extraction.queue import Batch, offline_batches, pending_batches
from siliconfriend.extraction.store_facts import is_still_unread, store_extracted
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.recall.embedders.cached import BACKGROUND_BATCH, CachedEmbedder
from siliconfriend.recall.score_calibration import calibration_of

NAME = "extract"
READING = "reading"
"""What the report calls turns that were left unread."""
AGAIN = 30
"""Batches read by rule that a model reads in one night, so that its first does not last for hours."""
MANY_TOPICS = 32
"""From so many on it is worth bringing the index level before the reading."""
MERGING = "merging"
"""What it calls facts that were left as they are."""


def due(night: PersonNight, memory: PersonMemory) -> list[Batch]:
    """The batches that nobody has read, oldest first; then some that only a rule has read."""
    zone = memory.profile.zone
    fresh = pending_batches(memory, night.now, zone, over=True, today=night.options.today)
    if night.chat is None:
        return fresh
    return [*fresh, *offline_batches(memory, night.now, zone)[:AGAIN]]


def run(night: PersonNight) -> None:
    """Read every batch that is due, then merge."""
    memory = night.load()
    batches = due(night, memory)
    if night.options.dry_run:
        night.report.count(NAME, due=len(batches), done=0)
        return
    before = _held(memory)
    embedder = _embedder(night, memory if batches else None)
    extractor = _extractor(night)
    left = iter(batches)
    done = run_items(
        night,
        [READING] * len(batches),
        lambda _name: _read(night, extractor, next(left), embedder),
    )
    _merge(night, embedder)
    new = [it for it in _held(night.load()).items() if it[0] not in before]
    night.report.events += sum(kind == "event" for _, kind in new)
    night.report.facts += sum(kind == "fact" for _, kind in new)
    night.report.pending[:] = dict.fromkeys(night.report.pending)
    night.report.count(NAME, due=len(batches), done=len(done))


def _embedder(night: PersonNight, read: PersonMemory | None) -> CachedEmbedder | None:
    """Build the embedder to compare by, with the vectors of known topics where they are many."""
    if night.recaller.embedder is None:
        return None
    embedder = CachedEmbedder(night.recaller.embedder, batch_size=BACKGROUND_BATCH)
    told = [] if read is None else [it.text for it in read.topics()]
    if len(told) > MANY_TOPICS:
        with suppress(ModelError):  # an embedder that cannot be had fails each batch by itself
            embedder.learn_passages(told, partial(night.recaller.embed_passages, night.scope))
    return embedder


def _extractor(night: PersonNight) -> Extractor:
    if night.chat is None:
        return OfflineExtractor()
    return ModelExtractor(night.chat, night.prompts, answer_tokens=night.settings.max_tokens)


def _read(
    night: PersonNight, extractor: Extractor, batch: Batch, embedder: CachedEmbedder | None
) -> bool:
    """Read one batch; whether it is read now, by whomever."""
    memory = night.load()
    if not is_still_unread(memory, batch):
        return True
    extracted = extractor.extract(night.subject, batch, related_facts(memory, batch))
    is_taken = store_extracted(
        night.store,
        night.scope,
        batch,
        extracted,
        embed=None if embedder is None else embedder.passages,
        now=night.now,
        made_by=extractor.made_by,
        calibration=calibration_of(embedder),
    )
    if is_taken:
        judged = (turn for turn in batch.turns if turn.id in extracted.importance)
        night.report.judged += sum(turn.trace.importance is None for turn in judged)
    return is_taken


def _merge(night: PersonNight, embedder: CachedEmbedder | None) -> None:
    """Make one of what says the same: offline by rule, else by the model once there is enough."""
    fresh = unchecked_facts(night.load())
    model = night.chat
    if not fresh or (model is not None and len(fresh) < ASKED_FROM):
        return

    def merge(_name: str) -> bool:
        memory = night.load()
        if model is None:
            embed = None if embedder is None else embedder.passages
            active = [fact for fact in memory.facts() if fact.is_active]
            _keep(night, find_duplicates(fresh, active, embed), fresh)
        else:
            facts = facts_to_compare(memory)
            _keep(
                night,
                find_duplicates_by_model(model, night.prompts, night.subject.person, facts),
                facts,
            )
        return True

    run_items(night, [MERGING], merge)


def _keep(night: PersonNight, groups: Sequence[DuplicateFacts], facts: Sequence[Fact]) -> None:
    with night.store.edit(night.scope) as edit:
        edit.add(*merge_duplicates(edit.memory, groups, facts))


def _held(memory: PersonMemory) -> dict[str, str]:
    """The kind of every event, and of every fact that is not history, by id."""
    events = {it.id: "event" for it in memory.events()}
    return events | {it.id: "fact" for it in memory.facts() if not it.superseded_by}
