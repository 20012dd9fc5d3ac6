"""Claude's ``conversations.json``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.importers.makers import read, turns, write


def _message(number: int, sender: str, *blocks: Any, **fields: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": it} if isinstance(it, str) else it for it in blocks]
    return {
        "uuid": f"m{number}",
        "text": " ".join(it for it in blocks if isinstance(it, str)),
        "content": content,
        "sender": sender,
        "created_at": f"2025-01-02T09:{number:02}:30.123456Z",
        "updated_at": f"2025-01-02T09:{number:02}:30.123456Z",
        "attachments": [],
        "files": [],
        **fields,
    }


def _conversation(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "uuid": "c1",
        "name": "Seeds",
        "created_at": "2025-01-02T09:00:00Z",
        "account": {"uuid": "a"},
        "chat_messages": list(messages),
        **fields,
    }


def test_text_blocks_are_what_was_said(tmp_path: Path) -> None:
    """Thinking and tools are not, and a message of nothing else is counted."""
    content = [
        _conversation(
            _message(1, "human", "Which beans climb?"),
            _message(2, "assistant", {"type": "thinking", "thinking": "hmm"}, "Runner beans.", "And pole beans."),
            _message(3, "assistant", {"type": "tool_use", "name": "search", "input": {}}),
            _message(4, "human", attachments=[{"file_name": "a.txt", "extracted_content": "long"}]),
        )
    ]  # fmt: skip
    past = read(write(tmp_path / "conversations.json", content))
    assert past.formats == ("claude",)
    assert turns(past) == [("2025-01-02", "Which beans climb?", "Runner beans.\n\nAnd pole beans.")]
    assert past.left_out == {"tools": 1, "media": 1}


def test_older_exports_have_a_text_and_no_blocks(tmp_path: Path) -> None:
    """The plain text counts then."""
    message = _message(1, "human", "Hello")
    del message["content"]
    assert turns(read(write(tmp_path / "c.json", [_conversation(message)])))[0][1] == "Hello"


def test_of_branches_the_last_is_taken(tmp_path: Path) -> None:
    """A message that was reworded is not remembered twice."""
    root = "00000000-0000-4000-8000-000000000000"
    messages = [
        _message(1, "human", "Helo", parent_message_uuid=root),
        _message(2, "assistant", "Hm?", parent_message_uuid="m1"),
        _message(3, "human", "Hello", parent_message_uuid=root),
        _message(4, "assistant", "Hi!", parent_message_uuid="m3"),
    ]
    path = write(tmp_path / "c.json", [_conversation(*messages)])
    past = read(path)
    assert (turns(past), past.left_out) == ([("2025-01-02", "Hello", "Hi!")], {"branch": 2})
    first = _conversation(*messages, current_leaf_message_uuid="m2")
    assert turns(read(write(tmp_path / "d.json", [first]))) == [("2025-01-02", "Helo", "Hm?")]
