"""The step ``report``: each night's report is kept under ``night/`` of the data directory.

It is kept with the digest of a scope in place of names, so that deleting a person leaves
nothing that names them. The next night reads from it when the last forgetting pass was,
which tells what has *newly* grown dim; with the reports gone it counts all that is dim.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from siliconfriend.memory.scope import Scope
from siliconfriend.night import forget
from siliconfriend.night.report import NightReport

FOLDER = "night"
_NAME = "%Y-%m-%dT%H%M%S.%fZ"


def keep(report: NightReport, home: Path) -> Path:
    """Write the report; the path of its file.

    Raises:
        OSError: the folder cannot be written.
    """
    folder = home / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    document = report.to_json()
    for person, form in zip(report.people, document["users"], strict=True):
        del form["user"], form["companion"]
        form["scope"] = person.scope.digest
        form["now"] = None if person.now is None else person.now.isoformat()
    words = json.dumps(document, ensure_ascii=False, indent=2)
    stem = report.now.strftime(_NAME)
    taken = len(list(folder.glob(f"{stem}*.json")))
    path = folder / f"{stem}{f'-{taken:03}' if taken else ''}.json"
    unfinished = path.with_suffix(".part")
    unfinished.write_text(words, encoding="utf-8")
    return unfinished.replace(path)


def last_passes(home: Path, scopes: Sequence[Scope]) -> dict[str, datetime]:
    """When the last forgetting pass of each of the scopes was, by its digest; some may lack."""
    wanted = {scope.digest for scope in scopes}
    found: dict[str, datetime] = {}
    for document in _newest_first(home):
        if wanted <= found.keys():
            break
        for person in document.get("users", ()):
            if person.get("now") and forget.NAME in person.get("stages", ()):
                found.setdefault(person["scope"], datetime.fromisoformat(person["now"]))
    return found


def _newest_first(home: Path) -> Iterator[dict[str, Any]]:
    for path in sorted((home / FOLDER).glob("*.json"), reverse=True):
        try:
            yield json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
