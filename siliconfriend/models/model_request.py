"""One request to a chat model, and what its answer said so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from siliconfriend.models.base import JsonSchema, Message, Usage

LONGEST_ANSWER = 4 * 1024 * 1024
"""Maximum characters of an answer; more indicates a runaway server."""
_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking")
"""Fields of an answer with the model's thinking."""


@dataclass(slots=True)
class ModelRequest:
    """One request, and the metadata of its response."""

    messages: Sequence[Message]
    most: int
    """The longest answer in tokens."""
    schema: JsonSchema | None = None
    finish_reason: str = ""
    is_refused: bool = False
    is_ended: bool = False
    """The server sent the end mark, or the usage after the last word."""
    has_reasoning: bool = False
    """The server sent the thinking in a field of its own."""
    length: int = 0
    """Characters so far, thinking in tags among them."""
    usage: Usage = field(default_factory=lambda: Usage(1))

    def read(self, document: Mapping[str, Any] | None) -> str:
        """Read a part of the answer, or its end mark; return its words, thinking still among them."""
        if document is None:
            self.is_ended = True
            return ""
        if (said := document.get("usage")) is not None:
            counts = (said.get("prompt_tokens"), said.get("completion_tokens"))
            self.usage = Usage(
                1, *(count if type(count) is int and count > 0 else 0 for count in counts)
            )
        choices = document.get("choices") or ()
        choice: Mapping[str, Any] = next((one for one in choices if not one.get("index")), {})
        words = self._words(choice)
        self.is_ended = not words and (self.is_ended or (said is not None and self.length > 0))
        self.length += len(words)
        if self.length > LONGEST_ANSWER:
            raise ValueError
        return words

    def _words(self, choice: Mapping[str, Any]) -> str:
        self.finish_reason = str(choice.get("finish_reason") or self.finish_reason)
        part = choice.get("delta")
        if part is None:  # an answer that is not streamed, the older form, or an empty end
            part = {} if self.length else choice.get("message")
            part = part or {"content": choice.get("text")}
        self.is_refused = self.is_refused or bool(part.get("refusal"))
        self.has_reasoning |= any(part.get(name) for name in _REASONING)
        content = part.get("content") or ""
        if isinstance(content, list):  # parts, with the thinking among them
            parts = (one if isinstance(one, dict) else {"text": one} for one in content)
            kinds = ("text", "output_text")
            content = "".join(
                one.get("text", "") for one in parts if one.get("type", "text") in kinds
            )
        if not isinstance(content, str):
            raise TypeError
        return content
