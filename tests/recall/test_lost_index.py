"""A lost index is built anew: nobody notices but by the time it takes."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.lost_index import check, damaged, live


def test_a_lost_or_damaged_index_loses_nothing(tmp_path: Path) -> None:
    """Gone, cut off, zeros and flipped bits here and there, in each of its files."""
    home = tmp_path / "home"
    files = live(home)
    assert files
    source = shutil.copytree(home, tmp_path / "source")
    for path in files:
        before = path.read_bytes()
        for _, data in damaged(before, every=max(1, len(before) // 4)):
            shutil.rmtree(home)
            shutil.copytree(source, home)
            check(home, path, data)
