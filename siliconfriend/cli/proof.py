"""Looking for what was deleted, so that "deleted" is shown and not only said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.memory.scope import Scope, folder_id


@dataclass(frozen=True, slots=True)
class Proof:
    """How many files were read, and those that still hold something of the person."""

    searched: int
    left: tuple[Path, ...]


def search_for(scopes: Iterable[Scope], home: Path, *, whole: bool) -> Proof:
    """Read every file of the data directory for memory ids of the deleted scopes.

    Everything stored of a person carries their ids, whatever wrote it. Their name is not
    searched for: others may have spoken of them. With ``whole`` nothing may be left in a
    folder of the person either.
    """
    scopes = list(scopes)
    marks = [f"-{scope.digest}".encode() for scope in scopes]
    folders = {folder_id(scope.person) for scope in scopes} if whole else set()
    searched, left = 0, []
    for path in sorted(home.rglob("*")):
        if not path.is_file():
            continue
        searched += 1
        content = path.read_bytes()
        if folders.intersection(path.parts) or any(mark in content for mark in marks):
            left.append(path)
    return Proof(searched, tuple(left))
