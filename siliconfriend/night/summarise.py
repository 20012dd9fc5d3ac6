"""The stage ``summarise``: each day's events, and how the person was that day.

A day is due when what was said on it is no longer what its texts were made from. The
model is asked with no lock held; its answer is kept only if the day still is as it was
asked about, else the day stays due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from siliconfriend.errors import ModelError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import Change, PutPersonality, PutSummary
from siliconfriend.memory.digest import day_inputs
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.records import (
    Day,
    DayPersonality,
    DaySummary,
    PersonMemory,
    Profile,
    Provenance,
)
from siliconfriend.night.budget import BudgetSpent
from siliconfriend.night.model_writer import personality_text
from siliconfriend.night.person import PersonNight
from siliconfriend.night.writing import is_due

NAME = "summarise"


def due_days(night: PersonNight, memory: PersonMemory) -> list[str]:
    """The days that are over and whose texts are missing or out of date, oldest first."""
    return [
        date
        for date, day in memory.days.items()
        if day.turns and night.is_over(date, memory) and any(_dues(night, day))
    ]


def run(night: PersonNight) -> None:
    """Write the texts of every day that is due."""
    memory = night.load()
    dates = due_days(night, memory)
    if night.dry_run:
        night.report.summarised += dates
        night.report.count(NAME, due=len(dates), done=0)
        return
    done = 0
    for date in dates:
        try:
            written = _write_day(night, night.load().days.get(date) or Day(date), memory.profile)
        except (ModelError, BudgetSpent) as error:
            night.left_pending(date, error)
            continue
        done += written
        if written:
            night.report.summarised.append(date)
    night.report.count(NAME, due=len(dates), done=done)


def _dues(night: PersonNight, day: Day) -> tuple[bool, bool]:
    inputs = day_inputs(day)
    texts = (day.summary, day.personality)
    summary, personality = (
        is_due(it.provenance if it else None, inputs, night.writer.made_by) for it in texts
    )
    return summary, personality


def _write_day(night: PersonNight, day: Day, profile: Profile) -> bool:
    summary_due, personality_due = _dues(night, day)
    inputs = day_inputs(day)
    provenance = Provenance(
        night.writer.made_by, night.now, tuple(turn.id for turn in day.turns), inputs
    )
    kept = True
    if day.turns and summary_due:
        words = night.writer.day_summary(profile, day)
        kept = _keep(night, day.date, inputs, lambda now: _summary(night, now, words, provenance))
    if day.turns and personality_due and kept:
        found = night.writer.day_personality(profile, day)
        personality = DayPersonality(
            day.date,
            personality_text(profile, found),
            provenance,
            found.traits,
            found.mood,
            found.strategy,
        )
        kept = _keep(night, day.date, inputs, lambda now: PutPersonality(day.date, personality))
    night.budget.succeeded()
    return kept and (summary_due or personality_due)


def _summary(night: PersonNight, day: Day, words: str, provenance: Provenance) -> Change:
    """The new summary; one that replaces another keeps the life it has led so far."""
    if day.summary is not None:
        return PutSummary(day.date, replace(day.summary, text=words, provenance=provenance))
    identifier = memory_id(night.scope, "day", day.date, 0)
    return PutSummary(
        day.date, DaySummary(identifier, day.date, words, Trace(night.now), provenance)
    )


def _keep(night: PersonNight, date: str, inputs: str, change: Callable[[Day], Change]) -> bool:
    """Write the change if the day still is what it was made from."""
    kept = False

    def decide(memory: PersonMemory) -> Iterator[Change]:
        nonlocal kept
        day = memory.days.get(date)
        if day is not None and day_inputs(day) == inputs:
            kept = True
            yield change(day)

    night.store.update(night.scope, decide)
    return kept
