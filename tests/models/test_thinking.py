"""Which words of a streamed answer are passed on: no thinking, tool calls or template marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.models.thinking import OPENED_BY_TEMPLATE, ThoughtAloud, without_thinking


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize(
    ("answer", "heard"),
    [
        ("Hello you", "Hello you"),
        ("<think>hm</think>\n\nHello", "Hello"),
        ("<thought>hm</thought><think>more</think>Hello", "Hello"),
        ("<reasoning>hm</reasoning>Hello", "Hello"),
        ("<seed:think>hm</seed:think>Hello", "Hello"),
        ("[THINK]hm[/THINK]Hello", "Hello"),
        ("◁think▷hm◁/think▷Hello", "Hello"),
        ("<|channel>thought\nhm<channel|>Hello", "Hello"),
        (
            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant"
            "<|channel|>final<|message|>Hello<|return|>",
            "Hello",
        ),
        ("<think>hm</think><answer>Hello</answer>", "Hello"),
        ("<think>never ends", ""),
        ("The tag `<think>` opens the thinking.", "The tag `<think>` opens the thinking."),
        ("It is closed by </think>. That is all.", "It is closed by </think>. That is all."),
        ("a < b, <thin ice", "a < b, <thin ice"),
        ("the end is <th", "the end is <th"),
        ("Hello<|im_end|>", "Hello"),
        ("Hello</s>", "Hello"),
        ("<s>old</s> new", "<s>old</s> new"),
        ("<ul>\n<li>a</li>\n<li>a</li>\n</ul>", "<ul>\n<li>a</li>\n<li>a</li>\n</ul>"),
        ("<tool_call>\n{}\n</tool_call>", ""),
        ("Yes.\n<tool_call>\n{}\n</tool_call>", "Yes.\n"),
        ("  \n Hi\n", "Hi\n"),
        ("\ud83d\ude00!", "😀!"),
    ],
)
def test_only_what_is_meant_is_heard(answer: str, heard: str, size: int) -> None:
    """Marks count where a model of that family writes them, wherever the stream is cut."""
    pieces = [answer[at : at + size] for at in range(0, len(answer), size)]
    assert "".join(without_thinking(pieces)) == heard


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


@given(st.text(alphabet="ab<>/think |s`\n", max_size=60), st.integers(1, 7))
def test_cutting_changes_nothing(words: str, size: int) -> None:
    """What is heard does not depend on where the stream was cut into pieces."""
    pieces = [words[at : at + size] for at in range(0, len(words), size)]
    try:
        heard = "".join(without_thinking(pieces))
        whole = "".join(without_thinking([words]))
    except ThoughtAloud:
        return
    assert heard == whole
