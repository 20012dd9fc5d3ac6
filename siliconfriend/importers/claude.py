"""Claude's data export: ``conversations.json``, each with its messages as lists of blocks.

Only text blocks were said; thinking and tools are left out, and so is the content of attached
files, which are nobody's words. Where a message was reworded the file holds both, and the way
from the first to the last message is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from siliconfriend.importers.files import (
    Source,
    as_list,
    as_moment,
    as_object,
    as_text,
    json_values,
)
from siliconfriend.importers.messages import Chat, Message, Options

PERSON, COMPANION = "human", "Claude"

_SPEAKERS = {"human": PERSON, "user": PERSON, "assistant": COMPANION}
_ROOT = "00000000-0000-4000-8000-000000000000"
"""The parent id of the first message."""


def fits(head: str) -> bool:
    """True if a file that begins so is one."""
    return head.lstrip()[:1] in ("[", "{") and bool(re.search(r'"chat_messages"\s*:\s*\[', head))


def read(source: Source, _options: Options) -> Iterator[Chat]:
    """The conversations of a file, or of a list of them."""
    for value in json_values(source):
        yield _conversation(value, source.label)


def _conversation(value: object, label: str) -> Chat:
    form = as_object(value, label, "conversation")
    chat = Chat(label, person=PERSON, companion=COMPANION)
    messages = [
        as_object(it, label, "chat_messages")
        for it in as_list(form.get("chat_messages"), label, "chat_messages")
    ]
    shown = _shown(messages, as_text(form.get("current_leaf_message_uuid")))
    last = as_moment(form.get("created_at"), label, "created_at")
    for message in shown:
        last = as_moment(message.get("created_at"), label, "created_at") or last
        speaker = _SPEAKERS.get(as_text(message.get("sender")))
        words = _words(message, label)
        if speaker is None:
            chat.skipped["system"] += 1
        elif not words:
            chat.skipped[_why_empty(message)] += 1
        elif last is None:
            chat.skipped["undated"] += 1
        else:
            chat.messages.append(Message(speaker, last, words, as_text(message.get("uuid"))))
    chat.skipped["branch"] += len(messages) - len(shown)
    return chat


def _shown(messages: Sequence[Mapping[str, Any]], leaf: str) -> list[Mapping[str, Any]]:
    """The messages on the way to the last one; all where none names its parent."""
    by_id = {as_text(it.get("uuid")): it for it in messages}
    named = {as_text(it.get("parent_message_uuid")) for it in messages} & by_id.keys()
    if not named or "" in by_id:
        return list(messages)
    way: list[Mapping[str, Any]] = []
    current = by_id.get(leaf) or messages[-1]
    while current not in way:
        way.append(current)
        parent = as_text(current.get("parent_message_uuid"))
        if parent not in by_id or parent == _ROOT:
            break
        current = by_id[parent]
    return way[::-1]


def _words(message: Mapping[str, Any], label: str) -> str:
    """The text blocks; where there are no blocks at all, the plain text of older exports."""
    blocks = [
        as_object(it, label, "content") for it in as_list(message.get("content"), label, "content")
    ]
    if not blocks:
        return as_text(message.get("text")).strip()
    texts = (as_text(it.get("text")) for it in blocks if it.get("type") == "text")
    return "\n\n".join(filter(None, (text.strip() for text in texts)))


def _why_empty(message: Mapping[str, Any]) -> str:
    if message.get("attachments") or message.get("files"):
        return "media"
    return "tools" if message.get("content") else "empty"
