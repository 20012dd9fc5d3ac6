"""The stage ``portrait``: the history of all days, and who the person is over all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from siliconfriend.extraction.topics.knowledge import recurring_topics
from siliconfriend.memory.changes import Change, PutOverallHistory, PutOverallPersonality
from siliconfriend.memory.days import outlines, overall_history_inputs, overall_personality_inputs
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    Day,
    Overall,
    PersonMemory,
)
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.night.stages import summarise
from siliconfriend.night.stages.summarise import is_due
from siliconfriend.night.writer import ModelWriter, portrayed_dates

NAME = "portrait"


@dataclass(frozen=True, slots=True)
class _Portrait:
    """One of the two texts: what it is made from, who writes it, and where it is kept.

    ``dates`` are those of the days that have what it rests on, and ``source`` is the id of that. The
    ``topics`` given to its writer are no part of its inputs: a topic that grows hot in the same
    night would have it made again in the next one, though nothing was said since.
    """

    present: Callable[[PersonMemory], Overall | None]
    inputs: Callable[[PersonMemory], str]
    dates: Callable[[PersonMemory], Sequence[str]]
    source: Callable[[Day], str]
    write: Callable[[ModelWriter, Sequence[Day], Sequence[Topic]], str]
    change: Callable[[Overall | None], Change]
    topics: Callable[[PersonMemory], Sequence[Topic]] = lambda _memory: ()

    def is_due(self, memory: PersonMemory, made_by: str) -> bool:
        """True if it must be made, or taken away since it rests on nothing any more."""
        present = self.present(memory)
        if present is None and not self.dates(memory):
            return False
        return is_due(present.provenance if present else None, self.inputs(memory), made_by)


_PORTRAITS = {
    "overall_history": _Portrait(
        lambda memory: memory.overall_history,
        overall_history_inputs,
        lambda memory: [date for date, it in outlines(memory.days) if it.summary],
        lambda day: day.summary.id if day.summary else "",
        lambda writer, days, _topics: writer.overall_history(days),
        PutOverallHistory,
    ),
    "overall_personality": _Portrait(
        lambda memory: memory.overall_personality,
        overall_personality_inputs,
        lambda memory: [date for date, it in outlines(memory.days) if it.personality],
        lambda day: f"personality-{day.date}",
        ModelWriter.overall_personality,
        PutOverallPersonality,
        recurring_topics,
    ),
}


def run(night: PersonNight) -> None:
    """Write the texts whose days have changed; remove one that rests on nothing any more."""
    memory, writer = night.load(), night.writer
    if writer is None:
        night.report.count(NAME, due=0, done=0)
        return
    due = [it for it, portrait in _PORTRAITS.items() if portrait.is_due(memory, night.made_by)]
    if night.options.dry_run:
        if summarise.NAME in night.options.stages and summarise.due_days(night, memory):
            due = list(_PORTRAITS)
        night.report.count(NAME, due=len(due), done=0)
        return
    written = run_items(night, due, lambda name: _write(night, writer, _PORTRAITS[name]))
    night.report.count(NAME, due=len(due), done=len(written))


def _write(night: PersonNight, writer: ModelWriter, portrait: _Portrait) -> bool:
    """Write one text; True if what it was made from is still the same, and it was stored."""
    memory = night.load()
    inputs, dates = portrait.inputs(memory), portrait.dates(memory)
    topics = portrait.topics(memory)
    overall = None
    if dates:
        days = [memory.days[it] for it in portrayed_dates(dates)]
        words = portrait.write(writer, days, topics)
        from_days = map(portrait.source, days)
        from_ids = (*from_days, *(topic.id for topic in topics))
        overall = Overall(words, Provenance(night.made_by, night.now, from_ids, inputs))
    with night.store.edit(night.scope) as edit:
        is_unchanged = portrait.inputs(edit.memory) == inputs and _are_unchanged(
            edit.memory, topics
        )
        if is_unchanged and portrait.is_due(edit.memory, night.made_by):
            edit.add(portrait.change(overall))
    return is_unchanged


def _are_unchanged(memory: PersonMemory, topics: Sequence[Topic]) -> bool:
    """True if the topics that were read still say the same: none was erased from meanwhile."""
    newest = {topic.id: topic.text for topic in memory.topics()}
    return all(newest.get(topic.id) == topic.text for topic in topics)
