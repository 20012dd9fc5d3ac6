"""The stage ``forget``: archive faded memories, except those with a future day.

An archived memory keeps its words and can be restored. If suspiciously many memories are due,
nothing is archived and the report says so until a person allows it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace

from siliconfriend.clock import day_of
from siliconfriend.forgetting.archiving import FEW, due_for_archive, overdue, too_many
from siliconfriend.forgetting.policy import HALF
from siliconfriend.forgetting.trace import Candidate
from siliconfriend.memory.changes import PutTrace
from siliconfriend.memory.days import day_inputs
from siliconfriend.memory.records import PersonMemory, kind_of
from siliconfriend.memory.scope import parse_memory_id
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.stages import reflect, summarise
from siliconfriend.recall.due import has_open_plan

NAME = "forget"


def run(night: PersonNight) -> None:
    """Archive due memories, and count newly dimmed ones."""
    is_real = not night.options.dry_run
    with night.edit() if is_real else nullcontext() as edit:
        memory = night.load() if edit is None else edit.memory
        candidates = list(_candidates(night, memory))
        due = _due(night, memory, candidates)
        going = _allowed(night, memory, due)
        if edit is not None:
            edit.add(*(PutTrace(one.id, one.trace.archived_at(night.now)) for one in going))
    archived = {candidate.id for candidate in going}
    staying = [one for one in candidates if one.trace.is_active and one.id not in archived]
    night.report.archived.update(candidate.kind for candidate in going)
    night.report.dimmed.update(candidate.kind for candidate in _newly_dim(night, staying))
    night.report.count(NAME, due=len(due), done=len(going) if is_real else 0)


def _candidates(night: PersonNight, memory: PersonMemory) -> Iterator[Candidate]:
    """The candidate memories; a dry run anticipates the earlier stages.

    A turn may be archived only if a complete day summary replaces it.
    """
    policy, stages = night.runtime.policy, night.options.stages
    will_be_summarised: Collection[str] = ()
    ratings: Mapping[str, float] = {}
    if night.options.dry_run:
        if summarise.NAME in stages:
            will_be_summarised = summarise.due_days(night, memory)
        if reflect.NAME in stages:
            ratings = reflect.ratings_by_rule(night, memory)
    for date, day in memory.days.items():
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
            mentions = () if policy.has_curve else memory.mentions(record)
            yield Candidate(record.id, kind_of(record), record.trace, mentions=mentions)


def _due(
    night: PersonNight, memory: PersonMemory, candidates: Iterable[Candidate]
) -> list[Candidate]:
    places = map(parse_memory_id, memory.erased)
    erased = sum(place is not None and place.kind == "turn" for place in places)
    zone, today = memory.profile.zone, day_of(night.now, memory.profile.zone)
    due = due_for_archive(candidates, night.now, night.runtime.policy, erased=erased)
    told = {candidate.id: memory.find(candidate.id) for candidate in due}
    awaited = {id_ for id_, record in told.items() if record and has_open_plan(record, zone, today)}
    return [candidate for candidate in due if candidate.id not in awaited]


def _allowed(night: PersonNight, memory: PersonMemory, due: list[Candidate]) -> list[Candidate]:
    """Return ``due``, or an empty list if it is too much and not allowed."""
    policy = night.runtime.policy
    late = overdue(due, night.last_pass, night.now, policy)
    if night.options.allow_large or len(late) <= FEW:
        return due
    alive = Counter(kind_of(memory) for memory in memory.memories() if memory.trace.is_active)
    excess = too_many(Counter(one.kind for one in late), alive, policy)
    if excess is None:
        return due
    night.report.held_back = {"due": excess[0], "alive": excess[1]}
    return []


def _newly_dim(night: PersonNight, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the memories whose retention fell below one half since the last pass, by the current policy."""
    policy, last = night.runtime.policy, night.last_pass
    for one in candidates if policy.has_curve else ():
        trace, kind = one.trace, one.kind
        is_dim = not trace.pinned and policy.retention(trace, kind, night.now) < HALF
        if is_dim and (last is None or policy.retention(trace, kind, last) >= HALF):
            yield one
