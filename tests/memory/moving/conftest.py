"""Every pair of places there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.memory.moving.places import Place, a_folder, in_memory

KINDS = ("files", "files that fold at every change", "in memory")


def place(kind: str, path: Path) -> Place:
    """A place of a kind."""
    if kind == "in memory":
        return in_memory(path.name)
    return a_folder(path, fold_at=0 if "fold" in kind else 1 << 20)


@pytest.fixture(params=KINDS)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where memories are."""
    return place(request.param, tmp_path / "source")


@pytest.fixture(params=KINDS)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where they go."""
    return place(request.param, tmp_path / "target")
