"""The wire protocol of OpenAI-compatible servers: parameters of a request, chunks of a response.

Every such server leaves something out: newer OpenAI models want the length limit under
another name, DeepSeek knows ``json_object`` but no schema, others know neither. A clean
400 says which, and the next request asks for less.

A response is read here and not by the client library's own iterator, because only the
raw lines tell a finished answer from one whose connection was cut: without a finish
reason or ``[DONE]``, what came is half an answer and must not pass for a whole. A server
that ignores ``stream`` and answers with one JSON document is understood too. Nothing a
server sends is trusted: neither its types nor its depth, its length or its counting.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, TypeVar

if TYPE_CHECKING:
    from openai import APIResponse

Piece = TypeVar("Piece", str, bytes)


_THINKING_WORDS = ("reasoning", "thinking", "chat_template_kwargs")
"""Words in the rejection of a request that says whether to think."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The features a server supports, learned from what it rejects.

    Attributes:
        json_form: how JSON is asked for: by schema, as any object, or in words alone.
        length_name: what the limit of the answer's length is called.
        temperature: whether it may be chosen.
        usage: whether the server can be asked to count tokens of a stream.
        thinking_switch: whether it can be told to think, or not to.
        is_known: it is a service that is known to; of another any rejection may mean that.
    """

    json_form: Literal["json_schema", "json_object", "plain"] = "json_schema"
    length_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    usage: bool = True
    thinking_switch: bool = True
    is_known: bool = True

    def parameters(
        self, *, max_tokens: int, temperature: float, schema: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Build the parameters of a request besides model and messages."""
        parameters: dict[str, Any] = {self.length_name: max_tokens}
        if self.temperature:
            parameters["temperature"] = temperature
        if self.usage:
            parameters["stream_options"] = {"include_usage": True}
        if schema is not None and self.json_form == "json_schema":
            # Not strict: OpenAI's strict form refuses schemas with length limits, and
            # the answer is validated here anyway.
            form = {"name": "answer", "schema": dict(schema), "strict": False}
            parameters["response_format"] = {"type": "json_schema", "json_schema": form}
        elif schema is not None and self.json_form == "json_object":
            parameters["response_format"] = {"type": "json_object"}
        return parameters

    def without_rejected(self, rejection: str, *, with_schema: bool) -> Capabilities | None:
        """The capabilities to assume after a 400 that said ``rejection``; None if none are left."""
        words = rejection.lower()
        if self.usage and ("stream_options" in words or "include_usage" in words):
            return replace(self, usage=False)
        if self.length_name == "max_tokens" and "max_completion_tokens" in words:
            return replace(self, length_name="max_completion_tokens")
        if self.thinking_switch and any(name in words for name in _THINKING_WORDS):
            return replace(self, thinking_switch=False)
        if self.temperature and "temperature" in words:
            return replace(self, temperature=False)
        if with_schema and self.json_form == "json_schema":
            return replace(self, json_form="json_object")
        if with_schema and self.json_form == "json_object":
            return replace(self, json_form="plain")
        if self.thinking_switch and not self.is_known:
            return replace(self, thinking_switch=False)
        return None


LONGEST_RESPONSE = 32 * 1024 * 1024
"""Bytes; a server that sends more has lost its end."""
_MOST_CALLS = 128
"""Tools that one answer may call; an index beyond makes no sense."""


class StreamBrokenError(Exception):
    """The response ended in the middle, or is none."""


class StreamSilentError(Exception):
    """The line is kept open, but nothing of an answer comes."""


