"""Read lists of messages as chat programs send them: roles and contents."""

from collections.abc import Mapping, Sequence
from typing import Any

from siliconfriend.errors import UsageError

PASSED_OVER = ("system", "developer", "tool", "function")
"""Roles whose messages are neither the person's nor the companion's words."""


def exchanges_in(messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return what the person said and what was answered, in order.

    Several answers in a row are one; a message without an answer has an empty one. What the assistant
    says before the person's first message is left out.

    Raises:
        UsageError: a message has no role that is known, or no text; or the person says nothing.
    """
    found: list[tuple[str, str]] = []
    for number, message in enumerate(messages, start=1):
        role, words = message.get("role"), _text(message.get("content"))
        if role in PASSED_OVER or (role == "assistant" and not words):
            continue
        if role not in ("user", "assistant") or not words:
            raise UsageError("messages_unreadable", number=number)
        if role == "user":
            found.append((words, ""))
        elif found:
            said, replied = found[-1]
            found[-1] = said, "\n\n".join(part for part in (replied, words) if part)
    if not found:
        raise UsageError("nothing_said")
    return found


def _text(content: object) -> str:
    """Return the text of a content: a string, or parts of which some are text."""
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list | tuple) else ()
    texts = (part.get("text") for part in parts if isinstance(part, Mapping))
    return "\n".join(text for text in texts if isinstance(text, str)).strip()
