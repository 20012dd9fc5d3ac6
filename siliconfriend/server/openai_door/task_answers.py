"""Answers a client's own tasks: by the model alone, or by rule where there is none.

Nothing is recalled for a task and nothing of it is kept: a title needs no memory, and a
memory has no business in a list of tags.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator

from siliconfriend.language.keywords import top_keywords
from siliconfriend.models.base import ChatModel, Message
from siliconfriend.models.tokens import truncate
from siliconfriend.server.openai_door.request import ChatCompletionRequest
from siliconfriend.server.openai_door.tasks import Purpose
from siliconfriend.server.problems import ProblemError

TITLE_TOKENS = 12
_SPEAKER = re.compile(r"^\W{0,3}\w{1,12}\W{0,3}[:：]\s")
_MARKED = ("<chat_history>", "</chat_history>")


def answer_task(
    chat: ChatModel | None, request: ChatCompletionRequest, purpose: Purpose, words: str
) -> Generator[str, None, None]:
    """Stream the answer to a task.

    Args:
        chat: the model with the client's options; None offline.
        request: as it was sent.
        purpose: which task.
        words: the last message.

    Raises:
        ModelError: the model failed.
        ProblemError: a form of the answer that nobody can give without a model.
    """
    if chat is None:
        yield _by_rule(request, purpose, words)
        return
    messages = [_message(role, content) for role, content in _plain_messages(request)]
    schema = _schema(request)
    if schema is None:
        yield from chat.stream(messages)
    else:
        yield chat.complete(messages, schema).text


def _plain_messages(request: ChatCompletionRequest) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for message in request.messages:
        parts = message.content if isinstance(message.content, list) else []
        words = "\n".join(part.text or "" for part in parts)
        if isinstance(message.content, str):
            words = message.content
        found.append((message.role, words))
    return found


def _message(role: str, content: str) -> Message:
    match role:
        case "system" | "developer":
            return Message("system", content)
        case "assistant":
            return Message("assistant", content)
        case _:
            return Message("user", content)


def _schema(request: ChatCompletionRequest) -> dict[str, object] | None:
    wanted = request.response_format
    if wanted is None or wanted.type == "text":
        return None
    named = (wanted.json_schema or {}).get("schema")
    return dict(named) if isinstance(named, dict) else {"type": "object"}


def _by_rule(request: ChatCompletionRequest, purpose: Purpose, words: str) -> str:
    """Answer a task without a model: a title and tags from the words, and empty lists."""
    if _schema(request) is not None:
        raise ProblemError(400, "needs_model", param="response_format")
    begun, ended = (words.find(mark) for mark in _MARKED)
    talk = words[begun + len(_MARKED[0]) : ended] if 0 <= begun < ended else words
    lines = [_SPEAKER.sub("", line).strip() for line in talk.splitlines()]
    first = next((line for line in lines if line), "")
    match purpose.name.removesuffix("_generation"):
        case "title":
            return json.dumps({"title": truncate(first, TITLE_TOKENS)}, ensure_ascii=False)
        case "tags":
            return json.dumps({"tags": top_keywords([talk], 3)}, ensure_ascii=False)
        case "follow_ups" | "follow_up":
            return json.dumps({"follow_ups": []})
        case "queries" | "query":
            return json.dumps({"queries": []})
        case "autocomplete":
            return json.dumps({"text": ""})
        case _:
            return truncate(first, TITLE_TOKENS * 3)
