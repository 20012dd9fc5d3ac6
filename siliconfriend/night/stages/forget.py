"""The step ``forget``: what has faded far enough is archived.

Nothing is removed: an archived memory keeps its words and can be restored. The decision
is the pure kernel's; this step only tells it which turns may go and writes the outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from siliconfriend.errors import NightIncomplete
from siliconfriend.forgetting.candidate import Candidate
from siliconfriend.forgetting.fate import due_for_archive, is_too_many, retentions
from siliconfriend.forgetting.policy import HALF
from siliconfriend.memory.changes import PutTrace
from siliconfriend.memory.digest import day_inputs
from siliconfriend.memory.identity import place_of
from siliconfriend.memory.records import PersonMemory, kind_of
from siliconfriend.memory.told import told
from siliconfriend.night import turn_ratings
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.stages import reflect, summarise

NAME = "forget"


def run(night: PersonNight) -> None:
    """Archive what is due, and count what newly went dim."""
    memory = night.load()
    will_be_summarised: Collection[str] = ()
    if night.options.dry_run and summarise.NAME in night.options.stages:
        will_be_summarised = summarise.due_days(night, memory)
    will_matter: Mapping[str, float] = {}
    if night.options.dry_run and reflect.NAME in night.options.stages:
        will_matter = turn_ratings.forecast(night, memory)
    candidates = list(_candidates(memory, will_be_summarised, will_matter))
    due = due_for_archive(candidates, night.now, night.policy, erased=_erased_turns(memory))
    if not night.options.dry_run and due:
        due = _archive(night)
    elif _is_refused(night, memory, due):
        due = []
    gone = {candidate.id for candidate in due}
    night.report.archived += Counter(candidate.kind for candidate in due)
    staying = [it for it in candidates if it.trace.archived is None and it.id not in gone]
    night.report.dimmed += Counter(it.kind for it in _newly_dim(night, staying))
    night.report.count(NAME, due=len(due), done=0 if night.options.dry_run else len(due))


def _archive(night: PersonNight) -> list[Candidate]:
    """Archive what is due of the newest memory; what was archived."""
    with night.store.edit(night.scope) as edit:
        candidates, erased = _candidates(edit.memory, (), {}), _erased_turns(edit.memory)
        due = due_for_archive(candidates, night.now, night.policy, erased=erased)
        if _is_refused(night, edit.memory, due):
            return []
        edit.add(*(PutTrace(it.id, it.trace.archived_at(night.now)) for it in due))
    return due


def _candidates(
    memory: PersonMemory, will_be_summarised: Collection[str], will_matter: Mapping[str, float]
) -> Iterator[Candidate]:
    """All memories; a turn may go only where a summary of all that its day has stands for it.

    ``will_matter`` is the importance by id of turns that are going to be judged first.
    """
    for date, day in memory.days.items():
        is_kept_elsewhere = date in will_be_summarised or (
            day.summary is not None and day.summary.provenance.inputs == day_inputs(day)
        )
        for turn in day.turns:
            trace = turn.trace
            if turn.id in will_matter:
                trace = replace(trace, importance=will_matter[turn.id])
            yield Candidate(turn.id, "turn", trace, summarised=is_kept_elsewhere)
        if day.summary is not None:
            yield Candidate(day.summary.id, "day", day.summary.trace)
        for record in day.derived():
            telling = told(record, memory)
            yield Candidate(record.id, kind_of(record), record.trace, told=telling)


def _erased_turns(memory: PersonMemory) -> int:
    return sum((place := place_of(it)) is not None and place.kind == "turn" for it in memory.erased)


def _is_refused(night: PersonNight, memory: PersonMemory, due: list[Candidate]) -> bool:
    """Whether so much would go at once that a person must say so; it is reported then."""
    alive = sum(record.trace.archived is None for record in memory.memories())
    if night.options.allow_large or not is_too_many(len(due), alive, night.policy):
        return False
    night.fail(NAME, NightIncomplete("night_too_many", due=len(due), alive=alive))
    return True


def _newly_dim(night: PersonNight, candidates: list[Candidate]) -> Iterator[Candidate]:
    """Those below one half now which were not yet at the last pass, by today's policy."""
    open_ones = [it for it in candidates if not it.trace.pinned]
    if not open_ones or not night.policy.has_curve:
        return
    is_dim = retentions(open_ones, night.now, night.policy) < HALF
    if night.last_pass is not None:
        is_dim &= retentions(open_ones, night.last_pass, night.policy) >= HALF
    for candidate, dim in zip(open_ones, is_dim, strict=True):
        if dim:
            yield candidate
