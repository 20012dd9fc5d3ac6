"""The exports of ChatGPT and Claude."""

import json
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.errors import UnreadableFile
from tests.importers.makers import gpt_conversation, gpt_message, read, turns, write


def _talk(prefix: str = "c1") -> dict[str, Any]:
    return gpt_conversation(
        gpt_message("system", "", None),
        gpt_message("user", "When do I sow beans?", "2025-05-01T10:00"),
        gpt_message("assistant", "After the last frost.", "2025-05-01T10:01"),
        gpt_message("user", "And peas?", "2025-05-01T10:02"),
        prefix=prefix,
    )


def test_questions_and_answers_become_turns(tmp_path: Path) -> None:
    """What was asked last and has no answer is kept too."""
    past = read(write(tmp_path / "conversations.json", [_talk()]))
    assert turns(past) == [
        ("2025-05-01", "When do I sow beans?", "After the last frost."),
        ("2025-05-01", "And peas?", ""),
    ]
    assert (past.formats, past.chats, past.messages) == (("chatgpt",), 1, 3)
    assert past.speakers == (("user", "ChatGPT"),)
    assert past.left_out == {}


def test_only_what_stood_on_the_screen(tmp_path: Path) -> None:
    """Instructions, tools, thinking and hidden messages were not said, and are counted."""
    talk = gpt_conversation(
        gpt_message("system", "You are helpful.", None),
        gpt_message("user", "About me", None, kind="user_editable_context"),
        gpt_message("user", "What is the weather?", "2025-05-01T10:00"),
        gpt_message("assistant", "weather('Oslo')", "2025-05-01T10:00", recipient="browser"),
        gpt_message("tool", "rain", "2025-05-01T10:00"),
        gpt_message("assistant", "hmm", "2025-05-01T10:00", kind="thoughts"),
        gpt_message(
            "assistant",
            "secret",
            "2025-05-01T10:00",
            metadata={"is_visually_hidden_from_conversation": True},
        ),
        gpt_message("assistant", "Rain.\ue200cite\ue202turn0\ue201", "2025-05-01T10:01"),
    )
    past = read(write(tmp_path / "conversations.json", [talk]))
    assert turns(past) == [("2025-05-01", "What is the weather?", "Rain.")]
    assert past.left_out == {"system": 3, "tools": 2, "hidden": 1}


def test_pictures_and_spoken_words(tmp_path: Path) -> None:
    """Words beside a picture and words that were spoken stay; a picture alone is counted."""
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}
    spoken = {"content_type": "audio_transcription", "text": "A robin, I think."}
    talk = gpt_conversation(
        gpt_message("user", [picture, "Which bird?"], "2025-05-01T10:00", kind="multimodal_text"),
        gpt_message("assistant", [spoken], "2025-05-01T10:01", kind="multimodal_text"),
        gpt_message("user", [picture], "2025-05-01T10:02", kind="multimodal_text"),
    )
    past = read(write(tmp_path / "conversations.json", [talk]))
    assert turns(past) == [("2025-05-01", "Which bird?", "A robin, I think.")]
    assert past.left_out == {"media": 1}


def test_of_branches_the_one_that_was_shown_is_taken(tmp_path: Path) -> None:
    """An answer that was made anew is not remembered as another one."""
    talk = _talk()
    mapping = talk["mapping"]
    mapping["old"] = {
        "id": "old",
        "message": {"id": "old", **gpt_message("assistant", "In March.", "2025-05-01T10:01")},
        "parent": "c1-1",
        "children": [],
    }
    mapping["c1-1"]["children"].insert(0, "old")
    past = read(write(tmp_path / "conversations.json", [talk]))
    assert [turn[2] for turn in turns(past)] == ["After the last frost.", ""]
    assert past.left_out == {"branch": 1}
    # Without a current node, the newest leaf is where the conversation stands.
    del talk["current_node"]
    mapping["c1-3"] = mapping.pop("c1-3")
    assert len(turns(read(write(tmp_path / "conversations.json", [talk])))) == 2


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    """A damaged tree is read once round and no further."""
    talk = _talk()
    talk["mapping"]["c1-root"]["parent"] = "c1-3"
    assert len(turns(read(write(tmp_path / "conversations.json", [talk])))) == 2


