"""The stage ``summarise``: each day's events, and how the person was that day.

A day is due when what was said on it is no longer what its texts were made from. The
model is asked with no lock held, and its answer is kept only if the day still has the words
that were asked about; else it is dropped and the day stays due. Each text is written as soon
as it is made, so a night can be killed anywhere and goes on from there.
"""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutPersonality, PutSummary
from siliconfriend.memory.days import outlines
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.input_hash import day_inputs
from siliconfriend.memory.outline import DayOutline
from siliconfriend.memory.provenance import OFFLINE, Provenance
from siliconfriend.memory.records import (
    Day,
    DayPersonality,
    DaySummary,
    PersonMemory,
)
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.night.writer import Portrayal, is_due

NAME = "summarise"


def due_days(night: PersonNight, memory: PersonMemory) -> list[str]:
    """The days that are over and have a text missing or out of date, oldest first."""
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
    """Write the texts of a day that are due; True if they are now made from all its words."""
    day = night.load().days.get(date)
    if day is None or not day.turns:
        return True
    writer, texts = night.portraitist, None
    if _is_summary_due(night, day):
        if writer is not None and _is_personality_due(night, day):
            texts = writer.day(night.subject, day)
        words = texts.summary if texts else night.writer.day_summary(night.subject, day)
        if not _store_summary(night, day, words):
            return False
        night.report.summarised.append(date)
    if writer is None or not _is_personality_due(night, day):
        return True
    portrayal = texts.portrayal if texts else writer.day_personality(night.subject, day)
    return _store_personality(night, day, portrayal)


def _store_summary(night: PersonNight, day: Day, words: str) -> bool:
    """Store a summary if the day still has the words it was made from; True if it has.

    A summary that was written meanwhile (by another night, or by the person) stands.
    """
    with night.store.edit(night.scope) as edit:
        newest = _unchanged(edit.memory, day)
        if newest is not None and _is_summary_due(night, newest):
            edit.add(PutSummary(day.date, _summary(night, newest, words)))
    return newest is not None


def _store_personality(night: PersonNight, day: Day, portrayal: Portrayal) -> bool:
    """Store how the person was, as :func:`_store_summary` does the summary."""
    personality = DayPersonality(
        day.date,
        portrayal.text(night.subject.language),
        _provenance(night, day),
        portrayal.traits,
        portrayal.mood,
        portrayal.strategy,
    )
    with night.store.edit(night.scope) as edit:
        newest = _unchanged(edit.memory, day)
        if newest is not None and _is_personality_due(night, newest):
            edit.add(PutPersonality(day.date, personality))
    return newest is not None


def _summary(night: PersonNight, day: Day, words: str) -> DaySummary:
    """The new summary; one that replaces another keeps the life it has led so far."""
    provenance = _provenance(night, day)
    if day.summary is not None:
        return replace(day.summary, text=words, provenance=provenance)
    identifier = memory_id(night.scope, "day", day.date, 0)
    return DaySummary(identifier, day.date, words, Trace(night.now), provenance)


def _provenance(night: PersonNight, day: Day) -> Provenance:
    from_ids = tuple(turn.id for turn in day.turns)
    return Provenance(night.writer.made_by, night.now, from_ids, day_inputs(day))


def _unchanged(memory: PersonMemory, day: Day) -> Day | None:
    """The day in this memory if the same words stand in it, else None."""
    newest = memory.days.get(day.date)
    return newest if newest is not None and day_inputs(newest) == day_inputs(day) else None


def _has_text_due(night: PersonNight, outline: DayOutline) -> bool:
    """What :func:`_is_summary_due` and :func:`_is_personality_due` find, of a day nobody reads."""
    is_rewritten = outline.texts == "offline" and night.writer.made_by != OFFLINE
    return outline.texts == "due" or is_rewritten


def _is_summary_due(night: PersonNight, day: Day) -> bool:
    provenance = day.summary.provenance if day.summary else None
    return is_due(provenance, day_inputs(day), night.writer.made_by)


def _is_personality_due(night: PersonNight, day: Day) -> bool:
    provenance = day.personality.provenance if day.personality else None
    return is_due(provenance, day_inputs(day), night.writer.made_by)
