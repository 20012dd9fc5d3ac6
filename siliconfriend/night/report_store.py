"""The stage ``report``: each night's report is kept under ``night/`` of the data directory.

It is kept with the digest of a scope in place of names, so that deleting a person leaves
nothing that names them. Only the last reports stay. When the last forgetting pass of each scope
was, which tells what has *newly* grown dim, stands in a file of its own; with it and the reports
gone a night counts all that is dim.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import orjson
from filelock import FileLock
from pydantic import AwareDatetime, TypeAdapter, ValidationError

from siliconfriend.memory import atomic
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.scope import Scope, folder_id
from siliconfriend.night.night_lock import FOLDER as LOCKS
from siliconfriend.night.report import NightReport
from siliconfriend.night.saved_report import SavedReport
from siliconfriend.night.stages import forget

FOLDER = "night"
_NAME = "%Y-%m-%dT%H%M%S.%fZ"
_NAMED = "[0-9]*.json"

MOST_REPORTS = 60
"""Reports that stay: of two months of nights."""

MOST_BYTES = 16 << 20
"""They take no more room than this; of thousands of people fewer stay."""

PASSES = "passes.json"
"""When the last forgetting pass of each scope was, by its digest."""

_PASSES = TypeAdapter(dict[str, AwareDatetime])

OnMalformed = Callable[[Path], None]


def _pass_over(path: Path) -> None:
    """Say nothing of a file that is no report."""


def save(report: NightReport, home: Path) -> Path:
    """Write the report, without names, and return the path of its file.

    Raises:
        ConfigurationError: the folder cannot be written by this user.
        StoreError: the disk is full or broken.
    """
    document = report.to_json()
    for person, form in zip(report.people, document["users"], strict=True):
        del form["user"], form["companion"]
        form["scope"] = person.scope.digest
        form["now"] = None if person.now is None else person.now.isoformat()
        form["errors"] = [_without_names(error, person.scope) for error in person.errors]
    # A folder's name begins with letters of a person's; what follows its last dash names nobody.
    document["unreadable"] = [name.rpartition("-")[2] for name in report.unreadable]
    serialized = orjson.dumps(document)
    folder = home / FOLDER
    with translate_file_errors(home):
        atomic.make_folder(folder)
        unfinished = folder / f"{os.getpid()}-{threading.get_ident()}.part"
        atomic.write_whole(unfinished, serialized)
        path = _named(unfinished, folder, report.now.strftime(_NAME))
        _note_passes(home, _passes_in(document))
        _prune(home)
        return path


def last_report(
    home: Path, scopes: Sequence[Scope], on_malformed: OnMalformed = _pass_over
) -> dict[str, Any] | None:
    """Load the newest report, as ``NightReport.to_json`` gives it; None where there is none.

    Args:
        home: the data directory.
        scopes: everyone who is known; who is not any more has ``user`` None.
        on_malformed: told each newer file that is no report.
    """
    known = {scope.digest: scope for scope in scopes}
    for document in _newest_first(home, on_malformed):
        people = []
        for form in document["users"]:
            scope = known.get(form["scope"])
            names = {
                "user": None if scope is None else scope.person,
                "companion": None if scope is None else scope.companion,
            }
            people.append(names | form)
        return {**document, "users": people}
    return None


def reports_of(home: Path, scope: Scope, most: int) -> list[dict[str, Any]]:
    """Load the newest reports in which a person is, with nobody else in them, newest first."""
    found: list[dict[str, Any]] = []
    for document in _newest_first(home):
        if len(found) == most:
            break
        own = [form for form in document["users"] if form["scope"] == scope.digest]
        if own:
            names = {"user": scope.person, "companion": scope.companion}
            found.append({**document, "users": [names | own[0]], "unreadable": []})
    return found


def last_passes(home: Path, scopes: Sequence[Scope]) -> dict[str, datetime]:
    """When the last forgetting pass of each scope was, by its digest; a scope may have had none."""
    wanted = {scope.digest for scope in scopes}
    return {digest: it for digest, it in _noted_passes(home).items() if digest in wanted}


def _passes_in(document: Mapping[str, Any]) -> dict[str, datetime]:
    """The moments of the forgetting passes that a report tells of."""
    return {
        person["scope"]: datetime.fromisoformat(person["now"])
        for person in document["users"]
        if person.get("now") and forget.NAME in person["stages"]
    }


def _noted_passes(home: Path) -> dict[str, datetime]:
    """What the file of passes says; where there is none yet, what the reports say."""
    try:
        return _PASSES.validate_json((home / FOLDER / PASSES).read_bytes())
    except (OSError, ValidationError):
        found: dict[str, datetime] = {}
        for document in _newest_first(home):
            found = _passes_in(document) | found
        return found


def _note_passes(home: Path, fresh: Mapping[str, datetime]) -> None:
    """Add passes to the file; that of a person who is gone names nobody and stays."""
    locks = home / FOLDER / LOCKS
    atomic.make_folder(locks)
    with FileLock(locks / f"{PASSES}.lock", mode=0o600):
        noted = {**_noted_passes(home), **fresh}
        atomic.write_whole(home / FOLDER / PASSES, orjson.dumps(noted))


def _prune(home: Path) -> None:
    """Remove the oldest reports beyond what may stay; the newest stays, however large."""
    taken = 0
    for number, path in enumerate(_files(home)):
        taken += path.stat().st_size
        if number and (number >= MOST_REPORTS or taken > MOST_BYTES):
            path.unlink(missing_ok=True)


def _files(home: Path) -> list[Path]:
    """The files of reports, newest first."""
    return sorted((home / FOLDER).glob(_NAMED), reverse=True)


def _without_names(sentence: str, scope: Scope) -> str:
    """The sentence with the digest where it names the person or their folder."""
    for name in (folder_id(scope.person), scope.person):
        sentence = re.sub(
            rf"(?<![a-zA-Z0-9]){re.escape(name)}(?![a-zA-Z0-9])", scope.digest, sentence
        )
    return sentence


def _named(unfinished: Path, folder: Path, stem: str) -> Path:
    """Give the file the first free name of the moment ``stem``."""
    for number in count():
        path = folder / f"{stem}{f'-{number:03}' if number else ''}.json"
        if path.exists():
            continue
        try:
            path.hardlink_to(unfinished)
        except FileExistsError:
            continue
        except OSError:
            # Some file systems have no hard links.
            return unfinished.replace(path)
        unfinished.unlink()
        return path
    raise AssertionError


def _newest_first(home: Path, on_malformed: OnMalformed = _pass_over) -> Iterator[dict[str, Any]]:
    for path in _files(home):
        try:
            document = json.loads(path.read_bytes())
            SavedReport.model_validate(document)
        except (OSError, ValueError, RecursionError):
            on_malformed(path)
            continue
        yield document
