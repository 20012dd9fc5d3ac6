"""The stage ``forget``: what has faded far enough is archived.

Nothing is removed: an archived memory keeps its words and can be restored. The decision
is the pure kernel's; this stage only tells it which turns may go and writes the outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from siliconfriend.errors import SiliconFriendError
from siliconfriend.forgetting.fate import Candidate, due_for_archive, is_too_many, retentions
from siliconfriend.forgetting.policy import HALF
from siliconfriend.memory.changes import Change, PutTrace
from siliconfriend.memory.digest import day_inputs
from siliconfriend.memory.records import Memory, PersonMemory, Turn, kind_of
from siliconfriend.night import summarise
from siliconfriend.night.person import PersonNight

NAME = "forget"


class TooManyAtOnce(SiliconFriendError):
    """A pass would archive so much at once that it looks like a mistake."""

    exit_code = 6


def run(night: PersonNight) -> None:
    """Archive what is due, and count what newly went dim."""
    memory = night.load()
    if night.dry_run:
        due = _due(night, memory, _to_be_summarised(night, memory))
        try:
            _refuse_too_many(night, memory, due)
        except TooManyAtOnce as error:
            night.fail(NAME, error)
        _report(night, memory, due, done=0)
        return
    due: list[Candidate] = []

    def decide(newest: PersonMemory) -> Iterator[Change]:
        due[:] = _due(night, newest)
        _refuse_too_many(night, newest, due)
        for candidate in due:
            yield PutTrace(candidate.id, candidate.trace.archived_at(night.now))

    try:
        memory = night.store.update(night.scope, decide)
    except TooManyAtOnce as error:
        night.fail(NAME, error)
        night.report.count(NAME, due=len(due), done=0)
        return
    _report(night, memory, due, done=len(due))


def _to_be_summarised(night: PersonNight, memory: PersonMemory) -> Collection[str]:
    """Days that the run itself would summarise before it forgets."""
    return summarise.due_days(night, memory) if summarise.NAME in night.stages else ()


def _candidates(memory: PersonMemory, summarised_too: Collection[str]) -> Iterator[Candidate]:
    for date, day in memory.days.items():
        current = day.summary is not None and day.summary.provenance.inputs == day_inputs(day)
        kept_elsewhere = current or date in summarised_too
        records: list[Memory] = [*day.turns]
        if day.summary is not None:
            records.append(day.summary)
        for record in records:
            safe = kept_elsewhere or not isinstance(record, Turn)
            yield Candidate(record.id, kind_of(record), record.trace, summarised=safe)


def _due(
    night: PersonNight, memory: PersonMemory, summarised_too: Collection[str] = ()
) -> list[Candidate]:
    return due_for_archive(_candidates(memory, summarised_too), night.now, night.policy)


def _refuse_too_many(night: PersonNight, memory: PersonMemory, due: list[Candidate]) -> None:
    alive = sum(record.trace.archived is None for record in memory.memories())
    if not night.allow_large and is_too_many(len(due), alive, night.policy):
        raise TooManyAtOnce("night_too_many", due=len(due), alive=alive)


def _report(night: PersonNight, memory: PersonMemory, due: list[Candidate], done: int) -> None:
    gone = {candidate.id for candidate in due}
    night.report.archived += Counter(candidate.kind for candidate in due)
    staying = [
        it
        for it in _candidates(memory, ())
        if it.trace.archived is None and not it.trace.pinned and it.id not in gone
    ]
    if staying:
        night.report.dimmed += Counter(it.kind for it in _newly_dim(night, staying))
    night.report.count(NAME, due=len(due), done=done)


def _newly_dim(night: PersonNight, candidates: list[Candidate]) -> Iterator[Candidate]:
    """Those below one half now which were not yet at the last pass."""
    kept_now = retentions(candidates, night.now, night.policy)
    before = night.last_pass
    kept_then = None if before is None else retentions(candidates, before, night.policy)
    for index, candidate in enumerate(candidates):
        was_vivid = kept_then is None or kept_then[index] >= HALF
        if kept_now[index] < HALF and was_vivid:
            yield candidate
