"""The world of these tests, under two names."""

from pathlib import Path

import pytest

from siliconfriend.config import Settings
from siliconfriend.memory.file_store import FileStore
from tests.control.world import World


@pytest.fixture
def world(home: Path, settings: Settings) -> World:
    """Nora in files."""
    return World(FileStore(home), settings)


@pytest.fixture
def files(world: World) -> World:
    """The same."""
    return world
