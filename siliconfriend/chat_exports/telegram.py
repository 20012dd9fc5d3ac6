"""Telegram's export in machine-readable JSON: ``result.json`` of one chat, or of the account.

A text is a string or a list of pieces with marks. Who is who is told by ids: in a personal chat
the chat has the id of the other one. Services, forwarded words and media without words are left
out. The export as HTML loses the ids and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from siliconfriend.chat_exports.fields import as_list, as_moment, as_object, as_text, wrong_field
from siliconfriend.chat_exports.json_stream import JsonStream
from siliconfriend.chat_exports.message import Chat, Message, Said
from siliconfriend.chat_exports.options import Options
from siliconfriend.chat_exports.source import Source
from siliconfriend.errors import UnreadableFile

_OF_TWO = ("personal_chat", "bot_chat", "saved_messages")
_KIND = re.compile(
    r'"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages|\w+_(?:group|supergroup|channel))"'
)
_ACCOUNT = re.compile(r'"(?:personal_information|about)"\s*:')


def fits(head: str) -> bool:
    """True if a file that begins so is one, as JSON or as HTML."""
    start = head.lstrip()[:200].lower()
    if start.startswith("<"):
        return '"page_wrap"' in head and "message" in head
    return start.startswith("{") and bool(
        _KIND.search(head) or (_ACCOUNT.search(head) and "elegram" in head)
    )


def read(source: Source, _options: Options) -> Iterator[Chat]:
    """The chats of a file.

    Raises:
        UnreadableFile: it is HTML.
    """
    with source.text() as text:
        stream = JsonStream(text, source.label)
        if stream.peek() == "<":
            raise UnreadableFile("import_telegram_html", path=source.label)
        yield from _chats(stream, source.label)
        stream.end()


def _chats(stream: JsonStream, label: str) -> Iterator[Chat]:
    """The chats of the object here, of whichever of the two forms it is."""
    about: dict[str, Any] = {}
    for key in stream.fields():
        if key == "messages":
            yield _chat(stream, about, label)
        elif key in ("chats", "left_chats") and stream.peek() == "{":
            for inner in stream.fields():
                if inner == "list" and stream.peek() == "[":
                    for _ in stream.items():
                        yield from _chats(stream, label)
                else:
                    stream.value()
        else:
            value = stream.value()
            if key in ("name", "type", "id"):
                about[key] = value


def _chat(stream: JsonStream, about: Mapping[str, Any], label: str) -> Chat:
    """The chat whose list of messages stands here."""
    kind, chat_id = as_text(about.get("type")), str(about.get("id", ""))
    chat = Chat(label, is_group=kind not in _OF_TWO)
    names: dict[str, str] = {}
    for _ in stream.items():
        form = as_object(stream.value(), label, "messages")
        sender = as_text(form.get("from_id")) or as_text(form.get("from"))
        reason, words = _words(form, label)
        if reason:
            chat.skipped[reason] += 1
            continue
        # Under one name from first to last, though people change theirs.
        name = names.setdefault(sender, as_text(form.get("from")) or sender)
        said = _said(form, label)
        chat.messages.append(Message(name, said, words, f"{chat_id}:{form.get('id')}"))
    if kind in ("personal_chat", "bot_chat"):
        chat.companion = names.get(f"user{chat_id}", as_text(about.get("name")))
        others = [name for sender, name in names.items() if sender != f"user{chat_id}"]
        chat.person = others[0] if len(others) == 1 else ""
    elif kind == "saved_messages":
        chat.person = next(iter(names.values()), "")
    return chat


def _words(form: Mapping[str, Any], label: str) -> tuple[str, str]:
    """Why a message is left out, else its words."""
    if form.get("type") != "message":
        return "system", ""
    if form.get("forwarded_from") is not None:
        return "forwarded", ""
    text = form.get("text", "")
    pieces = [text] if isinstance(text, str) else as_list(text, label, "text")
    words = "".join(
        it if isinstance(it, str) else as_text(as_object(it, label, "text").get("text"))
        for it in pieces
    ).strip()
    return ("", words) if words else ("media", "")


def _said(form: Mapping[str, Any], label: str) -> Said:
    moment = as_moment(form.get("date_unixtime"), label, "date_unixtime")
    if moment is not None:
        return moment
    try:
        return datetime.fromisoformat(as_text(form.get("date")))
    except ValueError as error:
        raise wrong_field(label, "date") from error
