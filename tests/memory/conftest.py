"""A store of files in which Nora is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from tests.memory.people import NORA, a_profile


@pytest.fixture
def store(home: Path) -> FileStore:
    """A file store in which Nora is known."""
    store = FileStore(home)
    store.create(NORA, a_profile())
    return store


@pytest.fixture
def files(home: Path) -> Folder:
    """Where Nora's files lie."""
    return Folder(home, NORA)
