"""Telegram's ``result.json``."""

from pathlib import Path
from typing import Any

import pytest

from siliconfriend.errors import Undecided, UnreadableFile
from tests.importers.makers import UTC_ZONE, pack, read, seconds, turns, write

ME, BEN = "user100", "user200"


def _message(number: int, sender: str, text: object, **fields: Any) -> dict[str, Any]:
    names = {ME: "Annie", BEN: "Ben"}
    time = f"2024-02-01T10:{number:02}:00"
    return {
        "id": number,
        "type": "message",
        "date": time,
        "date_unixtime": str(int(seconds(time))),
        "from": names.get(sender, "Cleo"),
        "from_id": sender,
        "text": text,
        "text_entities": [],
        **fields,
    }


def _chat(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"name": "Ben", "type": "personal_chat", "id": 200, "messages": list(messages), **fields}


def test_one_chat(tmp_path: Path) -> None:
    """Who is who is told by ids; links and marks are pieces of one text."""
    rich = [
        "Look: ",
        {"type": "link", "text": "https://a.example"},
        " and ",
        {"type": "bold", "text": "this"},
    ]
    content = _chat(_message(1, ME, "Hello"), _message(2, BEN, rich), _message(3, BEN, "Bye"))
    past = read(write(tmp_path / "result.json", content))
    assert past.formats == ("telegram",)
    assert past.speakers == (("Annie", "Ben"),)
    assert turns(past) == [("2024-02-01", "Hello", "Look: https://a.example and this\nBye")]
    assert past.drafts[0].time is not None
    assert past.drafts[0].time.isoformat() == "2024-02-01T10:01:00+00:00"


def test_what_was_not_said(tmp_path: Path) -> None:
    """Services, forwarded words and media without words are counted; a caption is said."""
    content = _chat(
        {"id": 1, "type": "service", "date": "2024-02-01T10:00:00", "action": "phone_call"},
        _message(2, ME, "News", forwarded_from="A channel"),
        _message(3, ME, "", photo="(File not included)"),
        _message(4, ME, "My garden", photo="(File not included)"),
    )
    past = read(write(tmp_path / "result.json", content))
    assert turns(past) == [("2024-02-01", "My garden", "")]
    assert past.left_out == {"system": 1, "forwarded": 1, "media": 1}


def _account(*chats: dict[str, Any]) -> dict[str, Any]:
    return {
        "about": "Here is the data you requested from Telegram.",
        "personal_information": {"user_id": 100, "first_name": "Annie"},
        "contacts": {"list": [{"first_name": "Ben"}]},
        "chats": {"about": "This page lists all chats.", "list": list(chats)},
        "left_chats": {"about": "", "list": []},
    }


def test_of_a_whole_account_one_chat_is_named(tmp_path: Path) -> None:
    """With several others it is asked whose words become the companion's; groups stay out."""
    group = {
        "name": "Club",
        "type": "private_group",
        "id": 7,
        "messages": [_message(9, "user300", "x")],
    }
    cleo = _chat(_message(1, "user300", "Hey"), _message(2, ME, "Ho"), name="Cleo", id=300)
    path = write(tmp_path / "result.json", _account(_chat(_message(1, ME, "Hello")), cleo, group))
    with pytest.raises(Undecided) as asked:
        read(path)
    assert (asked.value.option, set(asked.value.choices)) == ("other", {"Ben", "Cleo"})
    past = read(path, other="Cleo")
    assert turns(past) == [("2024-02-01", "", "Hey"), ("2024-02-01", "Ho", "")]
    assert past.left_out == {"other_chat": 1, "group": 1}


def test_two_people_of_one_name_are_two(tmp_path: Path) -> None:
    """The ids tell them apart, in one talk and in the question of who is who."""
    chat = _chat(
        _message(1, "user1", "I moved.", **{"from": "Tom"}),
        _message(2, "user200", "Where to?", **{"from": "Tom"}),
    )
    past = read(write(tmp_path / "result.json", chat))
    assert past.speakers == (("Tom", "Tom (user200)"),)
    assert [words for _, *words in turns(past)] == [["I moved.", "Where to?"]]


def test_a_changed_name_is_one_speaker(tmp_path: Path) -> None:
    """And an account that was deleted has no name at all."""
    renamed = _message(2, BEN, "Still me") | {"from": "Ben the Great"}
    gone = _message(3, BEN, "Me too") | {"from": None}
    past = read(write(tmp_path / "result.json", _chat(_message(1, BEN, "Hi"), renamed, gone)))
    assert turns(past) == [("2024-02-01", "", "Hi\nStill me\nMe too")]


def test_older_exports_have_the_clock_alone(tmp_path: Path) -> None:
    """Then the time zone is asked for."""
    message = _message(1, ME, "Hello")
    del message["date_unixtime"]
    path = write(tmp_path / "result.json", _chat(message))
    with pytest.raises(Undecided):
        read(path)
    assert turns(read(path, zone=UTC_ZONE)) == [("2024-02-01", "Hello", "")]


def test_html_is_refused_with_what_to_do(tmp_path: Path) -> None:
    """Unless the same export lies beside it as data."""
    page = '<!DOCTYPE html>\n<html><body><div class="page_wrap"><div class="message default">x'
    with pytest.raises(UnreadableFile) as refused:
        read(write(tmp_path / "messages.html", page))
    assert refused.value.key == "import_telegram_html"
    both = pack(
        tmp_path / "export.zip", messages__html=page, result__json=_chat(_message(1, ME, "Hello"))
    )
    assert len(read(both).drafts) == 1
