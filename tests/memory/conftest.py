"""A file store with Nora in it."""

from pathlib import Path

import pytest

from siliconfriend.memory.file_store import FileStore, folder_path
from tests.memory.people import NORA, a_profile


@pytest.fixture
def store(home: Path) -> FileStore:
    """A store in which Nora's memory has begun."""
    store = FileStore(home)
    store.create(NORA, a_profile())
    return store


@pytest.fixture
def nora(home: Path) -> Path:
    """Her folder."""
    return folder_path(home, NORA)
