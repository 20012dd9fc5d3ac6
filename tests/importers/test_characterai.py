"""character.ai: the service's data and the common savers of its chats."""

from pathlib import Path
from typing import Any

import pytest

from siliconfriend.errors import Undecided
from tests.importers.makers import read, turns, write


def _turn(
    number: int, words: str, *, human: bool, name: str = "Rook", **fields: Any
) -> dict[str, Any]:
    author = (
        {"author_id": "1", "is_human": True, "name": "annie"}
        if human
        else {"author_id": "2", "name": name}
    )
    return {
        "turn_key": {"chat_id": "c", "turn_id": f"t{number}"},
        "create_time": f"2024-04-0{number}T08:00:00.123456Z",
        "author": author,
        "candidates": [{"candidate_id": f"k{number}", "raw_content": words, "is_final": True}],
        "primary_candidate_id": f"k{number}",
        **fields,
    }  # fmt: skip


TURNS = [_turn(1, "Caw", human=False), _turn(2, "Hello", human=True), _turn(3, "Hi", human=False)]


@pytest.mark.parametrize(
    "content",
    [
        TURNS,
        {"character": {"name": "Rook"}, "chats": [{"chat_id": "c", "turns": TURNS}]},
        [{"character_name": "Rook", "turns": TURNS}],
    ],
)
def test_turns_with_candidates(tmp_path: Path, content: object) -> None:
    """The present service, however a saver wraps it."""
    past = read(write(tmp_path / "rook.json", content))
    assert (past.formats, past.speakers) == (("characterai",), (("user", "Rook"),))
    assert turns(past) == [
        ("2024-04-01", "", "Caw"),
        ("2024-04-02", "Hello", ""),
        ("2024-04-03", "", "Hi"),
    ]


def test_the_candidate_that_was_shown(tmp_path: Path) -> None:
    """Of several answers the chosen one."""
    several = [
        {"candidate_id": "a", "raw_content": "One"},
        {"candidate_id": "b", "raw_content": "Two"},
    ]
    turn = _turn(1, "", human=False, candidates=several, primary_candidate_id="b")
    past = read(write(tmp_path / "rook.json", {"turns": [turn, _turn(2, "Hello", human=True)]}))
    assert (turns(past)[0], past.left_out) == (("2024-04-01", "", "Two"), {"branch": 1})


def test_the_newest_first(tmp_path: Path) -> None:
    """As the service itself answers."""
    answered = {**TURNS[2], "create_time": "2024-04-02T08:00:01Z"}
    past = read(write(tmp_path / "rook.json", {"turns": [answered, TURNS[1]]}))
    assert turns(past) == [("2024-04-02", "Hello", "Hi")]


SAID = [("Hello", True, False), ("Caw", False, True), ("Hi", False, False)]
MESSAGES = [
    {"text": words, "src": {"is_human": human}, "is_alternative": other}
    for words, human, other in SAID
]
CHAT = [
    {"isUser": human, "name": "Rook", "message": words} for words, human, other in SAID if not other
]
CREATED = {"created": "2024-01-01T08:00:00Z"}


@pytest.mark.parametrize(
    "content",
    [
        {"info": {}, "histories": {"histories": [{"msgs": MESSAGES, **CREATED}]}},
        {"character": {"name": "Rook"}, "chats": [{"date": "2024-01-01T08:00:00Z", "chat": CHAT}]},
    ],
)
def test_lists_of_messages_at_any_depth(tmp_path: Path, content: object) -> None:
    """Savers of earlier years; an answer that was not chosen is left out."""
    assert turns(read(write(tmp_path / "a.json", content))) == [("2024-01-01", "Hello", "Hi")]


def test_plain_lists_of_messages(tmp_path: Path) -> None:
    """A name per message, and `user` or `is_human` for the person."""
    messages = [
        {"name": "user", "text": "Hello", "timestamp": 1_700_000_000},
        {"name": "Rook", "text": "Hi", "timestamp": 1_700_000_060},
    ]
    content = {"character_name": "Rook", "messages": messages}
    assert turns(read(write(tmp_path / "a.json", content))) == [("2023-11-14", "Hello", "Hi")]


def test_nobody_marked_as_human_is_asked(tmp_path: Path) -> None:
    """Two names and no mark: which of them is the person, the file does not say."""
    messages = [
        {"name": "annie", "text": "Hello", "created_at": "2024-01-01T08:00:00Z"},
        {"name": "Crow", "text": "Hi", "created_at": "2024-01-01T08:01:00Z"},
    ]
    path = write(tmp_path / "a.json", {"character_name": "Rook", "messages": messages})
    with pytest.raises(Undecided):
        read(path)
    assert turns(read(path, me="annie")) == [("2024-01-01", "Hello", "Hi")]
