"""SillyTavern's chats."""

import json
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.errors import UnreadableFile
from tests.importers.makers import UTC_ZONE, read, turns, words_of, write

HEADER = {
    "user_name": "Annie",
    "character_name": "Seraphine",
    "create_date": "2024-3-1@09h00m00s",
    "chat_metadata": {"integrity": "x"},
}


def _line(name: str, words: str, date: object, **fields: Any) -> dict[str, Any]:
    is_user = name == "Annie"
    return {
        "name": name,
        "is_user": is_user,
        "is_system": False,
        "send_date": date,
        "mes": words,
    } | fields


def _jsonl(*lines: dict[str, Any]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize(
    "date",
    [
        "2024-03-01T10:30:15.200Z",
        1_709_289_015_200,
        "2024-3-1 @10h 30m 15s 200ms",
        "2024-3-1@10h30m15s",
        "March 1, 2024 10:30am",
    ],
)
def test_every_shape_of_a_date(tmp_path: Path, date: object) -> None:
    """The same minute, as versions of the program have written it over the years."""
    content = _jsonl(HEADER, _line("Annie", "Hello", date), _line("Seraphine", "Hi", date))
    past = read(write(tmp_path / "chat.jsonl", content), zone=UTC_ZONE)
    assert (past.formats, past.speakers) == (("sillytavern",), (("Annie", "Seraphine"),))
    assert turns(past) == [("2024-03-01", "Hello", "Hi")]
    assert past.drafts[0].time is not None
    assert (past.drafts[0].time.hour, past.drafts[0].time.minute) == (10, 30)


def test_the_greeting_swipes_and_what_is_hidden(tmp_path: Path) -> None:
    """The character speaks first; the swipe that is shown counts; hidden messages do not."""
    content = _jsonl(
        HEADER,
        _line("Seraphine", "Welcome!", None),
        _line("Annie", "Hello", "2024-03-01T10:30:00Z"),
        _line(
            "Seraphine", "Second", "2024-03-01T10:31:00Z", swipes=["First", "Second"], swipe_id=1
        ),
        _line(
            "Seraphine", "A notice", "2024-03-01T10:32:00Z", is_system=True, extra={"type": "help"}
        ),
        _line("Annie", "  ", "2024-03-01T10:33:00Z"),
    )
    past = read(write(tmp_path / "chat.jsonl", content), zone=UTC_ZONE)
    assert [words_of(draft) for draft in past.drafts] == [("", "Welcome!"), ("Hello", "Second")]
    assert past.left_out == {"branch": 1, "hidden": 1, "empty": 1}


def test_what_the_person_hid_from_the_model_was_said(tmp_path: Path) -> None:
    """After a summary old messages are hidden; they are part of the talk all the same."""
    content = _jsonl(
        HEADER,
        _line("Annie", "I moved.", "2024-03-01T10:30:00Z", is_system=True),
        _line("Seraphine", "Where to?", "2024-03-01T10:31:00Z", is_system=True, extra={}),
    )
    past = read(write(tmp_path / "chat.jsonl", content), zone=UTC_ZONE)
    assert [words_of(draft) for draft in past.drafts] == [("I moved.", "Where to?")]


def test_a_narrator_is_no_third_speaker(tmp_path: Path) -> None:
    """Their words are left out and told; nobody has to choose between them and the character."""
    narrator = _line("System", "The door creaks.", "2024-03-01T10:30:30Z")
    content = _jsonl(
        HEADER,
        _line("Annie", "We go in.", "2024-03-01T10:30:00Z"),
        narrator | {"extra": {"type": "narrator"}},
        _line("Seraphine", "Careful.", "2024-03-01T10:31:00Z"),
    )
    past = read(write(tmp_path / "chat.jsonl", content), zone=UTC_ZONE)
    assert [words_of(draft) for draft in past.drafts] == [("We go in.", "Careful.")]
    assert past.left_out == {"others": 1}


def test_personas_of_one_person_are_one(tmp_path: Path) -> None:
    """Whichever name was chosen, `is_user` says who it was."""
    other = _line("Knight", "Onward", "2024-03-01T10:31:00Z", is_user=True)
    content = _jsonl(HEADER, _line("Annie", "Hello", "2024-03-01T10:30:00Z"), other)
    past = read(write(tmp_path / "chat.jsonl", content))
    assert turns(past) == [("2024-03-01", "Hello\nOnward", "")]


@pytest.mark.parametrize(
    "broken",
    [
        "{\n",
        '{"name": "A", "is_user": true, "send_date": "then", "mes": "b"}\n',
        '{"name": "A", "is_user": true, "send_date": "2024-13-41@10h30m15s", "mes": "b"}\n',
        "[" * 90_000 + "\n",
        '{"a": NaN}\n',
    ],
)
def test_a_broken_line_is_refused(tmp_path: Path, broken: str) -> None:
    """Nothing of the file is taken."""
    path = write(tmp_path / "chat.jsonl", _jsonl(HEADER) + broken)
    with pytest.raises(UnreadableFile):
        read(path)
