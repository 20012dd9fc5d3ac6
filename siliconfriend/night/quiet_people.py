"""Who is known to have nothing to do tonight, by a look at the sizes and times of their files.

Of thousands of people few talk on one day. A whole night that found nothing to do for somebody
notes their files as they are and until when time alone changes nothing; the nights up to then
report the same without opening the memory. A note counts only while all of it is as it was:
the files, the settings, the program, the parts that are used. Anything else, a file that
cannot be looked at among it, is a night as ever, so nobody is passed over who has something due.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, BaseModel, ConfigDict, TypeAdapter, ValidationError

from siliconfriend.clock import day_of
from siliconfriend.config import Settings
from siliconfriend.config.own_words import FILE_NAME as OWN_WORDS
from siliconfriend.memory import atomic
from siliconfriend.memory.encryption import KEY_FILE
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.jobs import unfinished_jobs
from siliconfriend.memory.lazy_days import outlines
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.report import PersonReport
from siliconfriend.night.stages import forget, reflect
from siliconfriend.recall.association_table import FILE_NAME as ASSOCIATIONS
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index_file import INDEX_FILE
from siliconfriend.recall.index_snapshot import SNAPSHOT_FILE
from siliconfriend.recall.thresholds import FILE_NAME as THRESHOLDS
from siliconfriend.runtime import Runtime

FILE = Path("night", "quiet.json")
"""The notes in a data directory, by the digests of scopes; a cache without words or names."""

AHEAD = tuple(timedelta(days=days) for days in (32, 16, 8, 4, 2))
"""How far a note may reach, the longest first; the first that holds is taken."""

PROGRAM = Path(__file__).parents[1]
"""Where the program lies; with one file of it changed nobody is passed over."""

_WATCHED = (
    *("memory.json", "journal.jsonl", "journal.mark", KEY_FILE),
    *(INDEX_FILE, f"{INDEX_FILE}-wal", SNAPSHOT_FILE),
)
"""What of a person's folder a note rests on."""

_OPERATORS = (OWN_WORDS, ASSOCIATIONS, THRESHOLDS)
"""Files of the data directory that change what a night makes."""

_WITHOUT_EFFECT = frozenset(
    {
        *("store", "llm_address", "fallback_address", "openai_base_url", "help_lines", "user"),
        *("serve_hosts", "serve_origins", "rate_limit", "forwarded_users", "unknown_variables"),
        "companion_editors",
    }
)
"""Settings that make nothing due; addresses, which may hold a password, are never hashed."""

_LOG = logging.getLogger(__name__)

_FileState = tuple[int, int, int, int]
"""Inode, size, and the times of the last writing and of the last change."""
_State = tuple[_FileState | None, ...]
"""Of each file; None for one that is not there."""


class _Note(BaseModel):
    """What a night that found nothing to do knows of one person.

    Attributes:
        since: the moment of that night.
        until: up to here time alone makes nothing due.
        timezone: the person's.
        files: what they were.
        stages, skipped: as in that night's report.
    """

    model_config = ConfigDict(frozen=True)

    since: AwareDatetime
    until: AwareDatetime
    timezone: ZoneInfo
    files: _State
    stages: dict[str, dict[str, int]]
    skipped: tuple[str, ...]


class _Notes(BaseModel):
    conditions: str
    people: dict[str, _Note]


_NOTES = TypeAdapter(_Notes)


