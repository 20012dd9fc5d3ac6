"""Clean a model's raw output: remove thinking, fences and broken characters.

Thinking that was remembered would come back as if it had been said, and half a character cannot be
written as UTF-8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

_OPENINGS = ("<think>", "<thinking>", "<thought>")
_CLOSINGS = ("</think>", "</thinking>", "</thought>")
_TAG = re.compile("|".join(_OPENINGS + _CLOSINGS), re.IGNORECASE)
_FENCED = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?```\Z", re.DOTALL)


def clean(text: str) -> str:
    """Join surrogate pairs and drop lone surrogates and NUL, which UTF-8 cannot hold."""
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return joined.replace("\0", "")


class ThoughtAloud(Exception):
    """Thinking that nothing had opened ended after words of it were passed on."""


def without_thinking(pieces: Iterable[str], *, is_opened: bool = False) -> Iterator[str]:
    """Pass on the words of a stream without thinking; see :class:`ThoughtAloud`.

    A tag or a character that is cut between two pieces is held back until its other half comes;
    where the template has opened the thinking, everything until the end of that.
    """
    held, is_thinking, has_begun = "", False, False
    for piece in chain(filter(None, pieces), [""]):
        held += piece
        if is_opened and piece and not any(tag in held.lower() for tag in _CLOSINGS):
            continue
        is_opened, said = False, ""
        while tag := _TAG.search(held):
            before, held = held[: tag.start()], held[tag.end() :]
            is_opening = tag.group()[1] != "/"
            if not (is_opening or is_thinking) and has_begun:
                raise ThoughtAloud
            if not is_thinking:
                said = said + before if is_opening else ""
            is_thinking = is_opening
        whole = len(held) - (_unfinished(held) if piece else 0)
        if not is_thinking:
            said += held[:whole]
        held = held[whole:]
        said = clean(said) if has_begun else clean(said).lstrip()
        if said:
            has_begun = True
            yield said


def _unfinished(text: str) -> int:
    tag = "<" + text.rpartition("<")[2].lower()
    if "<" in text and any(it.startswith(tag) for it in _OPENINGS + _CLOSINGS):
        return len(tag)
    return 1 if text and "\ud800" <= text[-1] <= "\udbff" else 0


def strip_fence(text: str) -> str:
    """Strip an answer of a fence around all of it, and of space at its ends."""
    return _FENCED.sub(r"\1", text.strip()).strip()


def parse_valid(text: str, schema: Mapping[str, Any]) -> tuple[Any, str]:
    """Parse the JSON in an answer, clean its texts and validate it against a schema.

    Returns the data and "", or None and what is wrong.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    start = min((at for mark in "{[" if (at := text.find(mark)) >= 0), default=len(text))
    try:
        found, _ = json.JSONDecoder().raw_decode(text, start)
        data = map_texts(found, lambda words: clean(words).strip())
    except (RecursionError, ValueError) as error:
        return None, str(error)[:300]
    wrong = best_match(Draft202012Validator(dict(schema)).iter_errors(data))
    return (data, "") if wrong is None else (None, f"{wrong.json_path}: {wrong.message[:300]}")


def map_texts(data: Any, change: Callable[[str], str]) -> Any:
    """Change every text in JSON data but the names of fields."""
    if isinstance(data, str):
        return change(data)
    if isinstance(data, list):
        return [map_texts(part, change) for part in data]
    if isinstance(data, dict):
        return {name: map_texts(part, change) for name, part in data.items()}
    return data
