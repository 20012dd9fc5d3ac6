"""The stage ``portrait``: the history of all days, and who the person is over all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from siliconfriend.errors import ModelError
from siliconfriend.memory.changes import Change, PutOverallHistory, PutOverallPersonality
from siliconfriend.memory.digest import overall_history_inputs, overall_personality_inputs
from siliconfriend.memory.records import Overall, PersonMemory, Profile, Provenance
from siliconfriend.night.budget import BudgetSpent
from siliconfriend.night.person import PersonNight
from siliconfriend.night.writing import Dated, Writer, is_due

NAME = "portrait"


@dataclass(frozen=True, slots=True)
class _Portrait:
    """One of the two texts: what it is made from, who writes it, and where it is kept."""

    name: str
    present: Callable[[PersonMemory], Overall | None]
    inputs: Callable[[PersonMemory], str]
    sources: Callable[[PersonMemory], list[tuple[str, Dated]]]
    write: Callable[[Writer, Profile, Sequence[Dated]], str]
    change: Callable[[Overall | None], Change]


def _summaries(memory: PersonMemory) -> list[tuple[str, Dated]]:
    return [
        (day.summary.id, Dated(date, day.summary.text))
        for date, day in memory.days.items()
        if day.summary is not None
    ]


def _personalities(memory: PersonMemory) -> list[tuple[str, Dated]]:
    return [
        (f"personality-{date}", Dated(date, day.personality.text))
        for date, day in memory.days.items()
        if day.personality is not None
    ]


_PORTRAITS = (
    _Portrait(
        "overall_history",
        lambda memory: memory.overall_history,
        overall_history_inputs,
        _summaries,
        lambda writer, profile, sources: writer.overall_history(profile, sources),
        PutOverallHistory,
    ),
    _Portrait(
        "overall_personality",
        lambda memory: memory.overall_personality,
        overall_personality_inputs,
        _personalities,
        lambda writer, profile, sources: writer.overall_personality(profile, sources),
        PutOverallPersonality,
    ),
)


def run(night: PersonNight) -> None:
    """Write the texts whose days have changed; one that rests on nothing any more goes."""
    for portrait in _PORTRAITS:
        memory = night.load()
        present, inputs = portrait.present(memory), portrait.inputs(memory)
        sources = portrait.sources(memory)
        provenance = present.provenance if present else None
        if not (sources or present) or not is_due(provenance, inputs, night.writer.made_by):
            continue
        done = False
        if not night.dry_run:
            try:
                done = _write(night, portrait, memory, inputs)
            except (ModelError, BudgetSpent) as error:
                night.left_pending(portrait.name, error)
        night.report.count(NAME, due=1, done=int(done))
    night.report.stages.setdefault(NAME, {"due": 0, "done": 0})


def _write(night: PersonNight, portrait: _Portrait, memory: PersonMemory, inputs: str) -> bool:
    sources = portrait.sources(memory)
    overall = None
    if sources:
        words = portrait.write(night.writer, memory.profile, [dated for _, dated in sources])
        from_ids = tuple(identifier for identifier, _ in sources)
        provenance = Provenance(night.writer.made_by, night.now, from_ids, inputs)
        overall = Overall(words, provenance)
        night.budget.succeeded()
    kept = False

    def decide(newest: PersonMemory) -> Iterator[Change]:
        nonlocal kept
        if portrait.inputs(newest) == inputs:
            kept = True
            yield portrait.change(overall)

    night.store.update(night.scope, decide)
    return kept
