"""Many at work on one person: nothing is lost, doubled or not found."""

from pathlib import Path

import pytest

from tests.at_once import compare, everyone, index_at_once

pytestmark = pytest.mark.slow


def test_page_terminal_another_program_and_nights_on_one_person(tmp_path: Path) -> None:
    """Every exact text finds itself afterwards, and every count is that of what was told."""
    home = tmp_path / "home"
    told = everyone(home, 12)
    assert told.pop("nights") > 0
    assert compare(home, told) == 36


def test_eight_threads_on_one_index(tmp_path: Path) -> None:
    """What a thread has said it finds at once, whatever the others add and rebuild."""
    assert index_at_once(tmp_path / "home", threads=8, each=6) == 0
