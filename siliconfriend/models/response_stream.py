"""Listens to one answer of a server, chunk by chunk, and notices how it ended.

The stream is read here and not by the client library's own iterator, because only the
raw lines tell a finished answer from one whose connection was cut: without a finish
reason or ``[DONE]``, what was heard is half an answer and must not pass for a whole.
A server that ignores ``stream`` and answers with one JSON document is understood too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openai import APIResponse


class StreamBrokenError(Exception):
    """The answer ended in the middle, or what came was no answer."""


class ResponseStream:
    """One answer as it comes in.

    Attributes:
        finish_reason: as the server gave it, empty until then.
        refused: the model said in the field for it that it will not answer.
        input_tokens, output_tokens: as the server counted them, 0 where it does not.
    """

    def __init__(self) -> None:
        self.finish_reason = ""
        self.refused = False
        self.input_tokens = 0
        self.output_tokens = 0

    def pieces(self, response: APIResponse[Any]) -> Iterator[str]:
        """The words of the answer as they come, thinking still among them.

        Raises:
            StreamBrokenError: the line was cut, or a chunk makes no sense.
        """
        done = False
        for chunk in self._chunks(response):
            if chunk is None:
                done = True
                break
            try:
                yield from self._words(chunk)
            except (AttributeError, TypeError, ValueError) as error:
                raise StreamBrokenError from error
        if not done and not self.finish_reason:
            raise StreamBrokenError

    def _chunks(self, response: APIResponse[Any]) -> Iterator[dict[str, Any] | None]:
        """The chunks, and None at the mark that ends them."""
        if "json" in response.headers.get("content-type", ""):
            yield _parsed(response.read())
            yield None
            return
        for line in response.iter_lines():
            field, _, value = line.partition(":")
            if field.strip() != "data" or not value.strip():
                continue
            if value.strip() == "[DONE]":
                yield None
                return
            yield _parsed(value)

    def _words(self, chunk: dict[str, Any]) -> Iterator[str]:
        if chunk.get("error"):
            raise StreamBrokenError
        usage = chunk.get("usage") or {}
        self.input_tokens = int(usage.get("prompt_tokens") or self.input_tokens)
        self.output_tokens = int(usage.get("completion_tokens") or self.output_tokens)
        for choice in (chunk.get("choices") or [])[:1]:
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
            said = choice.get("delta") or choice.get("message") or {}
            self.refused = self.refused or bool(said.get("refusal"))
            if said.get("content"):
                yield said["content"]


def _parsed(source: str | bytes) -> dict[str, Any]:
    try:
        found = json.loads(source)
    except ValueError as error:
        raise StreamBrokenError from error
    if not isinstance(found, dict):
        raise StreamBrokenError
    return found
