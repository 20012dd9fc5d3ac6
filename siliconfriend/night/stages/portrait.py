"""The stage ``portrait``: the history of all days, and who the person is over all of them."""

from __future__ import annotations

from siliconfriend.extraction.topics import recurring_topics
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
    due = [name for name in (HISTORY, PERSONALITY) if _is_due(night, memory, name)]
    if night.options.dry_run:
        if summarise.NAME in night.options.stages and summarise.due_days(night, memory):
            due = [HISTORY, PERSONALITY]
        night.report.count(NAME, due=len(due), done=0)
        return
    written = run_items(night, due, lambda name: _write(night, writer, name))
    night.report.count(NAME, due=len(due), done=written)


def _is_due(night: PersonNight, memory: PersonMemory, name: str) -> bool:
    present = memory.overall_history if name == HISTORY else memory.overall_personality
    is_any = present is not None or bool(_dates(memory, name))
    return is_any and is_due(present, overall_inputs(memory, name), night.made_by)


def _dates(memory: PersonMemory, name: str) -> list[str]:
    found = outlines(memory.days)
    return [date for date, it in found if (it.summary if name == HISTORY else it.personality)]


def _write(night: PersonNight, writer: ModelWriter, name: str) -> bool:
    """Write one text; True if what it was made from is still the same, and it was stored.

    Topics are no part of its inputs: one that grows hot in the same night would have it made again
    in the next one, though nothing was said since.
    """
    memory = night.load()
    inputs = overall_inputs(memory, name)
    days = [memory.days[it] for it in portrayed_dates(_dates(memory, name))]
    topics = recurring_topics(memory) if name == PERSONALITY else ()
    if name == HISTORY:
        from_ids = [day.summary.id for day in days if day.summary]
    else:
        from_ids = [f"personality-{day.date}" for day in days] + [it.id for it in topics]
    made = night.provenance(from_ids, inputs)
    overall = Overall(writer.overall(name, days, topics), made) if days else None
    with night.edit() as edit:
        newest = edit.memory
        words_now = {topic.id: topic.text for topic in newest.topics()}
        are_same = all(words_now.get(topic.id) == topic.text for topic in topics)
        is_unchanged = are_same and overall_inputs(newest, name) == inputs
        if is_unchanged and _is_due(night, newest, name):
            edit.add(PutField(name, overall))
    return is_unchanged
