"""The data exports of ChatGPT and Claude: ``conversations.json``, a list of conversations.

A conversation is a tree of messages; the path from the root to one leaf was on the screen, other
branches are drafts and left out, like system and tool messages, thinking, hidden messages and the
content of files. ChatGPT's comes in parts ``conversations-000.json`` since 2026.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from siliconfriend.importers.files import Fields, Source, json_objects
from siliconfriend.importers.messages import Chat, Options

CHATGPT, CLAUDE = r'"mapping"\s*:\s*\{', r'"chat_messages"\s*:\s*\['
_GPT_SPEAKERS = {"user": "user", "assistant": "ChatGPT"}
_GPT_SAID = ("text", "multimodal_text")
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201|【[^【】]*†[^【】]*】")
"""Marks that stand for a link or a source on the page."""
_CLAUDE_SPEAKERS = {"human": "human", "user": "human", "assistant": "Claude"}


def read_chatgpt(source: Source, _options: Options) -> Iterator[Chat]:
    """Yield the conversations of a file of ChatGPT."""
    for form in json_objects(source, "conversation"):
        mapping = form.inner("mapping")
        nodes = {key: Fields.of(it, "mapping") for key, it in mapping.items()}
        current = form.get("current_node")
        if current not in nodes:
            leaves = [key for key, node in nodes.items() if not node.several("children")]
            current = leaves[-1] if leaves else None
        shown = _path_to(current, nodes, "parent")
        chat = Chat(person="user", companion="ChatGPT")
        last = form.moment("create_time")
        for node in shown.values():
            message = node.inner("message")
            last = message.moment("create_time") or last
            speaker = _GPT_SPEAKERS.get(message.inner("author").text("role"), "")
            reason, words = _gpt_words(message)
            chat.add(speaker, last, words, message.text("id") or node.text("id"), reason=reason)
        drafts = (node.inner("message") for key, node in nodes.items() if key not in shown)
        chat.skipped["branch"] += sum(bool(_gpt_words(message)[1]) for message in drafts)
        yield chat


def read_claude(source: Source, _options: Options) -> Iterator[Chat]:
    """Yield the conversations of a file of Claude."""
    for form in json_objects(source, "conversation"):
        messages = form.objects("chat_messages")
        by_id = {message.text("uuid"): message for message in messages}
        shown = messages
        parents = {message.text("parent_message_uuid") for message in messages}
        if "" not in by_id and parents & by_id.keys():
            leaf = form.text("current_leaf_message_uuid")
            last_id = leaf if leaf in by_id else messages[-1].text("uuid")
            shown = list(_path_to(last_id, by_id, "parent_message_uuid").values())
        chat = Chat(person="human", companion="Claude")
        last = form.moment("created_at")
        for message in shown:
            last = message.moment("created_at") or last
            speaker = _CLAUDE_SPEAKERS.get(message.text("sender"), "")
            words = _claude_words(message)
            reason = "" if words else _why_empty(message)
            chat.add(
                speaker, last, words, message.text("uuid"), reason=reason if speaker else "system"
            )
        chat.skipped["branch"] += len(messages) - len(shown)
        yield chat


def _path_to(last: object, nodes: Mapping[str, Fields], parent: str) -> dict[str, Fields]:
    """Return the nodes from the root to ``last``, each naming the one before it in ``parent``."""
    path: dict[str, Fields] = {}
    while isinstance(last, str) and last in nodes and last not in path:
        path[last] = nodes[last]
        last = nodes[last].get(parent)
    return dict(reversed(path.items()))


def _gpt_words(message: Fields) -> tuple[str, str]:
    """Why a message is left out, else its words; both empty where it holds nothing at all."""
    metadata, content = message.inner("metadata"), message.inner("content")
    kind, parts = content.text("content_type") or "text", content.several("parts")
    is_said = message.inner("author").text("role") in _GPT_SPEAKERS
    if not is_said or kind == "user_editable_context":
        return ("system", "") if any(parts) or content.get("text") else ("", "")
    is_hidden = metadata.get("is_visually_hidden_from_conversation") is True
    if is_hidden or message.get("weight") == 0:
        return "hidden", ""
    if kind not in _GPT_SAID or message.get("recipient") not in (None, "all"):
        return "tools", ""
    # Of what is spoken the words stand in an object.
    objects = (part if isinstance(part, dict) else {"text": part} for part in parts)
    texts = (Fields(part).text("text") for part in objects)
    words = _CITATION.sub("", "\n".join(filter(None, texts))).strip()
    has_media = not words and any(isinstance(part, dict) for part in parts)
    return ("media" if has_media else ""), words


def _claude_words(message: Fields) -> str:
    """Return the text blocks; where there are no blocks at all, the plain text of older exports."""
    blocks = message.objects("content")
    if not blocks:
        return message.text("text").strip()
    texts = (block.text("text").strip() for block in blocks if block.get("type") == "text")
    return "\n\n".join(filter(None, texts))


def _why_empty(message: Fields) -> str:
    if message.get("attachments") or message.get("files"):
        return "media"
    return "tools" if message.get("content") else "empty"
