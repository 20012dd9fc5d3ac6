"""Clean a model's raw output: remove thinking, fences and broken characters.

Thinking that was remembered would come back as if it had been said, and half a character cannot be
written as UTF-8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

_TAGS = tuple(
    f"<{slash}{name}>" for slash in ("", "/") for name in ("think", "thinking", "thought")
)
_TAG = re.compile("|".join(_TAGS), re.IGNORECASE)
_FENCED = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?```\Z", re.DOTALL)


def clean(text: str) -> str:
    """Join surrogate pairs and drop lone surrogates and NUL, which UTF-8 cannot hold."""
    if text.isascii():
        return text.replace("\0", "")
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return joined.replace("\0", "")


class ThoughtAloud(Exception):
    """Thinking that nothing had opened ended after words of it were passed on."""


def without_thinking(pieces: Iterable[str]) -> Iterator[str]:
    """Pass on the words of a stream without thinking; see :class:`ThoughtAloud`.

    A tag or a character that is cut between two pieces is held back until its other half comes.
    """
    held, is_thinking, has_begun = "", False, False
    for piece in chain(filter(None, pieces), [""]):
        held += piece
        said = ""
        while tag := _TAG.search(held):
            before, held = held[: tag.start()], held[tag.end() :]
            is_opening = tag.group()[1] != "/"
            if is_opening and not is_thinking:
                said += before
            elif not is_opening and not is_thinking:
                if has_begun:
                    raise ThoughtAloud
                said = ""
            is_thinking = is_opening
        whole = len(held) - (_unfinished(held) if piece else 0)
        if not is_thinking:
            said += held[:whole]
        held = held[whole:]
        said = clean(said) if has_begun else clean(said).lstrip()
        if said:
            has_begun = True
            yield said


def join_unopened(pieces: Iterable[str]) -> Iterator[str]:
    """Join the pieces up to an end of thinking, for a model whose template opens the thinking."""
    held, stream = "", iter(pieces)
    for piece in stream:
        held += piece
        if any(tag.startswith("</") for tag in _TAG.findall(held)):
            break
    yield held
    yield from stream


def _unfinished(text: str) -> int:
    tag = "<" + text.rpartition("<")[2].lower()
    if "<" in text and any(it.startswith(tag) for it in _TAGS):
        return len(tag)
    return 1 if text and "\ud800" <= text[-1] <= "\udbff" else 0


def strip_fence(text: str) -> str:
    """Strip an answer of a fence around all of it, and of space at its ends."""
    words = text.strip()
    fenced = _FENCED.match(words)
    return fenced.group(1).strip() if fenced else words


def mismatch(data: Any, schema: Mapping[str, Any]) -> str:
    """Return where data are not of a JSON schema, and why; empty if they are.

    The schema is one of the program's own: checking it each time too took longer than all else.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(dict(schema)).iter_errors(data))
    return "" if error is None else f"{error.json_path}: {error.message[:300]}"


def parse_valid(text: str, schema: Mapping[str, Any]) -> tuple[Any, str]:
    """Parse and validate the JSON of an answer, also with prose or a fence around it.

    Returns:
        The data and "", or None and what is wrong.
    """
    start = min((at for mark in "{[" if (at := text.find(mark)) >= 0), default=len(text))
    try:
        data, _ = json.JSONDecoder().raw_decode(text, start)
    except RecursionError:
        return None, "nested too deeply, line 1 column 1"
    except ValueError as error:
        return None, str(error)[:300]
    wrong = mismatch(data, schema)
    return (None, wrong) if wrong else (data, "")
