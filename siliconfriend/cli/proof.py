"""Looking for what was deleted, so that "deleted" is shown and not only said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.memory.scope import Scope, folder_id

OWN_FOLDERS = ("people", "night", "companions")
"""Where a store and what works on it keep files, besides the data directory itself."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How many files were read, and those that still hold something of the person."""

    searched: int
    left: tuple[Path, ...]


def search_for(scopes: Iterable[Scope], home: Path, *, whole: bool) -> Proof:
    """Read every file of the data directory for memory ids of the deleted scopes.

    Everything stored of a person carries their ids, whatever wrote it. Their name is not
    searched for: others may have spoken of them. With ``whole`` nothing may be left in a
    folder of the person either. The samples and the demo, which has a data directory of its
    own below, are not this store's.
    """
    scopes = list(scopes)
    marks = [f"-{scope.digest}".encode() for scope in scopes]
    folders = {folder_id(scope.person) for scope in scopes} if whole else set()
    searched, left = 0, []
    places = (home.glob("*"), *((home / name).rglob("*") for name in OWN_FOLDERS))
    for path in sorted(path for place in places for path in place if path.is_file()):
        searched += 1
        content = path.read_bytes()
        if folders.intersection(path.parts) or any(mark in content for mark in marks):
            left.append(path)
    return Proof(searched, tuple(left))
