"""The stage ``summarise``: each day's events, and how the person was that day.

A day is due when what was said on it is no longer what its texts were made from. The
model is asked with no lock held, and its answer is kept only if the day still has the words
that were asked about; else it is dropped and the day stays due. Each day is written as soon as
its texts are made, so a night can be killed anywhere and goes on from there. Without a model the
summary is what the person said, word by word.
"""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.extraction.day_sentences import weightiest_sentences
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.sentences import join_sentences
from siliconfriend.memory.changes import PutPersonality, PutSummary
from siliconfriend.memory.days import outlines
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.input_hash import day_inputs
from siliconfriend.memory.outline import DayOutline
from siliconfriend.memory.provenance import OFFLINE, Provenance
from siliconfriend.memory.records import Day, DayPersonality, DaySummary, PersonMemory
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.night.writer import DayTexts
from siliconfriend.texts import text

NAME = "summarise"


def due_days(night: PersonNight, memory: PersonMemory) -> list[str]:
    """Return the days that are over and have a text missing or out of date, oldest first."""
    return [
        date
        for date, outline in outlines(memory.days)
        if outline.turns and _has_text_due(night, outline) and night.is_over(date, memory)
    ]


def run(night: PersonNight) -> None:
    """Write the texts of every day that is due."""
    dates = due_days(night, night.load())
    if night.options.dry_run:
        night.report.summarised += dates
        night.report.count(NAME, due=len(dates), done=0)
        return
    written = run_items(night, dates, lambda date: _write_day(night, date))
    night.report.count(NAME, due=len(dates), done=len(written))


def _write_day(night: PersonNight, date: str) -> bool:
    day = night.load().days.get(date)
    if day is None or not day.turns:
        return True
    if not (_is_summary_due(night, day) or _is_personality_due(night, day)):
        return True
    texts = (
        DayTexts(_offline_summary(night, day)) if night.writer is None else night.writer.day(day)
    )
    return _store(night, day, texts)


def _offline_summary(night: PersonNight, day: Day) -> str:
    sentences = weightiest_sentences(day.turns)
    if sentences:
        return join_sentences(sentences)
    return text("night", "offline.looked_back", night.subject.language, person=night.subject.person)


def _store(night: PersonNight, day: Day, texts: DayTexts) -> bool:
    """Store texts that are due if the day still has the words they were made from; True if it has.

    One that was written meanwhile (by another night, or by the person) stands.
    """
    with night.edit() as edit:
        newest = edit.memory.days.get(day.date)
        if newest is None or day_inputs(newest) != day_inputs(day):
            return False
        if _is_summary_due(night, newest):
            edit.add(PutSummary(day.date, _summary(night, newest, texts.summary)))
            night.report.summarised.append(day.date)
        if _is_personality_due(night, newest):
            words = texts.personality(night.subject.language)
            parts = (texts.traits, texts.mood, texts.strategy)
            personality = DayPersonality(day.date, words, _provenance(night, newest), *parts)
            edit.add(PutPersonality(day.date, personality))
    return True


def _summary(night: PersonNight, day: Day, words: str) -> DaySummary:
    provenance = _provenance(night, day)
    if day.summary is not None:
        return replace(day.summary, text=words, provenance=provenance)
    identifier = memory_id(night.scope, "day", day.date, 0)
    return DaySummary(identifier, day.date, words, Trace(night.now), provenance)


def _provenance(night: PersonNight, day: Day) -> Provenance:
    from_ids = tuple(turn.id for turn in day.turns)
    return Provenance(night.made_by, night.now, from_ids, day_inputs(day))


def _has_text_due(night: PersonNight, outline: DayOutline) -> bool:
    is_rewritten = outline.texts == "offline" and night.made_by != OFFLINE
    return outline.texts == "due" or is_rewritten


def _is_summary_due(night: PersonNight, day: Day) -> bool:
    provenance = day.summary.provenance if day.summary else None
    return is_due(provenance, day_inputs(day), night.made_by)


def _is_personality_due(night: PersonNight, day: Day) -> bool:
    provenance = day.personality.provenance if day.personality else None
    return night.writer is not None and is_due(provenance, day_inputs(day), night.made_by)


def is_due(provenance: Provenance | None, inputs: str, made_by: str) -> bool:
    """Return True if a text must be made by ``made_by`` from what hashes to ``inputs``."""
    if provenance is None:
        return True
    if made_by == OFFLINE:
        # What a model or a person wrote is better than what rules would put in its place.
        return provenance.made_by == OFFLINE and provenance.inputs != inputs
    return provenance.inputs != inputs or provenance.made_by == OFFLINE
