"""Which words of a streamed answer are passed on: no thinking, tool calls or template marks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siliconfriend.models.thinking import (
    OPENED_BY_TEMPLATE,
    THINKING,
    ThoughtAloud,
    without_thinking,
)


@pytest.mark.parametrize(
    ("pieces", "heard"),
    [
        (["I thi", "nk so", "</thi", "nk>Hel", "lo"], "Hello"),
        (["Hello ", "you"], "Hello you"),
        (["<think>hm</think>Hello"], "Hello"),
        (["hm</think>", "<think>more</think>Yes"], "Yes"),
    ],
)
def test_thinking_that_the_template_opened_is_held_back(pieces: list[str], heard: str) -> None:
    """Until it ends nothing is heard; where it never ends it was no thinking."""
    assert "".join(without_thinking(pieces, lambda: True)) == heard
    assert OPENED_BY_TEMPLATE.search("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B")
    assert not OPENED_BY_TEMPLATE.search("gpt-4o-mini")


def test_thinking_that_was_heard_already_is_an_error() -> None:
    """Its end shows that the words before it were no answer."""
    assert list(without_thinking(["hm</think><think>more</think><answer>Yes"])) == ["Yes"]
    heard = without_thinking(["hm. ", "I greet.", "</think>Hello"])
    assert next(heard) == "hm. "
    with pytest.raises(ThoughtAloud):
        list(heard)


WORDS = (
    "\n",
    " ",
    "Hello",
    ". ",
    "A",
    "`",
    "```\n",
    ":",
    "<",
    ">",
    "|",
    "🙂",
    "你好",
    "</s>",
    "<s>",
)
MARKS = ("<|im_end|>", "<|im_start|>user\n", "[INST]", "<tool_call>", "</tool_call>")


@settings(max_examples=300)
@given(st.data(), st.integers(1, 7))
def test_cutting_changes_nothing(data: st.DataObject, size: int) -> None:
    """What is heard does not depend on where the stream was cut into pieces."""
    family = data.draw(st.sampled_from(sorted(THINKING.items())))
    parts = data.draw(st.lists(st.sampled_from([*WORDS, *MARKS, *family, *family]), max_size=9))
    words = "".join(parts)
    try:
        cut = (words[at : at + size] for at in range(0, len(words), size))
        heard = "".join(without_thinking(cut))
    except ThoughtAloud:
        return
    assert heard.rstrip() == "".join(without_thinking([words])).rstrip()
