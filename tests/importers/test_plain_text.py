"""Talks as plain text."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.errors import Undecided, UnreadableFile, UsageError
from tests.importers.makers import UTC_ZONE, read, turns, write


@pytest.mark.parametrize(
    "content",
    [
        "Ada: Hello\nBen: Hi\nhow are you?\n",
        "**Ada:** Hello\n\n**Ben:** Hi\nhow are you?\n",
        "Ada：Hello\nBen：Hi\nhow are you?\n",
        "Ada:\nHello\n\nBen:\nHi\nhow are you?\n",
    ],
)
def test_names_and_words(tmp_path: Path, content: str) -> None:
    """Without a date they are of the day that is named, and of no hour."""
    path = write(tmp_path / "talk.txt", content)
    with pytest.raises(Undecided) as asked:
        read(path)
    assert asked.value.option == "day"
    past = read(path, day="2022-08-09")
    assert turns(past) == [("2022-08-09", "Hello", "Hi\nhow are you?")]
    assert past.drafts[0].time is None


@pytest.mark.parametrize(
    "content",
    [
        "2022-08-09\nAda: Hello\nBen: Hi\n\n2022-08-10\nAda: Bye\n",
        "=== 2022年8月9日（周二） ===\nAda: Hello\nBen: Hi\n--- 2022年8月10日 ---\nAda: Bye\n",
        "2022-08-09 Ada: Hello\n2022-08-09 Ben: Hi\n2022-08-10 Ada: Bye\n",
    ],
)
def test_days_without_a_clock(tmp_path: Path, content: str) -> None:
    """A day in a line of its own counts for what follows; no time zone is asked for."""
    past = read(write(tmp_path / "talk.txt", content), form="text")
    assert turns(past) == [("2022-08-09", "Hello", "Hi"), ("2022-08-10", "Bye", "")]


@pytest.mark.parametrize(
    "content",
    [
        "[2022-08-09 21:05] Ada: Hello\n[2022-08-09 21:06] Ben: Hi\n",
        "2022/08/09 9:05 PM - Ada: Hello\n2022/08/09 9:06 PM - Ben: Hi\n",
        "2022-08-09\n(21:05) Ada: Hello\n(21:06) Ben: Hi\n",
    ],
)
def test_days_and_clocks(tmp_path: Path, content: str) -> None:
    """Before each name, or under a day."""
    past = read(write(tmp_path / "talk.txt", content), form="text", zone=UTC_ZONE)
    assert turns(past) == [("2022-08-09", "Hello", "Hi")]
    assert past.drafts[0].time is not None
    assert past.drafts[0].time.isoformat() == "2022-08-09T21:05:00+00:00"


def test_what_only_looks_like_a_name(tmp_path: Path) -> None:
    """A third name is not guessed away: with two names given it is words."""
    path = write(tmp_path / "talk.txt", "Ada: My list\nNote: buy milk\nBen: Fine\n")
    with pytest.raises(UsageError) as refused:
        read(path, day="2022-08-09")
    assert refused.value.key == "import_group"
    past = read(path, day="2022-08-09", me="Ada", other="Ben")
    assert turns(past) == [("2022-08-09", "My list\nNote: buy milk", "Fine")]


def test_wrong_days(tmp_path: Path) -> None:
    """A day that is none, and a text in which nobody speaks."""
    path = write(tmp_path / "talk.txt", "Ada: Hello\nBen: Hi\n")
    with pytest.raises(UsageError):
        read(path, day="yesterday")
    with pytest.raises(UnreadableFile):
        read(write(tmp_path / "b.txt", "Only prose here.\nNothing else."), form="text")
    with pytest.raises(UnreadableFile):
        read(write(tmp_path / "c.txt", "2022-02-31 Ada: Hello\n2022-02-31 Ben: a\n"), form="text")
