"""Ordinary replies come through exactly as they were written, however the stream is cut."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siliconfriend.dialogue.reply_stream import clean_reply
from siliconfriend.models.labels import MODEL_ROLES, PERSON_ROLES, without_labels
from siliconfriend.models.thinking import without_thinking

BLOCKS = (
    *(
        "Hello Ada, how nice!",
        "你好呀，小雨。",
        "Pebble is my name, and I am here.",
        "Pebble here!",
    ),
    *("# A plan", "## 计划", "---", "- milk\n- eggs\n- bread", "1. Sit.\n2. Breathe.", "> quoted"),
    *("**Bold** and *soft*.", "| a | b |\n|---|---|\n| 1 | 2 |", "<b>word</b> and <i>x</i>"),
    *("```python\nif a < b:\n    df[mask] = 1\n```", "~~~\n<|im_start|>user\nHi<|im_end|>\n~~~"),
    *("```\n<think>\nhm\n</think>\n```", "```xml\n<tool_call>\n{}\n</tool_call>\n```"),
    *("```\n[TOOL_CALLS][]\n[INST] Hi [/INST]</s>\n```", "```\nUser: root\nAda: admin\n```"),
    *("The tag <think> opens it, and </think> closes it.", "标签 <think> 开始，</think> 结束。"),
    *("`<think>`", "`</think>` ends it.", "It ends with `<|im_end|>`.", "“</think>” it is."),
    *("A <thin> line.", "1 < 2, and 3 > 2 <3", "<details>\nx\n</details>"),
    *("Milk, <s>eggs</s>", "<s>old</s>\nnew"),
    *("Analysis of your week: fine.", "analysis: fine", "final answer: 42", "assistant, final."),
    *('{"mood": "glad", "n": [1, 2]}', "[1, 2, 3]", "a\nb\nc", "la la la\n" * 4, "哈哈哈哈哈哈"),
    *(
        "Tom: drinks\nAnna: cake\nBob: chips",
        "Dear Diary:\nToday I slept.",
        "Time: 10:30\nPlace: here",
    ),
    *(
        "Here is a short play:\nAda: Hi!\nPebble: Hello!\nAda: Bye.",
        "# Scene 1\nAda: Hi!\nPebble: Oh.",
    ),
    *(
        "*The office, in the morning.*\n\nAda: Hi!\nPebble: Oh.",
        "（清晨，办公室。）\nAda：早。\nPebble：早。",
    ),
    *("**The Kettle**\n\nUser: Hi.\nAssistant: Hello.", "小剧场：\n用户：你好。\n助手：你好。"),
    *(
        "Row, row, row your boat\n\nRow, row, row your boat",
        "🙂",
        "e\u0301\u200d",
        "  indented\n\ttoo",
    ),
    *("Question: why?\nAnswer: because.", "Q: x\nA: y", "user names: three", "Users like it."),
    *(
        "So <think> is a tag.",
        "An <answer>42</answer> too.",
        "So [THINK] twice",
        "see [TOOL_CALLS]",
    ),
    *(
        "I said </think> twice: </think>, yes.",
        "See [INST] and <|user|> in the docs.",
        "<s",
        "[thi",
    ),
)


def _cut(reply: str, sizes: list[int]) -> Iterator[str]:
    at = 0
    for size in sizes * (len(reply) // sum(sizes) + 1):
        yield reply[at : at + size]
        at += size


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("before", ["", "Sure.\n\n"])
@settings(max_examples=12)
@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_no_ordinary_words_are_changed(block: str, before: str, sizes: list[int]) -> None:
    """Whatever a person may ask for: code, lists of names, plays, tables, songs, tags in a sentence."""
    _check(before + block, sizes)


@given(
    st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=4),
    st.sampled_from(["\n", "\n\n", " \n"]),
    st.lists(st.integers(1, 30), min_size=1, max_size=5),
)
def test_nor_where_they_follow_one_another(
    blocks: list[str], between: str, sizes: list[int]
) -> None:
    """In any order."""
    _check(between.join(blocks), sizes)


def _check(reply: str, sizes: list[int]) -> None:
    for pieces in (_cut(reply, sizes), iter([reply])):
        read = without_labels(without_thinking(pieces), MODEL_ROLES, PERSON_ROLES)
        cleaned = clean_reply(
            read, companion="Pebble", person="Ada", message="Hi.", echoes=("Hi.",), model="m"
        )
        assert "".join(cleaned) == reply.lstrip()
