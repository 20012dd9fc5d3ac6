"""Learn from rejected requests which parts of OpenAI's chat completions a server supports.

Every such server leaves something out: newer OpenAI models want the length limit under another
name, DeepSeek knows ``json_object`` but no schema, others know neither. A clean 400 says which,
and the next request asks for less.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

_THINKING_WORDS = ("reasoning", "thinking", "chat_template_kwargs")


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The features a server supports.

    Attributes:
        usage: it can be asked to count the tokens of a stream.
        is_known: a preset; of another server any rejection may mean the thinking switch.
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
        """Build the parameters of a request beside model and messages."""
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
        """Return the capabilities to assume after a 400 with these words; None if none are left."""
        words = rejection.lower()
        if self.usage and ("stream_options" in words or "include_usage" in words):
            return replace(self, usage=False)
        if self.length_name == "max_tokens" and "max_completion_tokens" in words:
            return replace(self, length_name="max_completion_tokens")
        if self.thinking_switch and any(name in words for name in _THINKING_WORDS):
            return replace(self, thinking_switch=False)
        if self.temperature and "temperature" in words:
            return replace(self, temperature=False)
        if with_schema and self.json_form != "plain":
            has_schemas = self.json_form == "json_schema"
            return replace(self, json_form="json_object" if has_schemas else "plain")
        if self.thinking_switch and not self.is_known:
            return replace(self, thinking_switch=False)
        return None