def test_parts_of_one_export_are_one_past(tmp_path: Path) -> None:
    """In order of time, whichever part they stand in."""
    late = gpt_conversation(gpt_message("user", "Later", "2025-06-01T10:00"), prefix="c2")
    first = write(tmp_path / "conversations-000.json", [late])
    second = write(tmp_path / "conversations-001.json", [_talk()])
    assert [turn[1] for turn in turns(read(first, second))] == [
        "When do I sow beans?",
        "And peas?",
        "Later",
    ]


def test_a_talk_without_times_takes_those_of_its_conversation(tmp_path: Path) -> None:
    """A message without a time was said when the one before it was."""
    talk = gpt_conversation(
        gpt_message("user", "Hello", None), gpt_message("assistant", "Hi", None)
    )
    assert turns(read(write(tmp_path / "c.json", [talk]))) == [("2025-05-01", "Hello", "Hi")]
    del talk["create_time"]
    past = read(write(tmp_path / "c.json", [talk]))
    assert (turns(past), past.left_out) == ([], {"undated": 2})


@pytest.mark.parametrize(
    ("field", "value"),
    [("message", "words"), ("parts", {"a": 1}), ("create_time", "yesterday"), ("author", "user")],
)
def test_a_field_of_another_kind_is_named(tmp_path: Path, field: str, value: object) -> None:
    """A changed format is an error with its place, not half a memory."""
    talk = _talk()
    node = talk["mapping"]["c1-1"]
    holds = {"message": node, "parts": node["message"]["content"]}
    holds.get(field, node["message"])[field] = value
    with pytest.raises(UnreadableFile, match=f"`{field}`"):
        read(write(tmp_path / "conversations.json", [talk]), form="chatgpt")


@pytest.mark.parametrize(
    ("broken", "key"),
    [
        (lambda words: words[:-40], "import_json_cut"),
        (lambda words: words + "]", "import_json_wrong"),
        (lambda words: words.replace('"weight": 1.0', '"weight": NaN', 1), "import_json_wrong"),
        (
            lambda words: words.replace('"current_node": ', '"current_node": ' + "[" * 90_000, 1),
            "import_json_wrong",
        ),
    ],
)
def test_damaged_json_is_refused_whole(tmp_path: Path, broken: Any, key: str) -> None:
    """Not one conversation of it is taken, and what is wrong has its own sentence."""
    path = write(tmp_path / "conversations.json", broken(json.dumps([_talk(), _talk("c2")])))
    with pytest.raises(UnreadableFile) as refused:
        read(path, form="chatgpt")
    assert refused.value.key == key


def _message(number: int, sender: str, *blocks: Any, **fields: Any) -> dict[str, Any]:
    content = [
        {"type": "text", "text": block} if isinstance(block, str) else block for block in blocks
    ]
    return {
        "uuid": f"m{number}",
        "text": " ".join(block for block in blocks if isinstance(block, str)),
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


def test_a_voice_note_and_pasted_text_are_what_was_said(tmp_path: Path) -> None:
    """A block of an unknown kind with a text is words; so is what was pasted at length."""
    note = {"type": "voice_note", "text": "I moved to Lisbon."}
    pasted = [{"file_name": "", "extracted_content": "Dear diary"}]
    content = [_conversation(_message(1, "human", note), _message(2, "human", attachments=pasted))]
    past = read(write(tmp_path / "conversations.json", content))
    assert [words for _, words, _ in turns(past)] == ["I moved to Lisbon.\nDear diary"]


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


def test_conversations_within_an_object(tmp_path: Path) -> None:
    """As some savers write them."""
    for name, conversation in (
        ("gpt", _talk()),
        ("claude", _conversation(_message(1, "human", "Hello"))),
    ):
        path = write(tmp_path / f"{name}.json", {"conversations": [conversation]})
        assert turns(read(path)), name
