"""Know for whom nothing is due for some nights, which then leave their memory closed.

A whole night ends with a look at the next ones. Where they have nothing to do it notes what it
looked at, and until when time alone makes nothing due. While both hold, these nights report so;
otherwise they run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from itertools import takewhile
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from siliconfriend.clock import day_of
from siliconfriend.errors import SiliconFriendError
from siliconfriend.forgetting.archiving import may_change
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.days import outlines
from siliconfriend.memory.scope import Scope
from siliconfriend.night.person_night import NightOptions, PersonNight
from siliconfriend.night.report import PersonReport
from siliconfriend.runtime import Runtime

SPANS = (2, 4, 8, 16, 32)
"""Days for which nothing may be due."""
WHOLE = (NightOptions(), NightOptions(allow_large=True))
"""Options of nights that note and may be left out."""


@dataclass(frozen=True, slots=True)
class NothingDue:
    """Nothing is due from ``since`` to ``until`` while what was ``seen`` is the same."""

    seen: str
    since: datetime
    until: datetime
    zone: str
    stages: dict[str, dict[str, int]]
    skipped: list[str]

    def report(self, runtime: Runtime, scope: Scope) -> PersonReport | None:
        """Report a night with nothing to do; None where there may be something."""
        now = runtime.clock.now(ZoneInfo(self.zone))
        if not self.since <= now <= self.until or _see(runtime, scope) != self.seen:
            return None
        return PersonReport(scope, now, ZoneInfo(self.zone), self.stages, skipped=self.skipped)


def note(night: PersonNight, stages: Iterable[Callable[[PersonNight], None]]) -> str:
    """Note as JSON for how long nothing will be due after a whole night; empty if something may be.

    ``stages`` are all but forgetting, which the policy's curve foresees.
    """
    runtime, scope, now, policy = night.runtime, night.scope, night.now, night.runtime.policy
    seen, memory = _see(runtime, scope), runtime.store.load(scope)
    today, found = day_of(now, memory.profile.zone).isoformat(), [*outlines(memory.days)]
    if night.report.status != "ok" or not policy.has_curve or any(it >= today for it, _ in found):
        return ""
    quiet = takewhile(
        lambda until: not any(may_change(day.fading, now, until, policy) for _, day in found),
        (now + timedelta(days) for days in SPANS),
    )
    if (until := max(quiet, default=None)) is None:
        return ""
    counts = {name: {"due": 0, "done": 0} for name in night.report.stages}
    report = PersonReport(scope, now, memory.profile.zone, counts)
    look = replace(night, report=report, options=replace(night.options, dry_run=True))
    for stage in stages:
        stage(look)
    if any(it["due"] and name not in report.skipped for name, it in counts.items()):
        return ""
    kept = NothingDue(seen, now, until, memory.profile.timezone, counts, report.skipped)
    return msgspec.json.encode(kept).decode() if seen == _see(runtime, scope) else ""


def _see(runtime: Runtime, scope: Scope) -> str:
    """Hash what decides what is due for somebody: settings, program, state and files."""
    model, store = runtime.night_chat, runtime.store
    # Without addresses, which may hold a password.
    settings = replace(runtime.settings, store="", llm_address=None, openai_base_url=None)
    try:
        state, folder = store.state(scope), store.folder(scope)
        files = folder and sorted(it.name for it in folder.iterdir())
    except (SiliconFriendError, Unreadable, OSError) as error:
        return repr(error)
    parts = (_program(), settings, model and model.name, state, files)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@cache
def _program() -> str:
    """Hash the program, since a version's number outlasts many a change."""
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    return hashlib.sha256(b"\0".join(it.read_bytes() for it in files)).hexdigest()
