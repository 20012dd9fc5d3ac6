"""The stage ``forget``: what has faded far enough is archived, unless its day is yet to come.

Nothing is removed: an archived memory keeps its words and can be restored. The decision
is the pure kernel's; this stage only tells it which turns may go and writes the outcome.
Where so much is overdue that it looks like a fault, nothing goes, and the report says that it
is held back until a person allows it. That is no failure: nothing that was to be kept is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from siliconfriend.clock import day_of
from siliconfriend.forgetting.archiving import (
    FEW,
    due_for_archive,
    may_change,
    overdue,
    retentions_at,
    too_many,
)
from siliconfriend.forgetting.policy import HALF, ForgettingPolicy
from siliconfriend.forgetting.trace import Candidate
from siliconfriend.memory.changes import PutTrace
from siliconfriend.memory.days import outlines
from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.input_hash import day_inputs
from siliconfriend.memory.records import PersonMemory, kind_of
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.stages import reflect, summarise
from siliconfriend.recall.due import is_awaited

NAME = "forget"


def run(night: PersonNight) -> None:
    """Archive what is due, and count what newly went dim."""
    memory = night.load()
    candidates = list(_foreseen_candidates(night, memory))
    due = _due(night, memory, candidates, night.now)
    is_real = due and not night.options.dry_run
    going = _archive(night) if is_real else _allowed(night, memory, due)
    archived = {candidate.id for candidate in going}
    staying = [
        candidate
        for candidate in candidates
        if candidate.trace.archived is None and candidate.id not in archived
    ]
    night.report.archived += Counter(candidate.kind for candidate in going)
    night.report.dimmed += Counter(candidate.kind for candidate in _newly_dim(night, staying))
    night.report.count(NAME, due=len(due), done=0 if night.options.dry_run else len(going))


def _looked_at(
    memory: PersonMemory, policy: ForgettingPolicy, *, since: datetime | None, now: datetime
) -> list[str]:
    """Return the dates of which something may be due at a moment, or newly dim since another.

    By a policy that goes by numbers every memory counts.
    """
    if not policy.has_curve:
        return list(memory.days)
    found = outlines(memory.days)
    return [date for date, outline in found if may_change(outline.fading, since, now, policy)]


def _archive(night: PersonNight) -> list[Candidate]:
    """Archive what is due of the newest memory, and return it; nothing if it is too much."""
    with night.edit() as edit:
        dates = _looked_at(edit.memory, night.runtime.policy, since=night.last_pass, now=night.now)
        due = _due(night, edit.memory, _candidates(night, edit.memory, dates), night.now)
        going = _allowed(night, edit.memory, due)
        for candidate in going:
            edit.add(PutTrace(candidate.id, candidate.trace.archived_at(night.now)))
    return going


def _due(
    night: PersonNight, memory: PersonMemory, candidates: Iterable[Candidate], moment: datetime
) -> list[Candidate]:
    """Return the memories to archive at a moment, without those about days to come."""
    erased = _erased_turns(memory)
    due = due_for_archive(candidates, moment, night.runtime.policy, erased=erased)
    zone = memory.profile.zone
    today = day_of(moment, zone)
    return [
        candidate
        for candidate in due
        if (told := memory.find(candidate.id)) is None or not is_awaited(told, zone, today)
    ]


def _foreseen_candidates(night: PersonNight, memory: PersonMemory) -> Iterator[Candidate]:
    """The memories to decide about, in a dry run as they will be after the stages before this one."""
    if not night.options.dry_run:
        dates = _looked_at(memory, night.runtime.policy, since=night.last_pass, now=night.now)
        return _candidates(night, memory, dates)
    will_be_summarised: Collection[str] = ()
    ratings: Mapping[str, float] = {}
    if summarise.NAME in night.options.stages:
        will_be_summarised = summarise.due_days(night, memory)
    if reflect.NAME in night.options.stages:
        ratings = reflect.ratings_by_rule(night, memory)
    return _candidates(night, memory, list(memory.days), will_be_summarised, ratings)


def _candidates(
    night: PersonNight,
    memory: PersonMemory,
    dates: Iterable[str],
    will_be_summarised: Collection[str] = (),
    ratings: Mapping[str, float] = MappingProxyType({}),
) -> Iterator[Candidate]:
    """The memories of these dates; a turn may go only where a summary of all that its day has stands for it.

    ``ratings`` is the importance by id of turns that are going to be rated first.
    """
    for date in dates:
        day = memory.days[date]
        is_kept_elsewhere = date in will_be_summarised or (
            day.summary is not None and day.summary.provenance.inputs == day_inputs(day)
        )
        for turn in day.turns:
            trace = turn.trace
            if turn.id in ratings:
                trace = replace(trace, importance=ratings[turn.id])
            yield Candidate(turn.id, "turn", trace, summarised=is_kept_elsewhere)
        if day.summary is not None:
            yield Candidate(day.summary.id, "day", day.summary.trace)
        for record in day.derived():
            mentions = () if night.runtime.policy.has_curve else memory.mentions(record)
            yield Candidate(record.id, kind_of(record), record.trace, mentions=mentions)


def _erased_turns(memory: PersonMemory) -> int:
    return sum(
        (place := parse_memory_id(identifier)) is not None and place.kind == "turn"
        for identifier in memory.erased
    )


def _allowed(night: PersonNight, memory: PersonMemory, due: list[Candidate]) -> list[Candidate]:
    """Return ``due``, or nothing where it is too much and not yet allowed."""
    late = overdue(due, night.last_pass, night.now, night.runtime.policy)
    if night.options.allow_large or len(late) <= FEW:
        return due
    alive = Counter(kind_of(it) for it in memory.memories() if it.trace.archived is None)
    excess = too_many(Counter(it.kind for it in late), alive, night.runtime.policy)
    if excess is None:
        return due
    night.report.held_back = {"due": excess[0], "alive": excess[1]}
    return []


def _newly_dim(night: PersonNight, candidates: list[Candidate]) -> Iterator[Candidate]:
    """Those below one half now which were not yet at the last pass, by today's policy."""
    unpinned = [candidate for candidate in candidates if not candidate.trace.pinned]
    if not unpinned or not night.runtime.policy.has_curve:
        return
    is_dim = retentions_at(unpinned, night.now, night.runtime.policy) < HALF
    if night.last_pass is not None:
        is_dim &= retentions_at(unpinned, night.last_pass, night.runtime.policy) >= HALF
    for candidate, dim in zip(unpinned, is_dim, strict=True):
        if dim:
            yield candidate