class ResponseStream:
    """One response as it comes in.

    Args:
        silence: seconds that may pass without anything of an answer, though the line lives.
        now: seconds that only grow.

    Attributes:
        finish_reason: as the server gave it, empty until then.
        refused: the model said in the field for it that it will not answer.
        has_thought: it thought in a field of its own, which is left out.
        input_tokens, output_tokens: as the server counted them, 0 where it does not.
        tool_calls: the calls that the model asks for, put together from their pieces.
    """

    def __init__(
        self, silence: float = float("inf"), now: Callable[[], float] = time.monotonic
    ) -> None:
        self._silence = silence
        self._now = now
        self.finish_reason = ""
        self.refused = False
        self.has_thought = False
        self.input_tokens = 0
        self.output_tokens = 0
        self.tool_calls: list[dict[str, Any]] = []

    def read(self, response: APIResponse[Any]) -> Iterator[str]:
        """Read the words of the answer as they come, thinking still among them.

        Raises:
            StreamBrokenError: the connection was cut, or a chunk makes no sense.
            StreamSilentError: nothing but signs of life came for too long.
        """
        done = False
        for chunk in self._chunks(response):
            if chunk is None:
                done = True
                break
            try:
                yield from self._words(chunk)
            except (AttributeError, TypeError, ValueError, LookupError) as error:
                raise StreamBrokenError from error
        if not done and not self.finish_reason:
            raise StreamBrokenError

    def _chunks(self, response: APIResponse[Any]) -> Iterator[dict[str, Any] | None]:
        """The chunks of the response; None for the line that ends them."""
        if "json" in response.headers.get("content-type", ""):
            yield _parse_chunk(b"".join(_limited(response.iter_bytes())))
            yield None
            return
        heard_at = self._now()
        for line in _limited(response.iter_lines()):
            field, _, value = line.partition(":")
            if field.strip() != "data" or not value.strip():
                if self._now() - heard_at > self._silence:
                    raise StreamSilentError
                continue
            heard_at = self._now()
            if value.strip() == "[DONE]":
                yield None
                return
            yield _parse_chunk(value)

    def _words(self, chunk: dict[str, Any]) -> Iterator[str]:
        if chunk.get("error"):
            raise StreamBrokenError
        usage = chunk.get("usage")
        if isinstance(usage, dict):
            self.input_tokens = _count(usage.get("prompt_tokens")) or self.input_tokens
            self.output_tokens = _count(usage.get("completion_tokens")) or self.output_tokens
        for choice in (chunk.get("choices") or [])[:1]:
            self.finish_reason = str(choice.get("finish_reason") or self.finish_reason)
            delta = choice.get("delta") or choice.get("message") or {}
            self.refused = self.refused or bool(delta.get("refusal"))
            thought = delta.get("reasoning_content") or delta.get("reasoning")
            self.has_thought = self.has_thought or bool(thought)
            for call in delta.get("tool_calls") or []:
                self._add_tool_call(call)
            yield from self._content(delta.get("content"))

    def _content(self, content: object) -> Iterator[str]:
        """The words of a content, which a server may also give in parts of several kinds."""
        parts = content if isinstance(content, list) else [content]
        for part in parts:
            if isinstance(part, dict):
                self.has_thought = self.has_thought or part.get("type") == "thinking"
                part = part.get("text") if part.get("type") == "text" else None
            if isinstance(part, str) and part:
                yield part
            elif part is not None and not isinstance(part, str):
                raise StreamBrokenError

    def _add_tool_call(self, piece: dict[str, Any]) -> None:
        """Join a piece to its call: the first names it, the others go on with its arguments."""
        at = int(piece.get("index") or 0) if "index" in piece else len(self.tool_calls)
        if not 0 <= at < _MOST_CALLS:
            raise StreamBrokenError
        while len(self.tool_calls) <= at:
            function = {"name": "", "arguments": ""}
            self.tool_calls.append({"id": "", "type": "function", "function": function})
        call, said = self.tool_calls[at], piece.get("function") or {}
        call["id"] = piece.get("id") or call["id"]
        call["function"]["name"] += said.get("name") or ""
        call["function"]["arguments"] += said.get("arguments") or ""


def _parse_chunk(source: str | bytes) -> dict[str, Any]:
    try:
        chunk = json.loads(source)
    except (ValueError, RecursionError) as error:
        raise StreamBrokenError from error
    if not isinstance(chunk, dict):
        raise StreamBrokenError
    return chunk


def _count(said: object) -> int:
    """A number of tokens; 0 for whatever cannot be one."""
    if isinstance(said, bool) or not isinstance(said, int | float) or not isfinite(said):
        return 0
    return max(0, int(said))


def _limited(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces of a response of sensible length.

    Raises:
        StreamBrokenError: there is no end to it.
    """
    length = 0
    for piece in pieces:
        length += len(piece)
        if length > LONGEST_RESPONSE:
            raise StreamBrokenError
        yield piece
