"""A model's raw output: broken characters, fences, and JSON in its wrapping."""

import json
from collections.abc import Callable
from typing import Any

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
        ("I am glad.", "no JSON"),
        ('{"```json1```}', "Unterminated"),
        ('{"a": 1}', "$.a: 1 is not of type 'array'"),
    ],
)
def test_what_is_wrong_with_json_is_said(raw: str, wrong: str) -> None:
    """Half of one, one that lies too deep, none, and one that is not of the schema."""
    data, said = parse_valid(raw, {"properties": {"a": {"type": "array"}}})
    assert (data, wrong in said) == (None, True)


INSIGHT = {"text": 'She said "yes, really"', "turns": [1, 2], "importance": 6}
ANSWERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "day": (
        {"summary": "米娅种了“柠檬”，很高兴。", "mood": "平静。"},
        {"mood": {"type": "string"}},
    ),
    "extract": ({"events": [INSIGHT], "facts": [], "importance": [3, 7]}, {}),
    "judge": ({"verdicts": [{"number": 1, "quote": "I did", "holds": True}]}, {}),
    "insights": ({"insights": [INSIGHT]}, {}),
}
MANGLED: dict[str, Callable[[str], str]] = {
    "trailing comma": lambda raw: raw[:-1] + ",}",
    "trailing commas": lambda raw: raw.replace("]", ",]").replace("}", ",}"),
    "prose and a fence": lambda raw: (
        f"Here [as asked]:\n```json\n{raw}\n```\nMore {{if}} you like."
    ),
    "extra key": lambda raw: raw[:-1] + ', "note": "x"}',
    "remark": lambda raw: raw.replace("{", "{ // fine\n", 1),
    "in a list": lambda raw: f"[{raw}]",
    "wrapped": lambda raw: f'{{"answer": {raw}}}',
    "twice": lambda raw: f"{raw}\n{raw}",
    "as a text": lambda raw: json.dumps(raw),
    "without its last brace": lambda raw: raw[:-1],
    "a brace too many": lambda raw: raw + "}",
    "Python's form": lambda raw: repr(json.loads(raw)),
    "commas missing": lambda raw: raw.replace(', "', '\n"'),
    "full-width marks": lambda raw: raw.replace('": ', '"：').replace(', "', '，"'),
    "a byte order mark": lambda raw: "\ufeff" + raw,
    "a long schema first": lambda raw: json.dumps([{"a": {}}] * 20) + raw,
}


@pytest.mark.parametrize("form", ANSWERS)
@pytest.mark.parametrize("name", MANGLED)
def test_json_of_small_models_is_mended(form: str, name: str) -> None:
    """No form needs a second request, and the texts stay as written."""
    data, properties = ANSWERS[form]
    properties = properties or {name: {"type": "array"} for name in data}
    schema = {
        "type": "object",
        "properties": {key: {"type": "string"} for key in data} | properties,
        "required": [*data],
        "additionalProperties": False,
    }
    raw = json.dumps(data, ensure_ascii=False)
    assert parse_valid(MANGLED[name](raw), schema) == (data, "")
    for cut in (raw[: len(raw) * 2 // 3], raw[:-4]):
        assert parse_valid(cut, schema)[0] is None
    assert parse_valid(raw, schema, is_whole=False) == (data, "")
    assert parse_valid(raw[:-1], schema, is_whole=False)[0] is None


@pytest.mark.parametrize(
    ("raw", "data"),
    [
        ("{“a”：“b, c”}", {"a": "b, c"}),
        ("｛“a”：“b，c”｝", {"a": "b，c"}),
        ("{'a': 'b'}", {"a": "b"}),
        ('{a: "b"}', {"a": "b"}),
        ('{"a": "say "hi" to me"}', {"a": 'say "hi" to me'}),
        ('{"a": [{"n": 1}, {"n": 2}, {"n"', None),
        ('{"b": [1, 2], "a": ["x"], "c": [3,', None),
    ],
)
def test_marks_are_mended_and_half_a_document_is_none(raw: str, data: object) -> None:
    """A list that breaks off is not taken for a shorter one."""
    assert parse_valid(raw, {"type": "object", "required": ["a"]})[0] == data


def test_texts_in_json_are_cleaned_before_they_are_validated() -> None:
    """Half a character and a NUL cannot be kept; a text of nothing else is none."""
    schema = {"properties": {"a": {"items": {"minLength": 1}}}}
    assert parse_valid(r'{"a": [" b\ud83d\u0000 "]}', schema) == ({"a": ["b"]}, "")
    data, said = parse_valid(r'{"a": ["\ud83d "]}', schema)
    assert (data, "$.a[0]" in said) == (None, True)


def test_values_are_fitted_to_their_schema() -> None:
    """As a model writes what it leaves open; what is meant must be clear."""
    verdict = {
        "number": {"type": "integer"},
        "turn": {"type": "integer"},
        "instead": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "quote": {"type": "string"},
        "place": {"type": "string", "minLength": 0},
        "corrects": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "repeats": {"type": "null"},
        "holds": {"type": "boolean"},
    }
    each = {"type": "object", "properties": verdict, "required": [*verdict]}
    schema = {"type": "array", "items": each, "maxItems": 1}
    whole = {"type": "object", "properties": {"verdicts": schema}, "required": ["verdicts"]}
    raw = (
        '{"verdicts": [{"number": "1", "turn": 2.0, "instead": 3.0, "quote": null, "holds": false,'
        ' "why": "x"}, {"number": 2}]}'
    )
    fitted = {
        "number": 1,
        "turn": 2,
        "instead": 3,
        "quote": "",
        "place": "",
        "corrects": None,
        "repeats": None,
        "holds": False,
    }
    assert json.dumps(parse_valid(raw, whole)[0]) == json.dumps({"verdicts": [fitted]})
    assert parse_valid(raw.replace("false", '"no"'), whole)[0] is None
