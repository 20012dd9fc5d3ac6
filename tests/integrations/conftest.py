"""A memory behind the interfaces of other programs' libraries."""

from pathlib import Path

import pytest

from siliconfriend import MemoryBank
from siliconfriend.config import load_settings
from siliconfriend.testing import MovingClock
from tests.embedding import WordEmbedder


@pytest.fixture
def clock() -> MovingClock:
    return MovingClock()


@pytest.fixture
def bank(home: Path, clock: MovingClock) -> MemoryBank:
    settings = load_settings(home=home, environ={}, llm="offline", embedder="none")
    return MemoryBank(settings=settings, embedder=WordEmbedder(), clock=clock)
