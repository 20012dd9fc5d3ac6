"""The stage ``portrait``: the history of all days, and who the person is, in one request."""

from __future__ import annotations

from collections.abc import Sequence

from siliconfriend.memory.changes import PutField
from siliconfriend.memory.days import outlines, overall_inputs
from siliconfriend.memory.records import Overall, PersonMemory
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.night.stages import summarise
from siliconfriend.night.stages.summarise import is_due
from siliconfriend.night.writer import ModelWriter, portrayed_dates

NAME = "portrait"
HISTORY, PERSONALITY = "overall_history", "overall_personality"


def run(night: PersonNight) -> None:
    """Write the texts whose days have changed; remove one that rests on nothing any more."""
    memory, writer = night.load(), night.writer
    if writer is None:
        night.report.count(NAME, due=0, done=0)
        return
    due = _due(night, memory)
    if night.options.dry_run:
        if summarise.NAME in night.options.stages and summarise.due_days(night, memory):
            due = [HISTORY, PERSONALITY]
        night.report.count(NAME, due=len(due), done=0)
        return
    written = run_items(night, [NAME] if due else [], lambda _name: _write(night, writer, due))
    night.report.count(NAME, due=len(due), done=len(due) if written else 0)


def _due(night: PersonNight, memory: PersonMemory) -> list[str]:
    return [name for name in (HISTORY, PERSONALITY) if _is_due(night, memory, name)]


def _is_due(night: PersonNight, memory: PersonMemory, name: str) -> bool:
    present = memory.overall_history if name == HISTORY else memory.overall_personality
    is_any = present is not None or bool(_dates(memory, name))
    return is_any and is_due(present, overall_inputs(memory, name), night.made_by)


def _dates(memory: PersonMemory, *names: str) -> list[str]:
    found = outlines(memory.days)
    marks = ((date, {HISTORY: it.summary, PERSONALITY: it.personality}) for date, it in found)
    return [date for date, mark in marks if any(mark[name] for name in names)]


def _write(night: PersonNight, writer: ModelWriter, names: Sequence[str]) -> bool:
    """Write the texts; True if what they were made from is still the same, and they were stored."""
    memory = night.load()
    inputs = {name: overall_inputs(memory, name) for name in names}
    days = [memory.days[date] for date in portrayed_dates(_dates(memory, *names))]
    made_from = {
        HISTORY: [day.summary.id for day in days if day.summary],
        PERSONALITY: [f"personality-{day.date}" for day in days if day.personality],
    }
    texts = writer.portrait(days) if days else {}
    with night.edit() as edit:
        newest = edit.memory
        is_unchanged = all(overall_inputs(newest, name) == inputs[name] for name in names)
        for name in names if is_unchanged else ():
            if _is_due(night, newest, name):
                made = night.provenance(made_from[name], inputs[name])
                text = texts.get(name, "") if _dates(newest, name) else ""
                edit.add(PutField(name, Overall(text, made) if text else None))
    return is_unchanged
