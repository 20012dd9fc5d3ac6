"""Clean a model's raw output: remove thinking, fences and broken characters.

Thinking that was remembered would come back as if it had been said, and half a character cannot be
written as UTF-8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
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


class ThinkingFilter:
    """Filters thinking out of a stream of pieces.

    A tag or a character that is cut between two pieces is held back until its other half
    comes.

    Args:
        may_be_open: thinking may have been opened in the server's template. All is held back
            until it ends; if it never does, it was none.

    Attributes:
        is_inside: the model thinks.
        has_leaked: thinking that nothing had opened ended after words of it were returned.
    """

    def __init__(self, *, may_be_open: bool = False) -> None:
        self._held = ""
        self.is_inside = False
        self._begun = False
        self._may_be_open = may_be_open
        self.has_leaked = False

    def feed(self, piece: str) -> str:
        """Take the next piece and return the words that are complete with it."""
        self._held += piece
        if self._may_be_open:
            if not any(tag.startswith("</") for tag in _TAG.findall(self._held)):
                return ""
            self._may_be_open = False
        said, start = "", 0
        while tag := _TAG.search(self._held, start):
            is_opening = not tag.group().startswith("</")
            if not (self.is_inside or is_opening):
                self.has_leaked = self.has_leaked or self._begun
                said = ""
            elif not self.is_inside:
                said += self._held[start : tag.start()]
            start, self.is_inside = tag.end(), is_opening
        self._held = self._held[start:]
        whole = len(self._held) - _unfinished(self._held)
        if not self.is_inside:
            said += self._held[:whole]
        self._held = self._held[whole:]
        return self._say(said)

    def end(self) -> str:
        """Return what was still held back when the stream ended."""
        if self._may_be_open:
            self._may_be_open = False
            return self.feed("") + self.end()
        said, self._held = ("" if self.is_inside else self._held), ""
        return self._say(said)

    def _say(self, said: str) -> str:
        said = clean(said)
        if not self._begun:
            said = said.lstrip()
            self._begun = bool(said)
        return said


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
