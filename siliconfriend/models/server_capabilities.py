"""What one server understands of the common way of asking, learned from what it rejects.

Every "OpenAI-compatible" server leaves something out: newer OpenAI models want the
length limit under another name, DeepSeek knows ``json_object`` but no schema, others
know neither. A clean 400 says which, and the next request is put more simply.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ServerCapabilities:
    """How to ask a server.

    Attributes:
        json_form: how JSON is asked for: by schema, as any object, or in words alone.
        length_name: what the limit of the answer's length is called.
        temperature: whether it may be chosen.
        usage: whether the server can be asked to count tokens of a stream.
    """

    json_form: Literal["json_schema", "json_object", "plain"] = "json_schema"
    length_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    usage: bool = True

    def parameters(
        self, *, max_tokens: int, temperature: float, schema: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """The parameters of a request besides model and messages."""
        asked: dict[str, Any] = {self.length_name: max_tokens}
        if self.temperature:
            asked["temperature"] = temperature
        if self.usage:
            asked["stream_options"] = {"include_usage": True}
        if schema is not None and self.json_form == "json_schema":
            # Not strict: OpenAI's strict form refuses schemas with length limits, and
            # the answer is checked here anyway.
            form = {"name": "answer", "schema": dict(schema), "strict": False}
            asked["response_format"] = {"type": "json_schema", "json_schema": form}
        elif schema is not None and self.json_form == "json_object":
            asked["response_format"] = {"type": "json_object"}
        return asked

    def simpler(self, rejection: str, *, with_schema: bool) -> ServerCapabilities | None:
        """The capabilities to assume after a 400 that said ``rejection``; None when nothing is left."""
        words = rejection.lower()
        if self.usage and ("stream_options" in words or "include_usage" in words):
            return replace(self, usage=False)
        if self.length_name == "max_tokens" and "max_completion_tokens" in words:
            return replace(self, length_name="max_completion_tokens")
        if self.temperature and "temperature" in words:
            return replace(self, temperature=False)
        if with_schema and self.json_form == "json_schema":
            return replace(self, json_form="json_object")
        if with_schema and self.json_form == "json_object":
            return replace(self, json_form="plain")
        return None
