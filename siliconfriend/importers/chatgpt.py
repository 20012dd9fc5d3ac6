"""ChatGPT's data export: ``conversations.json``, since 2026 in parts ``conversations-000.json``.

Each conversation is a tree of messages. What was on the screen is the way from the root to
``current_node``; the other branches are drafts that the person edited away or had made anew,
and are left out. System and tool messages, thinking and what the page hides were never said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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

PERSON, COMPANION = "user", "ChatGPT"

_SPEAKERS = {"user": PERSON, "assistant": COMPANION}
_SAID = ("text", "multimodal_text")
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201|【[^【】]*†[^【】]*】")
"""Marks that stand for a link or a source on the page."""


def fits(head: str) -> bool:
    """True if a file that begins so is one."""
    return head.lstrip()[:1] in ("[", "{") and bool(re.search(r'"mapping"\s*:\s*\{', head))


def read(source: Source, _options: Options) -> Iterator[Chat]:
    """The conversations of a file, or of a list of them."""
    for value in json_values(source):
        yield _conversation(value, source.label)


def _conversation(value: object, label: str) -> Chat:
    form = as_object(value, label, "conversation")
    mapping = as_object(form.get("mapping"), label, "mapping")
    chat = Chat(label, person=PERSON, companion=COMPANION)
    shown = _shown_nodes(mapping, form.get("current_node"), label)
    last = as_moment(form.get("create_time"), label, "create_time")
    for node in shown:
        message = as_object(node.get("message"), label, "message")
        if not message:
            continue
        last = as_moment(message.get("create_time"), label, "create_time") or last
        reason, text = _words(message, label)
        if reason:
            chat.skipped[reason] += 1
        elif text and last is None:
            chat.skipped["undated"] += 1
        elif text and last is not None:
            speaker = _SPEAKERS[as_object(message["author"], label, "author")["role"]]
            identifier = as_text(message.get("id")) or as_text(node.get("id"))
            chat.messages.append(Message(speaker, last, text, identifier))
    ids = {id(node) for node in shown}
    chat.skipped["branch"] += sum(
        1
        for node in mapping.values()
        if id(node) not in ids and _is_said(as_object(node, label, "mapping"), label)
    )
    return chat


def _shown_nodes(
    mapping: Mapping[str, Any], current: object, label: str
) -> list[Mapping[str, Any]]:
    """The nodes from the root to the current one; without it, to the newest leaf."""
    if not isinstance(current, str) or current not in mapping:
        leaves = [
            key
            for key, node in mapping.items()
            if not as_list(as_object(node, label, "mapping").get("children"), label, "children")
        ]
        current = leaves[-1] if leaves else None
    way: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in mapping and current not in seen:
        seen.add(current)
        node = as_object(mapping[current], label, "mapping")
        way.append(node)
        current = node.get("parent")
    return way[::-1]


def _is_said(node: Mapping[str, Any], label: str) -> bool:
    message = as_object(node.get("message"), label, "message")
    if not message:
        return False
    reason, text = _words(message, label)
    return not reason and bool(text)


def _words(message: Mapping[str, Any], label: str) -> tuple[str, str]:
    """Why a message is left out, else its words; both empty where it holds nothing at all."""
    role = as_text(as_object(message.get("author"), label, "author").get("role"))
    metadata = as_object(message.get("metadata"), label, "metadata")
    content = as_object(message.get("content"), label, "content")
    kind = as_text(content.get("content_type")) or "text"
    if role not in _SPEAKERS or kind == "user_editable_context":
        parts = as_list(content.get("parts"), label, "parts")
        return ("system", "") if any(parts) or content.get("text") else ("", "")
    is_hidden = metadata.get("is_visually_hidden_from_conversation") is True
    if is_hidden or message.get("weight") == 0:
        return "hidden", ""
    if kind not in _SAID or message.get("recipient") not in (None, "all"):
        return "tools", ""
    text, has_media = _join_parts(as_list(content.get("parts"), label, "parts"))
    if not text and has_media:
        return "media", ""
    return "", text


def _join_parts(parts: list[Any]) -> tuple[str, bool]:
    """The words of a message, spoken ones too, and whether there was more than words."""
    words, has_media = [], False
    for part in parts:
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, dict):
            has_media = True
            words.append(as_text(part.get("text")))
    return _CITATION.sub("", "\n".join(filter(None, words))).strip(), has_media
