"""A night for everyone: the stages, person by person or several people at once, and the report.

One person's fault never ends the others' night. No lock is held while a model thinks;
what is said meanwhile is never lost, it only leaves its day due.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from time import perf_counter

from siliconfriend.errors import UnknownPerson
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.night.call_budget import CallBudget
from siliconfriend.night.call_ledger import RetryTimer
from siliconfriend.night.concurrency import map_concurrently
from siliconfriend.night.night_lock import LONGEST_WAIT
from siliconfriend.night.night_state import open_night_state
from siliconfriend.night.people import PeopleNight, tell_nobody
from siliconfriend.night.person_night import USUAL, NightOptions, Progress
from siliconfriend.night.quiet_people import QuietPeople, conditions
from siliconfriend.night.report import NightReport
from siliconfriend.night.stages.registry import select_stages
from siliconfriend.runtime import Runtime


def run_night(
    runtime: Runtime,
    options: NightOptions = USUAL,
    *,
    users: Collection[str] | None = None,
    concurrency: int = 1,
    max_calls: int | None = None,
    wait: float = LONGEST_WAIT,
    timer: RetryTimer | None = None,
    progress: Progress | None = None,
) -> NightReport:
    """Run the stages of a night for everyone or those named, and save its report.

    Args:
        runtime: store, model, recaller and settings; without a model texts are written offline.
        options: how it is to go.
        users: names of people; None for everyone.
        concurrency: how many people's nights go on at once.
        max_calls: how often the model may be asked; what is left stays pending.
        wait: seconds to wait where another night is at work on the same person.
        timer: does the waits that a server asks for; by the machine's time unless given.
        progress: told what is being done.

    Raises:
        UsageError: an unknown stage or person.
        ConfigurationError: an unknown policy, a prompt that cannot be used, a data directory
            that cannot be written.
    """
    began = perf_counter()
    settings = runtime.settings
    scopes = scopes_of(runtime.store, users)
    state, timer = open_night_state(runtime), timer or RetryTimer()
    chat, embedder = runtime.night_chat, runtime.recaller.embedder
    record = (
        None
        if options.dry_run
        else state.begin("" if chat is None else chat.name, max_calls, timer)
    )
    budget = CallBudget(None if record is None else record.ledger, timer)
    last_passes = state.reports.last_passes(scopes)
    is_usual = users is None and options == USUAL
    notes = state.notes(conditions(runtime, chat, embedder)) if is_usual else None
    quiet = None if notes is None else QuietPeople(runtime, notes, last_passes)
    night = PeopleNight(
        runtime=runtime,
        state=state,
        chat=chat,
        embedder=embedder,
        budget=budget,
        options=replace(options, stages=select_stages(options.stages)),
        progress=_progress(progress, concurrency),
        wait=wait,
        last_passes=last_passes,
        quiet=quiet,
    )
    people = tuple(map_concurrently(night.run, scopes, at_once=concurrency, stop=budget.stop))
    now, seconds = runtime.clock.now(settings.zone), perf_counter() - began
    unreadable = () if users is not None else tuple(runtime.store.unreadable())
    report = NightReport(runtime.policy, people, now, seconds, options.dry_run, unreadable)
    if record is not None:
        record.save(report)
    if quiet is not None:
        quiet.save(scopes)
    return report


def scopes_of(store: MemoryStore, users: Collection[str] | None) -> Sequence[Scope]:
    """Whose night it is.

    Raises:
        UnknownPerson: nothing is kept of one of the users.
    """
    scopes = store.scopes()
    if users is None:
        return scopes
    names = {clean_name(user) for user in users}
    for name in sorted(names - {scope.person for scope in scopes}):
        if not store.exists(Scope.of(name)):
            raise UnknownPerson("unknown_person", name=name)
        # Damaged beyond knowing whose it is: its own night says so.
        scopes.append(Scope.of(name))
    return [scope for scope in scopes if scope.person in names]


def _progress(progress: Progress | None, concurrency: int) -> Progress:
    """What the stages report to; of several people at once only the names, not how far each is."""
    if progress is None:
        return tell_nobody
    if concurrency == 1:
        return progress
    return lambda what, _done, _total: progress(what, 0, 0)
