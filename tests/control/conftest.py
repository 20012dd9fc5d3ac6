"""The worlds of these tests."""

from pathlib import Path

import pytest

from siliconfriend.config import Settings
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.store import InMemoryStore
from tests.control.world import World


@pytest.fixture(params=["memory", "file"])
def world(request: pytest.FixtureRequest, home: Path, settings: Settings) -> World:
    """Nora, over each store."""
    store = InMemoryStore() if request.param == "memory" else FileStore(home)
    home.mkdir(parents=True, exist_ok=True)
    return World(store, settings)


@pytest.fixture
def files(home: Path, settings: Settings) -> World:
    """Nora in files."""
    return World(FileStore(home), settings)
