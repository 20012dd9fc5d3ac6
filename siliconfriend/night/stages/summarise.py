"""The step ``summarise``: each day's events, and how the person was that day.

A day is due when what was said on it is no longer what its texts were made from. The
model is asked with no lock held, and its answer is kept only if the day still is as it
was asked about; else it is dropped and the day stays due. Each text is written as soon
as it is made, so a night can be killed anywhere and goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import Change, PutPersonality, PutSummary
from siliconfriend.memory.digest import day_inputs
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    Day,
    DayPersonality,
    DaySummary,
    PersonMemory,
)
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.night.writer import DayTexts, is_due

NAME = "summarise"


def due_days(night: PersonNight, memory: PersonMemory) -> list[str]:
    """The days that are over and have a text missing or out of date, oldest first."""
    return [
        date
        for date, day in memory.days.items()
        if day.turns
        and night.is_over(date, memory)
        and (_is_summary_due(night, day) or _is_personality_due(night, day))
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


def _is_summary_due(night: PersonNight, day: Day) -> bool:
    provenance = day.summary.provenance if day.summary else None
    return is_due(provenance, day_inputs(day), night.writer.made_by)


def _is_personality_due(night: PersonNight, day: Day) -> bool:
    provenance = day.personality.provenance if day.personality else None
    return is_due(provenance, day_inputs(day), night.writer.made_by)


def _write_day(night: PersonNight, date: str) -> bool:
    """Write both texts of a day; whether both are kept."""
    day = night.load().days.get(date)
    if day is None or not day.turns:
        return True
    inputs = day_inputs(day)
    from_ids = tuple(turn.id for turn in day.turns)
    provenance = Provenance(night.writer.made_by, night.now, from_ids, inputs)
    both: DayTexts | None = None
    if _is_summary_due(night, day):
        if _is_personality_due(night, day):
            both = night.writer.day(night.subject, day)
        words = both.summary if both else night.writer.day_summary(night.subject, day)
        if not _keep(
            night,
            date,
            inputs,
            lambda newest: _is_summary_due(night, newest),
            lambda newest: _summary(night, newest, words, provenance),
        ):
            return False
        night.report.summarised.append(date)
    if not _is_personality_due(night, day):
        return True
    found = both.portrayal if both else night.writer.day_personality(night.subject, day)
    personality = DayPersonality(
        date,
        found.text(night.subject.language),
        provenance,
        found.traits,
        found.mood,
        found.strategy,
    )
    return _keep(
        night,
        date,
        inputs,
        lambda newest: _is_personality_due(night, newest),
        lambda _newest: PutPersonality(date, personality),
    )


def _summary(night: PersonNight, day: Day, words: str, provenance: Provenance) -> Change:
    """The new summary; one that replaces another keeps the life it has led so far."""
    if day.summary is not None:
        return PutSummary(day.date, replace(day.summary, text=words, provenance=provenance))
    identifier = memory_id(night.scope, "day", day.date, 0)
    trace = Trace(night.now)
    return PutSummary(day.date, DaySummary(identifier, day.date, words, trace, provenance))


def _keep(
    night: PersonNight,
    date: str,
    inputs: str,
    is_still_due: Callable[[Day], bool],
    change: Callable[[Day], Change],
) -> bool:
    """Write the change if the day is what it was made from; whether the day's text is now level.

    A text that became level meanwhile (another night, a correction by the person) stands.
    """
    with night.store.edit(night.scope) as edit:
        day = edit.memory.days.get(date)
        is_level = day is not None and day_inputs(day) == inputs
        if day is not None and is_level and is_still_due(day):
            edit.add(change(day))
    return is_level
