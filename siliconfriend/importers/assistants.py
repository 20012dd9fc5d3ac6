"""The data exports of ChatGPT and Claude: ``conversations.json``, a list of conversations.

A conversation is a tree of messages; the path from the root to one leaf was on the screen, other
branches are drafts and left out, like system and tool messages, thinking, hidden messages and the
content of files. ChatGPT's comes in parts ``conversations-000.json`` since 2026.
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
    as_objects,
    as_text,
    json_objects,
)
from siliconfriend.importers.messages import Chat, Options

_GPT_SPEAKERS = {"user": "user", "assistant": "ChatGPT"}
_GPT_SAID = ("text", "multimodal_text")
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201|【[^【】]*†[^【】]*】")
"""Marks that stand for a link or a source on the page."""
_CLAUDE_SPEAKERS = {"human": "human", "user": "human", "assistant": "Claude"}
Node = Mapping[str, Any]


def fits_chatgpt(head: str) -> bool:
    """Return True if a file that begins so is ChatGPT's."""
    return head.lstrip()[:1] in ("[", "{") and bool(re.search(r'"mapping"\s*:\s*\{', head))


def fits_claude(head: str) -> bool:
    """Return True if a file that begins so is Claude's."""
    return head.lstrip()[:1] in ("[", "{") and bool(re.search(r'"chat_messages"\s*:\s*\[', head))


def read_chatgpt(source: Source, _options: Options) -> Iterator[Chat]:
    """Yield the conversations of a file of ChatGPT."""
    for form in json_objects(source, "conversation"):
        mapping = as_object(form, "mapping")
        nodes = {key: as_object({"mapping": it}, "mapping") for key, it in mapping.items()}
        current = form.get("current_node")
        if current not in nodes:
            leaves = [key for key, node in nodes.items() if not as_list(node, "children")]
            current = leaves[-1] if leaves else None
        shown = _path_to(current, nodes, "parent")
        chat = Chat(source.label, person="user", companion="ChatGPT")
        last = as_moment(form, "create_time")
        for node in shown.values():
            message = as_object(node, "message")
            last = as_moment(message, "create_time") or last
            speaker = _GPT_SPEAKERS.get(_gpt_role(message), "")
            reason, words = _gpt_words(message)
            identifier = as_text(message.get("id")) or as_text(node.get("id"))
            chat.add(speaker, last, words, identifier, reason=reason)
        drafts = (as_object(node, "message") for key, node in nodes.items() if key not in shown)
        chat.skipped["branch"] += sum(bool(_gpt_words(message)[1]) for message in drafts)
        yield chat


def read_claude(source: Source, _options: Options) -> Iterator[Chat]:
    """Yield the conversations of a file of Claude."""
    for form in json_objects(source, "conversation"):
        messages = as_objects(form, "chat_messages")
        by_id = {as_text(it.get("uuid")): it for it in messages}
        shown = messages
        parents = {as_text(it.get("parent_message_uuid")) for it in messages}
        if "" not in by_id and parents & by_id.keys():
            leaf = as_text(form.get("current_leaf_message_uuid"))
            last_id = leaf if leaf in by_id else as_text(messages[-1].get("uuid"))
            shown = list(_path_to(last_id, by_id, "parent_message_uuid").values())
        chat = Chat(source.label, person="human", companion="Claude")
        last = as_moment(form, "created_at")
        for message in shown:
            last = as_moment(message, "created_at") or last
            speaker = _CLAUDE_SPEAKERS.get(as_text(message.get("sender")), "")
            words = _claude_words(message)
            reason = "" if words else _why_empty(message)
            identifier = as_text(message.get("uuid"))
            chat.add(speaker, last, words, identifier, reason=reason if speaker else "system")
        chat.skipped["branch"] += len(messages) - len(shown)
        yield chat


def _path_to(last: object, nodes: Mapping[str, Node], parent: str) -> dict[str, Node]:
    """Return the nodes from the root to ``last``, each naming the one before it in ``parent``."""
    path: dict[str, Node] = {}
    while isinstance(last, str) and last in nodes and last not in path:
        path[last] = nodes[last]
        last = nodes[last].get(parent)
    return dict(reversed(path.items()))


def _gpt_role(message: Node) -> str:
    return as_text(as_object(message, "author").get("role"))


def _gpt_words(message: Node) -> tuple[str, str]:
    """Why a message is left out, else its words; both empty where it holds nothing at all."""
    metadata, content = as_object(message, "metadata"), as_object(message, "content")
    kind = as_text(content.get("content_type")) or "text"
    parts = as_list(content, "parts")
    if _gpt_role(message) not in _GPT_SPEAKERS or kind == "user_editable_context":
        return ("system", "") if any(parts) or content.get("text") else ("", "")
    is_hidden = metadata.get("is_visually_hidden_from_conversation") is True
    if is_hidden or message.get("weight") == 0:
        return "hidden", ""
    if kind not in _GPT_SAID or message.get("recipient") not in (None, "all"):
        return "tools", ""
    # Of what is spoken the words stand in an object.
    texts = (as_text(it.get("text") if isinstance(it, dict) else it) for it in parts)
    words = _CITATION.sub("", "\n".join(filter(None, texts))).strip()
    has_media = not words and any(isinstance(it, dict) for it in parts)
    return ("media" if has_media else ""), words


def _claude_words(message: Node) -> str:
    """Return the text blocks; where there are no blocks at all, the plain text of older exports."""
    blocks = as_objects(message, "content")
    if not blocks:
        return as_text(message.get("text")).strip()
    texts = (as_text(it.get("text")) for it in blocks if it.get("type") == "text")
    return "\n\n".join(filter(None, (text.strip() for text in texts)))


def _why_empty(message: Node) -> str:
    if message.get("attachments") or message.get("files"):
        return "media"
    return "tools" if message.get("content") else "empty"
