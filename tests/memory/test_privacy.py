"""Other accounts of a machine cannot read anybody's diary."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.night.workers import night, settle

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such modes")


@pytest.fixture
def open_handed() -> Iterator[None]:
    """A machine on which new files can be read by everyone unless one takes care."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_handed")
def test_all_that_is_kept_of_people_is_for_the_owner_alone(home: Path) -> None:
    """Folders 0700 and files 0600: memory, copy, damage, index, reports."""
    settle(home, 1)
    for _ in range(2):
        night(home, None)
    store, scope = FileStore(home), Scope.of("Person 00")
    (store.folder(scope) / "memory.sqlite").write_bytes(b"torn")
    FileStore(home).repair(scope)
    kept = set(home.rglob("*"))
    names = {path.name for path in kept}
    assert names > {"memory.json", "memory.sqlite", "damaged", "index.sqlite"}
    for path in kept | {home}:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
