"""What may be heard of a model's output: words, without thinking, fences or half characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.models.output import (
    ThoughtAloud,
    clean,
    parse_valid,
    strip_fence,
    without_thinking,
)


@pytest.mark.parametrize(
    ("pieces", "heard"),
    [
        (["Hello ", "you"], "Hello you"),
        (["<think>hm</think>\n\nHello"], "Hello"),
        (["<th", "ink>h", "m</thi", "nk> Hel", "lo"], "Hello"),
        (["One <think>hm</think>two"], "One two"),
        (["<think>never ends"], ""),
        (["a < b, <thin", " ice"], "a < b, <thin ice"),
        (["the end is <th"], "the end is <th"),
        (["hm</think>Hello"], "Hello"),
        (["  \n", " Hi\n"], "Hi\n"),
        (["\ud83d", "\ude00!"], "😀!"),
    ],
)
def test_only_what_is_meant_is_heard(pieces: list[str], heard: str) -> None:
    """Thinking is left out wherever the pieces are cut; all other words pass."""
    assert "".join(without_thinking(pieces)) == heard


@pytest.mark.parametrize(
    ("pieces", "heard"),
    [
        (["I thi", "nk so", "</thi", "nk>Hel", "lo"], ["Hel", "lo"]),
        (["Hello ", "you"], ["Hello you"]),
        (["<think>hm</think>Hello"], ["Hello"]),
        (["hm</think>", "<think>more</think>Yes"], ["Yes"]),
    ],
)
def test_thinking_that_the_template_opened_is_held_back(
    pieces: list[str], heard: list[str]
) -> None:
    """Until it ends nothing is heard; where it never ends it was no thinking."""
    assert list(without_thinking(pieces, is_opened=True)) == heard


def test_thinking_that_was_heard_already_is_an_error() -> None:
    """Its end shows that the words before it were no answer."""
    heard = without_thinking(["hm", "</think>Hello"])
    assert next(heard) == "hm"
    with pytest.raises(ThoughtAloud):
        next(heard)


@given(st.text(alphabet="ab<>/think ", max_size=60), st.integers(1, 7))
def test_cutting_changes_nothing(words: str, size: int) -> None:
    """What is heard does not depend on where the stream was cut into pieces."""
    pieces = [words[at : at + size] for at in range(0, len(words), size)]
    try:
        heard = "".join(without_thinking(pieces))
    except ThoughtAloud:
        return
    assert heard == "".join(without_thinking([words]))


@given(st.text(st.characters(categories=("L", "Cs", "So")), max_size=20))
def test_clean_text_can_be_written(text: str) -> None:
    """Whatever came, the cleaned text is valid UTF-8 and loses nothing but half characters."""
    clean(text).encode("utf-8")
    assert clean("😀你 a") == "😀你 a"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("```json\n{}\n```", "{}"),
        ("```\ntext\n```\n", "text"),
        ("See:\n```py\nx\n```\nthere", "See:\n```py\nx\n```\nthere"),
    ],
)
def test_a_whole_answer_is_unwrapped(raw: str, words: str) -> None:
    """A fence around all of it goes, one inside stays."""
    assert strip_fence(raw) == words


@pytest.mark.parametrize(
    "raw",
    ['Here it is:\n```\n{"a": [1]}\n```\nAnything else?', '```json\n{"a": [1]}\n```'],
)
def test_json_is_found_in_its_wrapping(raw: str) -> None:
    """Prose and fences around the JSON do not matter."""
    assert parse_valid(raw, {}) == ({"a": [1]}, "")


@pytest.mark.parametrize(
    ("raw", "wrong"),
    [
        ('{"a": [1', "column"),
        ("Here it is: " + "[" * 3000 + "]" * 3000, "recursion"),
        ("I am glad.", "column"),
        ('{"a": 1}', "$.a: 1 is not of type 'array'"),
    ],
)
def test_what_is_wrong_with_json_is_said(raw: str, wrong: str) -> None:
    """Half of one, one that lies too deep, none, and one that is not of the schema."""
    data, said = parse_valid(raw, {"properties": {"a": {"type": "array"}}})
    assert (data, wrong in said) == (None, True)


def test_texts_in_json_are_cleaned_before_they_are_validated() -> None:
    """Half a character and a NUL cannot be kept; a text of nothing else is none."""
    schema = {"properties": {"a": {"items": {"minLength": 1}}}}
    assert parse_valid(r'{"a": [" b\ud83d\u0000 "]}', schema) == ({"a": ["b"]}, "")
    data, said = parse_valid(r'{"a": ["\ud83d "]}', schema)
    assert (data, "$.a[0]" in said) == (None, True)
