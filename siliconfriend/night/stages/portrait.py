"""The stage ``portrait``: write the history of all days and the personality in one request."""

from collections.abc import Sequence
from dataclasses import replace

from siliconfriend.clock import day_of
from siliconfriend.memory.changes import PutField
from siliconfriend.memory.days import OVERALL, overall_inputs
from siliconfriend.memory.records import Overall, PersonMemory, Turn
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.night.stages import summarise
from siliconfriend.night.stages.summarise import is_due
from siliconfriend.night.writer import GREETING, ModelWriter, portrayed_dates
from siliconfriend.recall.due import due_range, find_due

NAME = "portrait"
MOST_DUE = 3
"""Maximum number of matters in a greeting."""
HISTORY, PERSONALITY = "overall_history", "overall_personality"


def run(night: PersonNight) -> None:
    """Write the texts whose days changed; remove texts without sources."""
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


def _due_today(night: PersonNight, memory: PersonMemory) -> list[Turn]:
    """Return the turns about which the companion may speak first today."""
    today = day_of(night.now, memory.profile.zone)
    planned = night.runtime.recaller.planned(night.scope, *due_range(memory, today))
    return [matter.turn for matter in find_due(planned, memory, today)[:MOST_DUE]]


def _due(night: PersonNight, memory: PersonMemory) -> list[str]:
    return [name for name in (HISTORY, PERSONALITY) if _is_due(night, memory, name)]


def _is_due(night: PersonNight, memory: PersonMemory, name: str) -> bool:
    present = memory.overall_history if name == HISTORY else memory.overall_personality
    is_any = present is not None or bool(_dates(memory, name))
    return is_any and is_due(present, overall_inputs(memory, name), night.made_by)


def _dates(memory: PersonMemory, *names: str) -> list[str]:
    days = memory.days.items()
    return [date for date, day in days if any(getattr(day, OVERALL[name]) for name in names)]


def _write(night: PersonNight, writer: ModelWriter, names: Sequence[str]) -> bool:
    """Write the texts; True if their sources were unchanged and the texts stored."""
    memory = night.load()
    inputs = {name: overall_inputs(memory, name) for name in names}
    days = [memory.days[date] for date in portrayed_dates(_dates(memory, *names))]
    made_from = {
        HISTORY: [day.summary.id for day in days if day.summary],
        PERSONALITY: [f"personality-{day.date}" for day in days if day.personality],
    }
    due = _due_today(night, memory)
    texts = writer.portrait(days, due) if days else {}
    greeting = texts.get(GREETING, "").strip() if due else ""
    with night.edit() as edit:
        newest = edit.memory
        is_unchanged = all(overall_inputs(newest, name) == inputs[name] for name in names)
        for name in names if is_unchanged else ():
            if _is_due(night, newest, name):
                made = night.provenance(made_from[name], inputs[name])
                text = texts.get(name, "") if _dates(newest, name) else ""
                overall = Overall(text, made) if text else None
                if overall is not None and name == PERSONALITY and greeting:
                    greets = tuple(turn.id for turn in due)
                    overall = replace(overall, greeting=greeting, greets=greets)
                edit.add(PutField(name, overall))
    return is_unchanged
