"""The stage ``extract``: extract events and facts from turns, and check each day's summary.

Turns that left the live dialogue, and turns of past days, are read in batches. Each batch is stored
atomically, so a killed night resumes at the next one.
"""

from collections import Counter
from collections.abc import Set
from dataclasses import replace
from itertools import chain, islice

from siliconfriend.background_reading import open_reader
from siliconfriend.extraction.extractor import MAX_PER_TURN
from siliconfriend.extraction.judge import Claim, judge_claims
from siliconfriend.extraction.queue import (
    BATCH_SIZE,
    NIGHT_BATCH_SIZE,
    Batch,
    offline_batches,
    pending_batches,
)
from siliconfriend.extraction.worker import read_batch
from siliconfriend.language.sentences import join_sentences, split_sentences
from siliconfriend.language.words import is_small_talk
from siliconfriend.memory.changes import PutPersonality, PutSummary
from siliconfriend.memory.days import changed_dates
from siliconfriend.memory.knowledge import BY_PERSON
from siliconfriend.memory.records import Day, PersonMemory, Turn
from siliconfriend.models.base import CompletionModel
from siliconfriend.night.person_night import PersonNight, run_items

NAME = "extract"
MOST_RECALLED = 12
"""Number of memories searched for a turn's related earlier turns."""
READING = "reading"
"""Name of unread turns in the report."""
REREAD = 30
"""Rule-read batches that a model rereads per night, to limit its first night."""


def run(night: PersonNight) -> None:
    """Extract from every batch that is due, then check the other summaries."""
    memory, chat = night.load(), night.chat
    most = NIGHT_BATCH_SIZE if chat is not None else BATCH_SIZE
    today = night.options.today
    batches = pending_batches(memory, night.now, over=True, today=today, most=most)
    if chat is not None:
        batches = [*batches, *islice(offline_batches(memory, night.now, most), REREAD)]
    if night.options.dry_run:
        night.report.count(NAME, due=len(batches), done=0)
        return
    reader = open_reader(night.runtime.settings, chat, night.subject)
    last_of = {batch.date: batch for batch in batches}

    def extract(batch: Batch) -> bool:
        store, scope, now = night.runtime.store, night.scope, night.now
        prepared = batch if chat is None else _with_earlier(night, batch)
        if chat is not None and last_of[batch.date] is batch:
            prepared = _with_notes(night, prepared)
        extracted = read_batch(store, scope, reader, prepared, now)
        if extracted is None:
            return False
        night.report.refused += extracted.denied + len(extracted.refused)
        if prepared.noted:
            _keep_checked(night, prepared, extracted.refused)
        rated = (turn for turn in batch.turns if turn.id in extracted.importance)
        night.report.judged += sum(turn.trace.importance is None for turn in rated)
        return True

    done = run_items(night, batches, extract, READING)
    if chat is not None:
        # Their turns were read while the talk went on.
        summaries = (day.summary for date, day in memory.days.items() if date not in last_of)
        dates = [made.date for made in summaries if made is not None and not made.checked]
        run_items(night, dates, lambda date: _check_summary(night, chat, date))
    new = _new_kinds(memory, night.load())
    night.report.events += new["event"]
    night.report.facts += new["fact"]
    night.report.pending[:] = dict.fromkeys(night.report.pending)
    night.report.count(NAME, due=len(batches), done=done)


def _with_earlier(night: PersonNight, batch: Batch) -> Batch:
    """Add the earlier turns nearest to those turns of a batch whose replies used no memory."""
    found = dict[str, None]()
    for turn in batch.turns:
        if turn.used or is_small_talk(turn.query):
            continue
        recalled = night.runtime.recaller.recall(
            night.scope, turn.query, now=night.now, top=MOST_RECALLED, exclude={turn.id}
        )
        earlier = (result.memory for result in recalled.memories if isinstance(result.memory, Turn))
        told = (old.id for old in earlier if (old.date, old.position) < (turn.date, turn.position))
        found |= dict.fromkeys(islice(told, MAX_PER_TURN))
    return replace(batch, brought=tuple(found))


def _with_notes(night: PersonNight, batch: Batch) -> Batch:
    """Add the sentences of the day's texts, if they are to be checked, and the turns of the day."""
    day = night.load().days.get(batch.date)
    if day is None or day.summary is None or day.summary.checked:
        return batch
    turns = tuple(turn for turn in day.turns if not turn.is_left_alone)
    return replace(batch, notes=tuple(chain(*_sentences(day))), noted=turns)


def _sentences(day: Day) -> tuple[list[str], list[str]]:
    """Return the sentences of a day's summary, and of the personality if a model wrote it."""
    own = day.personality
    is_models = own is not None and own.provenance.made_by != BY_PERSON
    return (
        split_sentences(day.summary.text if day.summary else ""),
        split_sentences(own.text if own is not None and is_models else ""),
    )


def _check_summary(night: PersonNight, chat: CompletionModel, date: str) -> bool:
    """Have a model judge the summary of a day whose turns were read before."""
    batch = _with_notes(night, Batch(night.load().days[date].turns, None))
    claims = [Claim(note, batch.noted) for note in batch.notes]
    verdicts = judge_claims(chat, night.prompts, night.subject, claims)
    refused = {note for note, holds in zip(batch.notes, verdicts, strict=True) if not holds}
    night.report.refused += len(refused)
    _keep_checked(night, batch, refused)
    return True


def _keep_checked(night: PersonNight, batch: Batch, refused: Set[str]) -> None:
    """Remove unsupported sentences from a day's texts; the next night rewrites one without any."""
    with night.edit() as edit:
        day = edit.memory.days.get(batch.date)
        if day is None or day.summary is None or tuple(chain(*_sentences(day))) != batch.notes:
            return
        told, shown = (
            join_sentences([words for words in sentences if words not in refused])
            for sentences in _sentences(day)
        )
        summary, own = replace(day.summary, checked=True), day.personality
        if refused:
            summary = replace(summary, text=told)
        edit.add(PutSummary(batch.date, summary if told else None))
        if own is not None and not refused.isdisjoint(_sentences(day)[1]):
            own = replace(own, text=shown, traits="", mood="", strategy="")
            edit.add(PutPersonality(batch.date, own if shown else None))


def _new_kinds(before: PersonMemory, after: PersonMemory) -> Counter[str]:
    dates = changed_dates(before.days, after.days)
    known = {id_ for date in dates if date in before.days for id_ in _kinds(before.days[date])}
    found = {id_: kind for date in dates for id_, kind in _kinds(after.days[date]).items()}
    return Counter(kind for id_, kind in found.items() if id_ not in known)


def _kinds(day: Day) -> dict[str, str]:
    events = {event.id: "event" for event in day.events}
    return events | {fact.id: "fact" for fact in day.facts if not fact.superseded_by}
