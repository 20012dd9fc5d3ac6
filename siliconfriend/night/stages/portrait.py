"""The stage ``portrait``: write the history of all days and the personality in one request."""

from collections.abc import Sequence
from dataclasses import replace

from siliconfriend.clock import day_of
from siliconfriend.memory.changes import PutField
from siliconfriend.memory.days import input_of, overall_inputs
from siliconfriend.memory.records import Overall, PersonMemory, Turn
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.night.stages import summarise
from siliconfriend.night.stages.summarise import is_due
from siliconfriend.night.writer import GREETING, ModelWriter, portrayed_dates
from siliconfriend.recall.first_matters import first_matters

NAME = "portrait"
HISTORY, PERSONALITY = "overall_history", "overall_personality"


def run(night: PersonNight) -> None:
    """Write the texts whose days changed, or for what is due today; remove texts without sources."""
    memory, writer = night.load(), night.writer
    if writer is None:
        night.report.count(NAME, due=0, done=0)
        return
    due = _due(night, memory) or ([PERSONALITY] if _to_greet(night, memory) else [])
    if night.options.dry_run:
        if summarise.NAME in night.options.stages and summarise.due_days(night, memory):
            due = [HISTORY, PERSONALITY]
        night.report.count(NAME, due=len(due), done=0)
        return
    written = run_items(night, [NAME] if due else [], lambda _name: _write(night, writer, due))
    night.report.count(NAME, due=len(due), done=len(due) if written else 0)


def _due_today(night: PersonNight) -> list[Turn]:
    """Return the turns about which the companion may speak first today."""
    memory = night.runtime.store.load(night.scope)  # with the wishes about what not to mention
    today = day_of(night.now, memory.profile.zone)
    found = first_matters(night.runtime.recaller, night.scope, memory, today)
    return [matter.turn for matter in found]


def _to_greet(night: PersonNight, memory: PersonMemory) -> list[Turn]:
    """Return what is due today where the portrait was written for another day's greeting."""
    portrait, zone = memory.overall_personality, memory.profile.zone
    if portrait is None or portrait.provenance.made_by != night.made_by:
        return []
    is_of_today = day_of(portrait.provenance.made_at, zone) == day_of(night.now, zone)
    return [] if is_of_today else _due_today(night)


def _due(night: PersonNight, memory: PersonMemory) -> list[str]:
    return [name for name in (HISTORY, PERSONALITY) if _is_due(night, memory, name)]


def _is_due(night: PersonNight, memory: PersonMemory, name: str) -> bool:
    present = memory.overall_history if name == HISTORY else memory.overall_personality
    is_any = present is not None or bool(_dates(memory, name))
    return is_any and is_due(present, overall_inputs(memory, name), night.made_by)


def _dates(memory: PersonMemory, *names: str) -> list[str]:
    days = memory.days.items()
    return [date for date, day in days if any(input_of(day, name) for name in names)]


def _write(night: PersonNight, writer: ModelWriter, names: Sequence[str]) -> bool:
    """Write the texts; True if their sources were unchanged and the texts stored."""
    memory = night.load()
    inputs = {name: overall_inputs(memory, name) for name in names}
    days = [memory.days[date] for date in portrayed_dates(_dates(memory, *names))]
    made_from = {
        HISTORY: [day.summary.id for day in days if day.summary],
        PERSONALITY: [f"personality-{day.date}" for day in days if day.personality],
    }
    due = _due_today(night)
    today = day_of(night.now, memory.profile.zone)
    texts = writer.portrait(days, today, due) if days else {}
    greeting = texts.get(GREETING, "").strip() if due else ""
    greets = tuple(turn.id for turn in due)
    with night.edit() as edit:
        newest = edit.memory
        is_unchanged = all(overall_inputs(newest, name) == inputs[name] for name in names)
        for name in names if is_unchanged else ():
            if _is_due(night, newest, name) or (due and name == PERSONALITY):
                made = night.provenance(made_from[name], inputs[name])
                text = texts.get(name, "") if _dates(newest, name) else ""
                overall = Overall(text, made) if text else None
                if overall is not None and name == PERSONALITY and greeting:
                    overall = replace(overall, greeting=greeting, greets=greets)
                edit.add(PutField(name, overall))
    return is_unchanged
