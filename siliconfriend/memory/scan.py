"""Scan a data directory for memories without reading them whole."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

from siliconfriend.errors import RefusedName
from siliconfriend.memory import codec
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.folder import COMPANIONS, folder_path
from siliconfriend.memory.journal import Head
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language, text

_LOG = logging.getLogger(__name__)


def find_scopes(home: Path, language: Language) -> list[Scope]:
    """Find every scope that has a memory under ``home``, sorted.

    A folder that names nobody, or somebody whose folder is another one, is left alone and
    logged as a warning in ``language``.
    """
    found = []
    for path, scope in _folders(home):
        if scope is not None:
            found.append(scope)
        else:
            _LOG.warning(text("errors", "folder_nobodys", language, path=path))
    return sorted(found)


def known_scopes(home: Path) -> list[Scope]:
    """The same without a warning."""
    return sorted(scope for _, scope in _folders(home) if scope is not None)


def find_unreadable(home: Path) -> list[str]:
    """The folders that name nobody, or somebody whose folder is another one, under ``people/``."""
    return sorted(
        path.relative_to(home / "people").as_posix()
        for path, scope in _folders(home)
        if scope is None
    )


def _folders(home: Path) -> Iterator[tuple[Path, Scope | None]]:
    """Every folder that holds a memory and whose it is; None where that cannot be known."""
    people = home / "people"
    for person in sorted(people.iterdir()) if people.is_dir() else ():
        try:
            paths = [it for it in (person, *sorted((person / COMPANIONS).glob("*"))) if _holds(it)]
        except PermissionError:
            yield person, None
            continue
        for path in paths:
            try:
                scope = _scope_of(path)
            except PermissionError:
                scope = None
            is_its_own = scope is not None and folder_path(home, scope) == path
            yield path, scope if is_its_own else None


def _holds(path: Path) -> bool:
    return any((path / name).exists() for name in ("memory.json", "journal.jsonl", "backup"))


def _scope_of(path: Path) -> Scope | None:
    """The scope of a folder: the journal's first line names it, else a memory file."""
    try:
        with (path / "journal.jsonl").open("rb") as file:
            head = Head.decode(file.readline())
        return Scope.of(head.person, head.companion)
    except (FileNotFoundError, Unreadable, RefusedName):
        pass
    for memory in (path / "memory.json", *sorted((path / "backup").glob("memory-*.json"))):
        try:
            form = codec.from_json(memory.read_bytes())
            return Scope.of(str(form.get("name")), str(form.get("companion")))
        except (FileNotFoundError, Unreadable, RefusedName):
            continue
    return None
