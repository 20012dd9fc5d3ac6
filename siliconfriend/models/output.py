"""Clean messages and a model's raw output: broken characters, fences, and JSON within other text."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from siliconfriend.errors import UsageError
from siliconfriend.language.characters import is_blank

_FULL_WIDTH = str.maketrans("｛｝［］：，＂“”", '{}[]:,"""')
_STRING_OR_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|“[^”]*”|[｛｝［］：，＂]')
_ODD_MARKS = re.compile(r'["”＂]\s*：|”\s*:|[｛＂]')
"""Matches full-width or curly marks around or behind the name of a field."""
_LAST_VALUE = re.compile(r':\s*"(?:[^"\\]|\\.)*"\Z')
"""Matches a whole string at the end of a document whose last bracket is missing."""
MOST_STARTS = 20
"""Maximum positions in an answer at which JSON is tried in vain."""
_FENCED = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?```\Z", re.DOTALL)
MAX_MESSAGE = 100_000
"""Characters of a message; a longer text is imported as a file."""
_NULL = {"type": "null"}


def clean(text: str) -> str:
    """Join surrogate pairs and drop lone surrogates and NUL, which UTF-8 cannot hold."""
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return joined.replace("\0", "")


def validate_message(words: str) -> str:
    """Return a message without what no file can hold; UsageError: it is empty or too long."""
    words = clean(words).strip()
    if is_blank(words):
        raise UsageError("nothing_said")
    if len(words) > MAX_MESSAGE:
        raise UsageError("message_too_long", longest=MAX_MESSAGE)
    return words


def strip_fence(text: str) -> str:
    """Strip an answer of a fence around all of it, and of space at its ends."""
    return _FENCED.sub(r"\1", text.strip()).strip()


def parse_valid(text: str, schema: Mapping[str, Any], *, is_whole: bool = True) -> tuple[Any, str]:
    """Parse the JSON in an answer, clean its texts and validate it against a schema.

    Prose around the JSON, a trailing comma, curly or full-width marks, a wrapping list or object,
    extra keys, null for an empty text, a missing null or text that may be empty, a number in quotes
    and a long list are mended; of an answer that broke off (not ``is_whole``) nothing is.

    Returns:
        the data and "", or None and what is wrong.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    validator, problem = Draft202012Validator(dict(schema)), ""
    try:
        for found in _documents(text, is_whole=is_whole):
            data = map_texts(found, lambda words: clean(words).strip())
            for form in (_fitted(form, schema) for form in _forms(data, schema)):
                if validator.is_valid(form):
                    return form, ""
            wrong = best_match(validator.iter_errors(_fitted(data, schema)))
            problem = problem or f"{wrong.json_path}: {wrong.message[:300]}"
    except (RecursionError, ValueError) as error:
        problem = problem or str(error)[:300]
    return None, problem


def _documents(text: str, *, is_whole: bool) -> Iterator[Any]:
    """Yield each JSON document in a text, then what can be repaired of it.

    Raises:
        ValueError, RecursionError: there is none, or it breaks off.
    """
    decoder, failure, end = json.JSONDecoder(strict=False), ValueError("there is no JSON"), 0
    starts: list[int] = []
    for start in (found.start() for found in re.finditer(r"[{[]", text)):
        if start >= end and len(starts) < MOST_STARTS:
            try:
                found, end = decoder.raw_decode(text, start)
            except ValueError as error:
                failure = error
                starts.append(start)
                continue
            yield found
    if is_whole:
        yield from _repaired(text, starts)
    raise failure


def _repaired(text: str, starts: Sequence[int]) -> Iterator[Any]:
    """Yield the documents that begin at these places of a text, with their form mended."""
    import json_repair

    if text.startswith('"'):  # JSON as a text in JSON
        with suppress(ValueError):
            yield json.loads(json.loads(text))
    plain = _STRING_OR_MARK.sub(_with_usual_marks, text)
    starts = starts or [at for at, mark in enumerate(plain) if mark in "{["][:1]
    for words in (plain, text) if _ODD_MARKS.search(text) else (text, plain):
        is_value = _LAST_VALUE.search(words) is not None
        end = len(words) if is_value else max(words.rfind("}"), words.rfind("]")) + 1
        if words[end:].lstrip().startswith(","):
            continue  # broken off
        for start in starts:
            found = None
            with suppress(AssertionError):  # it gives some texts up with one
                found = json_repair.loads(words[start:end])
            if isinstance(found, dict | list) and found:
                yield found


def _with_usual_marks(found: re.Match[str]) -> str:
    """Replace full-width marks between strings, and curly marks around them."""
    string = found[0]
    if string.startswith("“"):
        return json.dumps(string[1:-1], ensure_ascii=False)
    return string if string.startswith('"') else string.translate(_FULL_WIDTH)


def _forms(data: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the data, then objects that a model may have wrapped in it."""
    yield data
    known = schema.get("properties", {})
    wrapped = data if isinstance(data, list) else [data]
    if isinstance(data, dict) and len(data) == 1:
        wrapped = [data, *data.values()]
    for form in wrapped:
        if isinstance(form, dict) and known.keys() & form.keys():
            yield form


def _fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value in the form of its schema, where what is meant is clear."""
    match schema.get("type"), value:
        case "string", None:
            return ""
        case "integer", str() if value.strip().isdecimal():
            return int(value)
        case "integer", float() if value.is_integer():
            return int(value)
        case None, str() | float() if "anyOf" in schema:
            return _fitted(value, schema["anyOf"][0])
        case "array", list():
            each = schema.get("items", {})
            return [_fitted(one, each) for one in value[: schema.get("maxItems")]]
        case "object", dict() if parts := schema.get("properties"):
            return {
                name: _fitted(value.get(name), part)
                for name, part in parts.items()
                if name in value
                or part.get("minLength") == 0
                or _NULL in (part, *part.get("anyOf", ()))
            }
    return value


def map_texts(data: Any, change: Callable[[str], str]) -> Any:
    """Change every text in JSON data but the names of fields."""
    if isinstance(data, str):
        return change(data)
    if isinstance(data, list):
        return [map_texts(part, change) for part in data]
    if isinstance(data, dict):
        return {name: map_texts(part, change) for name, part in data.items()}
    return data
