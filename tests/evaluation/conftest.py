"""Where recipes are measured."""

from collections.abc import Iterator

import pytest

from siliconfriend.config import Settings
from siliconfriend.evaluation.bench import Bench, open_bench
from tests.evaluation import banks


@pytest.fixture
def bench(settings: Settings) -> Iterator[Bench]:
    """A temporary place with an embedder of six words."""
    with open_bench(settings, embedder=banks.embedder()) as place:
        yield place
