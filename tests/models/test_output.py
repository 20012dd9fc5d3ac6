"""A model's raw output: broken characters, fences, and JSON in its wrapping."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.models.output import clean, parse_valid, strip_fence


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
    "raw", ['Here it is:\n```\n{"a": [1]}\n```\nAnything else?', '```json\n{"a": [1]}\n```']
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


@pytest.mark.parametrize(
    "raw",
    [
        '{"mood":"calm","n":3,}',
        "{'mood':'calm','n':3}",
        '{“mood”:“calm”,"n":3}',
        '｛"mood"："calm"，"n"：3｝',
        '{"mood":"calm", // fine\n"n":3}',
        '[{"mood":"calm","n":3}]',
        '{"answer":{"mood":"calm","n":3}}',
        '{"mood":"calm","n":3,"note":"x"}',
        'My [first] answer:\n{"mood":"calm","n":3}',
        '\ufeff{"mood":"calm","n":3}',
    ],
)
def test_json_of_small_models_is_mended(raw: str) -> None:
    """Commas, quotation marks, remarks, a wrapping and extra keys need no second request."""
    schema = {
        "type": "object",
        "properties": {"mood": {"type": "string"}, "n": {"type": "integer"}},
        "required": ["mood", "n"],
        "additionalProperties": False,
    }
    assert parse_valid(raw, schema) == ({"mood": "calm", "n": 3}, "")
    assert parse_valid('{"mood":"calm","n"', schema)[0] is None


def test_texts_in_json_are_cleaned_before_they_are_validated() -> None:
    """Half a character and a NUL cannot be kept; a text of nothing else is none."""
    schema = {"properties": {"a": {"items": {"minLength": 1}}}}
    assert parse_valid(r'{"a": [" b\ud83d\u0000 "]}', schema) == ({"a": ["b"]}, "")
    data, said = parse_valid(r'{"a": ["\ud83d "]}', schema)
    assert (data, "$.a[0]" in said) == (None, True)