class QuietPeople:
    """The notes of one data directory, for a night with all stages over everyone.

    Args:
        runtime: whose people and settings.
        chat: the model of this night; None offline.
        embedder: that of this night.
        last_passes: when the last forgetting pass of each scope was, by its digest.
    """

    def __init__(
        self,
        runtime: Runtime,
        chat: ChatModel | None,
        embedder: Embedder | None,
        last_passes: Mapping[str, datetime],
    ) -> None:
        self._runtime = runtime
        self._conditions = _conditions(runtime, chat, embedder)
        self._last_passes = last_passes
        self._path = runtime.settings.home / FILE
        self._kept = self._read()
        self._known = dict(self._kept)

    def report(self, scope: Scope) -> PersonReport | None:
        """Report a night with nothing to do; None where that is not known, and it must be looked at."""
        note = self._known.get(scope.digest)
        last_pass = self._last_passes.get(scope.digest)
        if note is None or last_pass is None:
            return None
        now = self._runtime.clock.now(note.timezone)
        if not note.since <= last_pass <= now <= note.until:
            return None
        if self._state(scope) != note.files:
            return None  # also where they cannot be looked at
        stages = {name: dict(counts) for name, counts in note.stages.items()}
        return PersonReport(scope, now=now, stages=stages, skipped=list(note.skipped))

    def is_noted(self, scope: Scope) -> bool:
        """True if somebody is known to have nothing to do."""
        return scope.digest in self._known

    def note(self, night: PersonNight, sequence: int) -> None:
        """Note what a whole night found that is at its end; nothing unless there was nothing to do.

        Args:
            night: with its report filled in.
            sequence: of the memory that it began with.
        """
        self._known.pop(night.scope.digest, None)
        if not _found_nothing(night.report):
            return
        files = self._state(night.scope)
        memory = night.store.load(night.scope)
        until = _quiet_until(night, memory)
        is_same = memory.sequence == sequence and self._state(night.scope) == files
        if files is None or until is None or not is_same:
            return
        self._known[night.scope.digest] = _Note(
            since=night.now,
            until=until,
            timezone=memory.profile.zone,
            files=files,
            stages=night.report.stages,
            skipped=tuple(night.report.skipped),
        )

    def save(self, scopes: Sequence[Scope]) -> None:
        """Keep the notes of those who are there still.

        Raises:
            ConfigurationError: the folder cannot be written by this user.
            StoreError: the disk is full or broken.
        """
        there = {scope.digest for scope in scopes}
        known = {digest: note for digest, note in self._known.items() if digest in there}
        if known == self._kept:
            return
        data = _NOTES.dump_json(_Notes(conditions=self._conditions, people=known))
        with translate_file_errors(self._runtime.settings.home):
            atomic.make_folder(self._path.parent)
            atomic.write_whole(self._path, data)

    def _read(self) -> dict[str, _Note]:
        """Read the notes that were made under the same conditions; none of a file that is none."""
        try:
            notes = _NOTES.validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValidationError):
            _LOG.debug("the notes of quiet people cannot be read", exc_info=True)
            return {}
        return notes.people if notes.conditions == self._conditions else {}

    def _state(self, scope: Scope) -> _State | None:
        """The state of a person's files; None where nothing may be noted of them.

        What is encrypted must be opened each night: nobody else can tell if its key is at hand.
        """
        folder = self._runtime.store.folder(scope)
        if folder is None:
            return None
        state = _state_of(folder, _WATCHED)
        if state is None or state[_WATCHED.index(KEY_FILE)] is not None:
            return None
        return state if state[0] and state[1] else None


def open_quiet_people(
    runtime: Runtime,
    chat: ChatModel | None,
    embedder: Embedder | None,
    last_passes: Mapping[str, datetime],
) -> QuietPeople | None:
    """Open the notes; None while a job that was stopped is not finished: then all are looked at."""
    if unfinished_jobs(runtime.settings.home):
        return None
    return QuietPeople(runtime, chat, embedder, last_passes)


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


def _conditions(runtime: Runtime, chat: ChatModel | None, embedder: Embedder | None) -> str:
    """A hash of what is the same for everyone and decides what is due."""
    made_by = None if chat is None else chat.name
    space = None if embedder is None else (embedder.name, embedder.revision, embedder.dimension)
    operators = _state_of(runtime.settings.home, _OPERATORS)
    parts = (_program(), _effective(runtime.settings), runtime.policy)
    return hashlib.sha256(repr((*parts, made_by, space, operators)).encode()).hexdigest()


def _program() -> list[tuple[str, int, int]]:
    """The files of the program as they are, since a version's number outlasts many a change."""
    files = sorted((path, path.stat()) for path in PROGRAM.rglob("*.py"))
    return [(str(path), it.st_size, it.st_mtime_ns) for path, it in files]


def _effective(settings: Settings) -> list[tuple[str, object]]:
    """The settings with an effect on what is due, without secrets."""
    return [
        (it.name, getattr(settings, it.name))
        for it in fields(settings)
        if it.repr and it.name not in _WITHOUT_EFFECT
    ]


def _state_of(folder: Path, names: Sequence[str]) -> _State | None:
    """What can be seen of each file without opening it; None where one cannot be looked at."""
    found: list[_FileState | None] = []
    for name in names:
        try:
            it = (folder / name).stat()
        except FileNotFoundError:
            found.append(None)
        except OSError:
            return None
        else:
            found.append((it.st_ino, it.st_size, it.st_mtime_ns, it.st_ctime_ns))
    return tuple(found)
