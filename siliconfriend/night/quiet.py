"""Whom a night may pass over: people whose last whole night found nothing to do.

Of thousands of people few talk on one day. A night that found nothing notes the state of what is
kept of somebody and until when time alone makes nothing due; the nights up to then report the same
without opening the memory. A note counts only while the state, the settings, the program and the
parts in use are the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from siliconfriend.clock import day_of
from siliconfriend.config import Settings
from siliconfriend.config.own_words import FILE_NAME as OWN_WORDS
from siliconfriend.forgetting.fading import may_change
from siliconfriend.memory.database import Transaction
from siliconfriend.memory.days import outlines
from siliconfriend.memory.encryption import KEY_FILE
from siliconfriend.memory.folder import DATABASE, MIRROR
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.report import PersonReport
from siliconfriend.recall.association_table import FILE_NAME as ASSOCIATIONS
from siliconfriend.recall.index_file import INDEX_FILE
from siliconfriend.recall.likelihood import FILE_NAME as LIKELIHOOD
from siliconfriend.runtime import Runtime

AHEAD = tuple(timedelta(days=days) for days in (32, 16, 8, 4, 2))
"""How far a note may reach, the longest first; the first that holds is taken."""

PROGRAM = Path(__file__).parents[1]
"""Where the program lies; with one file of it changed nobody is passed over."""

_OPERATORS = (OWN_WORDS, ASSOCIATIONS, LIKELIHOOD)
"""Files of the data directory that change what a night makes."""

_WITHOUT_EFFECT = frozenset(
    {
        *("store", "llm_address", "openai_base_url", "help_lines", "user"),
        *("serve_hosts", "serve_origins", "rate_limit", "forwarded_users", "unknown_variables"),
        *("companion_editors", "home"),
    }
)
"""Settings that make nothing due; addresses, which may hold a password, are never hashed."""


@dataclass(frozen=True, slots=True)
class QuietNote:
    """What a night that found nothing to do knows of one person.

    Attributes:
        since: the moment of that night.
        until: up to here time alone makes nothing due.
        timezone: the person's.
        state: of what is kept of them, at that night's end.
        stages, skipped: as in that night's report.
    """

    since: datetime
    until: datetime
    timezone: str
    state: str
    stages: Mapping[str, Mapping[str, int]]
    skipped: tuple[str, ...]


class QuietPeople:
    """The notes that were made under the conditions that hold now, and those of this night.

    Args:
        runtime: whose people and settings.
        conditions: a hash of what is the same for everyone and decides what is due.
        only: of one person alone; None for everyone.
    """

    def __init__(self, runtime: Runtime, conditions: str, only: Scope | None = None) -> None:
        self._runtime, self._conditions = runtime, conditions
        query = (
            "SELECT person, companion, quiet, last_pass FROM night_person WHERE conditions = ?"
            " AND last_pass IS NOT NULL AND (? = '' OR person = ?)"
        )
        name = only.person if only else ""
        rows = runtime.installation.tables.read(query, (conditions, name, name))
        self._notes = {
            Scope(person, companion): (msgspec.json.decode(note, type=QuietNote), last_pass)
            for person, companion, note, last_pass in rows
        }
        self._new: QuietNote | None = None

    def report(self, scope: Scope) -> PersonReport | None:
        """Report a night with nothing to do; None where that is not known."""
        if scope not in self._notes:
            return None
        note, last_pass = self._notes[scope]
        now = self._runtime.clock.now(ZoneInfo(note.timezone))
        if not note.since.timestamp() <= last_pass <= now.timestamp() <= note.until.timestamp():
            return None
        if state_of(self._runtime.store, scope) != note.state:
            return None  # also where it cannot be looked at
        stages = {name: dict(counts) for name, counts in note.stages.items()}
        return PersonReport(scope, now=now, stages=stages, skipped=list(note.skipped))

    def note(self, night: PersonNight, sequence: int) -> None:
        """Note what a whole night found that is at its end, if there was nothing to do.

        Args:
            night: with its report filled in.
            sequence: of the memory that it began with.
        """
        if not _found_nothing(night.report):
            return
        state = state_of(night.store, night.scope)
        memory = night.store.load(night.scope)
        until = _quiet_until(night, memory)
        is_same = memory.sequence == sequence and state_of(night.store, night.scope) == state
        if state is not None and until is not None and is_same:
            report, zone = night.report, memory.profile.zone
            self._new = QuietNote(
                night.now, until, zone.key, state, report.stages, tuple(report.skipped)
            )

    def save(self, transaction: Transaction, scope: Scope) -> None:
        """Write what :meth:`note` found, or that there is no note."""
        note = None if self._new is None else msgspec.json.encode(self._new).decode()
        transaction.execute(
            "UPDATE night_person SET conditions = ?, quiet = ? WHERE person = ? AND companion = ?",
            (note and self._conditions, note, scope.person, scope.companion),
        )


def state_of(store: MemoryStore, scope: Scope) -> str | None:
    """The state of what is kept of a person, told without decoding it; None where nothing may be noted.

    What is encrypted must be opened each night: nobody else can tell if its key is at hand.
    """
    folder = store.folder(scope)
    if folder is not None:
        return _state_of_files(folder)
    database = store.database(scope)
    if database.engine == "sqlite":
        return None  # it ends with this program
    with database.transaction(scope.person, read_only=True) as transaction:
        whose = (scope.person, scope.companion)
        key = "SELECT 1 FROM scope_key WHERE person = ? AND companion = ?"
        query = "SELECT epoch, sequence FROM scope WHERE person = ? AND companion = ?"
        row = None if transaction.one(key, whose) else transaction.one(query, whose)
    return None if row is None else repr(tuple(row))


def _state_of_files(folder: Path) -> str | None:
    if (folder / KEY_FILE).exists():
        return None
    found: list[tuple[str, int, int, int]] = []
    for name in (DATABASE, MIRROR, INDEX_FILE):
        try:
            stat = (folder / name).stat()
        except FileNotFoundError:
            continue
        except OSError:
            return None
        found.append((name, stat.st_ino, stat.st_size, stat.st_mtime_ns))
    return repr(found) if found else None


def conditions(runtime: Runtime) -> str:
    """A hash of what is the same for everyone and decides what is due, on whichever machine."""
    chat, embedder = runtime.night_chat, runtime.recaller.embedder
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
        counts["done"] == 0 and (counts["due"] == 0 or stage in report.skipped)
        for stage, counts in report.stages.items()
    )
    has_changed = report.archived or report.dimmed or report.summarised or report.judged
    return is_idle and report.status == "ok" and not has_changed and not report.usage.calls


def _quiet_until(night: PersonNight, memory: PersonMemory) -> datetime | None:
    """Until when time alone makes nothing due; None where that is soon or cannot be known."""
    present = day_of(night.now, memory.profile.zone).isoformat()
    if any(date >= present for date in memory.days):
        return None  # a day that is not over becomes so
    ending = [date for date, outline in outlines(memory.days) if outline.expires]
    records = chain.from_iterable(memory.days[date].memories() for date in ending)
    ends = [it.trace.expires for it in records if it.trace.expires is not None]
    ahead = [end for end in ends if end > night.now]
    fading = [it.fading for _date, it in outlines(memory.days)]
    for span in AHEAD if night.policy.has_curve else ():
        until = night.now + span
        if all(end > until for end in ahead) and not any(
            may_change(it, night.now, until, night.policy) for it in fading
        ):
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
        stat = path.stat()
        yield path.relative_to(PROGRAM).as_posix(), f"{stat.st_size} {stat.st_mtime_ns}".encode()


def _effective(settings: Settings) -> list[tuple[str, object]]:
    """The settings with an effect on what is due, without secrets."""
    return [
        (it.name, getattr(settings, it.name))
        for it in fields(settings)
        if it.repr and it.name not in _WITHOUT_EFFECT
    ]
