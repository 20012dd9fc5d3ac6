"""The stage ``summarise``: write each day's summary and personality.

The model is called without a lock, and the answer is stored only if the day is unchanged. Without a
model the summary quotes the person.
"""

from dataclasses import replace

from siliconfriend.extraction.day_sentences import weightiest_sentences
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.sentences import join_sentences
from siliconfriend.memory.changes import PutPersonality, PutSummary
from siliconfriend.memory.days import day_inputs
from siliconfriend.memory.knowledge import OFFLINE
from siliconfriend.memory.records import Day, DayPersonality, DaySummary, Overall, PersonMemory
from siliconfriend.memory.scope import memory_id
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.texts import text

NAME = "summarise"


def due_days(night: PersonNight, memory: PersonMemory) -> list[str]:
    """Return the days that are over and have a text missing or out of date, oldest first."""
    return [
        date
        for date, day in memory.days.items()
        if day.turns and night.is_over(date, memory) and any(_are_due(night, day))
    ]


def run(night: PersonNight) -> None:
    """Write the texts of every day that is due."""
    dates = due_days(night, night.load())
    if night.options.dry_run:
        night.report.summarised += dates
        night.report.count(NAME, due=len(dates), done=0)
        return
    written = run_items(night, dates, lambda date: _write_day(night, date))
    night.report.count(NAME, due=len(dates), done=written)


def _write_day(night: PersonNight, date: str) -> bool:
    """Write the texts of a day that are due; True unless its words changed meanwhile.

    A text written meanwhile by another night or by the person is kept.
    """
    day = night.load().days.get(date)
    if day is None or not day.turns or not any(_are_due(night, day)):
        return True
    person, language = night.subject.person, night.subject.language
    if night.writer is not None and any(not turn.is_quiet for turn in day.turns):
        texts = night.writer.day(day)
    else:
        said = join_sentences(weightiest_sentences(day.turns))
        looked_back = text("night", "offline.looked_back", language, person=person)
        texts = {"summary": said or looked_back}
    inputs = day_inputs(day)
    with night.edit() as edit:
        newest = edit.memory.days.get(date)
        if newest is None or day_inputs(newest) != inputs:
            return False
        made = night.provenance((turn.id for turn in newest.turns), inputs)
        is_summary_due, is_personality_due = _are_due(night, newest)
        if is_summary_due:
            identifier = memory_id(night.scope, "day", date, 0)
            first = DaySummary(identifier, date, "", Trace(night.now), made)
            summary = replace(newest.summary or first, text=texts["summary"], provenance=made)
            summary = replace(summary, checked=night.made_by == OFFLINE)
            if summary.trace.with_source:  # the new words come from turns that were not put away
                summary = replace(summary, trace=summary.trace.brought_back())
            edit.add(PutSummary(date, summary))
            night.report.summarised.append(date)
        if is_personality_due:
            words = text("night", "personality", language, **texts)
            parts = (texts["traits"], texts["mood"], texts["strategy"])
            edit.add(PutPersonality(date, DayPersonality(date, words, made, *parts)))
    return True


def _are_due(night: PersonNight, day: Day) -> tuple[bool, bool]:
    """Return whether the summary is due, and the personality, which only a model writes."""
    inputs, made_by = day_inputs(day), night.made_by
    is_personality_due = made_by != OFFLINE and is_due(day.personality, inputs, made_by)
    return is_due(day.summary, inputs, made_by), is_personality_due


def is_due(made: DaySummary | DayPersonality | Overall | None, inputs: str, made_by: str) -> bool:
    """Return True if a text must be made by ``made_by`` from what hashes to ``inputs``."""
    if made is None:
        return True
    is_changed, was_offline = made.provenance.inputs != inputs, made.provenance.made_by == OFFLINE
    if made_by == OFFLINE:  # a model's or a person's text is better, if it was checked
        return (is_changed and was_offline) or (isinstance(made, DaySummary) and not made.checked)
    return is_changed or was_offline
