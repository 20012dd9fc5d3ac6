"""Who is known to have nothing to do tonight, by a look at the state of what is kept of them.

Of thousands of people few talk on one day. A whole night that found nothing to do for somebody
notes that state and until when time alone changes nothing; the nights up to then report the same
without opening the memory. A note counts only while all of it is as it was: what is kept, the
settings, the program, the parts that are used. Anything else is a night as ever, so nobody is
passed over who has something due.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

from siliconfriend.clock import day_of
from siliconfriend.config import Settings
from siliconfriend.config.own_words import FILE_NAME as OWN_WORDS
from siliconfriend.memory.lazy_days import outlines
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.quiet_notes import QuietNote, QuietNotes
from siliconfriend.night.report import PersonReport
from siliconfriend.night.stages import forget, reflect
from siliconfriend.recall.association_table import FILE_NAME as ASSOCIATIONS
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.thresholds import FILE_NAME as THRESHOLDS
from siliconfriend.runtime import Runtime

AHEAD = tuple(timedelta(days=days) for days in (32, 16, 8, 4, 2))
"""How far a note may reach, the longest first; the first that holds is taken."""

PROGRAM = Path(__file__).parents[1]
"""Where the program lies; with one file of it changed nobody is passed over."""

_OPERATORS = (OWN_WORDS, ASSOCIATIONS, THRESHOLDS)
"""Files of the data directory that change what a night makes."""

_WITHOUT_EFFECT = frozenset(
    {
        *("store", "llm_address", "fallback_address", "openai_base_url", "help_lines", "user"),
        *("serve_hosts", "serve_origins", "rate_limit", "forwarded_users", "unknown_variables"),
        *("companion_editors", "home"),
    }
)
"""Settings that make nothing due; addresses, which may hold a password, are never hashed."""


class QuietPeople:
    """The notes, for a night with all stages over everyone.

    Args:
        runtime: whose people and settings.
        notes: what is noted, under the conditions of this night.
        last_passes: when the last forgetting pass of each scope was.
    """

    def __init__(
        self, runtime: Runtime, notes: QuietNotes, last_passes: Mapping[Scope, datetime]
    ) -> None:
        self._runtime = runtime
        self._notes = notes
        self._last_passes = last_passes

    def report(self, scope: Scope) -> PersonReport | None:
        """Report a night with nothing to do; None where that is not known, and it must be looked at."""
        note = self._notes.get(scope)
        last_pass = self._last_passes.get(scope)
        if note is None or last_pass is None:
            return None
        now = self._runtime.clock.now(note.timezone)
        if not note.since <= last_pass <= now <= note.until:
            return None
        if self._notes.state(scope) != note.state:
            return None  # also where it cannot be looked at
        stages = {name: dict(counts) for name, counts in note.stages.items()}
        return PersonReport(scope, now=now, stages=stages, skipped=list(note.skipped))

    def is_noted(self, scope: Scope) -> bool:
        """True if somebody is known to have nothing to do."""
        return self._notes.get(scope) is not None

    def note(self, night: PersonNight, sequence: int) -> None:
        """Note what a whole night found that is at its end; nothing unless there was nothing to do.

        Args:
            night: with its report filled in.
            sequence: of the memory that it began with.
        """
        self._notes.put(night.scope, self._found(night, sequence))

    def save(self, scopes: Sequence[Scope]) -> None:
        """Keep the notes of those who are there still.

        Raises:
            ConfigurationError, StoreError: they cannot be written.
        """
        self._notes.save(scopes)

    def _found(self, night: PersonNight, sequence: int) -> QuietNote | None:
        if not _found_nothing(night.report):
            return None
        state = self._notes.state(night.scope)
        memory = night.store.load(night.scope)
        until = _quiet_until(night, memory)
        is_same = memory.sequence == sequence and self._notes.state(night.scope) == state
        if state is None or until is None or not is_same:
            return None
        return QuietNote(
            since=night.now,
            until=until,
            timezone=memory.profile.zone,
            state=state,
            stages=night.report.stages,
            skipped=tuple(night.report.skipped),
        )


def conditions(runtime: Runtime, chat: ChatModel | None, embedder: Embedder | None) -> str:
    """A hash of what is the same for everyone and decides what is due, on whichever machine."""
    made_by = None if chat is None else chat.name
    space = None if embedder is None else (embedder.name, embedder.revision, embedder.dimension)
    parts = (_effective(runtime.settings), runtime.policy, made_by, space)
    digest = hashlib.sha256(repr(parts).encode())
    for name, words in _files(runtime.settings.home):
        digest.update(f"{name}\0{len(words)}\0".encode() + words)
    return digest.hexdigest()


def _found_nothing(report: PersonReport) -> bool:
    """True if a night changed nothing, asked nobody and left nothing but what no model is there for."""
    is_idle = all(
        counts["done"] == 0 and (counts["due"] == 0 or (stage, report.skipped) == _OFFLINE)
        for stage, counts in report.stages.items()
    )
    has_changed = report.archived or report.dimmed or report.summarised or report.judged
    return is_idle and report.status == "ok" and not has_changed and not report.usage.calls


_OFFLINE = (reflect.NAME, [reflect.NAME])


def _quiet_until(night: PersonNight, memory: PersonMemory) -> datetime | None:
    """Until when time alone makes nothing due; None where that is soon or cannot be known."""
    present = day_of(night.now, memory.profile.zone).isoformat()
    if any(date >= present for date in memory.days):
        return None  # a day that is not over becomes so
    ending = [date for date, outline in outlines(memory.days) if outline.expires]
    records = chain.from_iterable(memory.days[date].memories() for date in ending)
    ends = [it.trace.expires for it in records if it.trace.expires is not None]
    ahead = [end for end in ends if end > night.now]
    for span in AHEAD:
        until = night.now + span
        if all(end > until for end in ahead) and forget.is_quiet(night, memory, until):
            return until
    return None


def _files(home: Path) -> Iterator[tuple[str, bytes]]:
    """The operator's files, and those of the program, since a version's number outlasts many a change."""
    for name in _OPERATORS:
        try:
            yield name, (home / name).read_bytes()
        except OSError:
            continue  # none, or none that a night could read
    for path in sorted(PROGRAM.rglob("*.py")):
        yield path.relative_to(PROGRAM).as_posix(), path.read_bytes()


def _effective(settings: Settings) -> list[tuple[str, object]]:
    """The settings with an effect on what is due, without secrets."""
    return [
        (it.name, getattr(settings, it.name))
        for it in fields(settings)
        if it.repr and it.name not in _WITHOUT_EFFECT
    ]
