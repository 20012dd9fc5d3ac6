"""The stage ``report``: each night's report is kept under ``night/`` of the data directory.

Only the last reports stay. When the last forgetting pass of each scope was, which tells what has
*newly* grown dim, stands in a file of its own; with it and the reports gone a night counts all
that is dim.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import orjson
from filelock import FileLock
from pydantic import AwareDatetime, TypeAdapter, ValidationError

from siliconfriend.memory import atomic
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.scope import Scope
from siliconfriend.night.night_lock import FOLDER as LOCKS
from siliconfriend.night.report import NightReport
from siliconfriend.night.reports import OnMalformed, pass_over
from siliconfriend.night.saved_report import SavedReport, alone, named, nameless, passes_in

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


class ReportFiles:
    """The reports of a data directory.

    Args:
        home: the data directory.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._folder = home / FOLDER

    def save(self, report: NightReport) -> Path:
        """Write the report, without names, and return the path of its file.

        Raises:
            ConfigurationError: the folder cannot be written by this user.
            StoreError: the disk is full or broken.
        """
        document = nameless(report)
        serialized = orjson.dumps(document)
        with translate_file_errors(self._home):
            atomic.make_folder(self._folder)
            unfinished = self._folder / f"{os.getpid()}-{threading.get_ident()}.part"
            atomic.write_whole(unfinished, serialized)
            path = _named(unfinished, self._folder, report.now.strftime(_NAME))
            self._note_passes(passes_in(document))
            self._prune()
            return path

    def last(
        self, scopes: Sequence[Scope], on_malformed: OnMalformed = pass_over
    ) -> dict[str, Any] | None:
        """Load the newest report; None where there is none."""
        for document in self._newest_first(on_malformed):
            return named(document, {scope.digest: scope for scope in scopes})
        return None

    def of(self, scope: Scope, most: int) -> list[dict[str, Any]]:
        """Load the newest reports in which a person is, with nobody else in them, newest first."""
        found: list[dict[str, Any]] = []
        for document in self._newest_first():
            if len(found) == most:
                break
            if own := alone(document, scope):
                found.append(own)
        return found

    def last_passes(self, scopes: Sequence[Scope]) -> dict[Scope, datetime]:
        """When the last forgetting pass of each scope was; a scope may have had none."""
        noted = self._noted_passes()
        return {scope: noted[scope.digest] for scope in scopes if scope.digest in noted}

    def _noted_passes(self) -> dict[str, datetime]:
        """What the file of passes says; where there is none yet, what the reports say."""
        try:
            return _PASSES.validate_json((self._folder / PASSES).read_bytes())
        except (OSError, ValidationError):
            found: dict[str, datetime] = {}
            for document in self._newest_first():
                found = passes_in(document) | found
            return found

    def _note_passes(self, fresh: Mapping[str, datetime]) -> None:
        """Add passes to the file; that of a person who is gone names nobody and stays."""
        locks = self._folder / LOCKS
        atomic.make_folder(locks)
        with FileLock(locks / f"{PASSES}.lock", mode=0o600):
            noted = {**self._noted_passes(), **fresh}
            atomic.write_whole(self._folder / PASSES, orjson.dumps(noted))

    def _prune(self) -> None:
        """Remove the oldest reports beyond what may stay; the newest stays, however large."""
        taken = 0
        for number, path in enumerate(self._files()):
            taken += path.stat().st_size
            if number and (number >= MOST_REPORTS or taken > MOST_BYTES):
                path.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        """The files of reports, newest first."""
        return sorted(self._folder.glob(_NAMED), reverse=True)

    def _newest_first(self, on_malformed: OnMalformed = pass_over) -> Iterator[dict[str, Any]]:
        for path in self._files():
            try:
                document = json.loads(path.read_bytes())
                SavedReport.model_validate(document)
            except (OSError, ValueError, RecursionError):
                on_malformed(str(path))
                continue
            yield document


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
