"""Telegram's export in machine-readable JSON: ``result.json`` of one chat, or of the account.

A text is a string or a list of pieces. Speakers are told apart by ids: a personal chat has the id
of the other one. Service messages, forwarded words and media without words are left out. An export
as HTML has no ids and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from siliconfriend.errors import UnreadableFile
from siliconfriend.importers.files import Fields, Source, json_objects
from siliconfriend.importers.messages import Chat, Options

_OF_TWO = ("personal_chat", "bot_chat", "saved_messages")
_KIND = re.compile(
    r'"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages|\w+_(?:group|supergroup|channel))"'
)
_ACCOUNT = re.compile(r'"(?:personal_information|about)"\s*:')


def fits(head: str) -> bool:
    """Return True if a file that begins so is one, as JSON or as HTML."""
    start = head.lstrip()[:200].lower()
    if start.startswith("<"):
        return '"page_wrap"' in head and "message" in head
    return start.startswith("{") and bool(
        _KIND.search(head) or (_ACCOUNT.search(head) and "elegram" in head)
    )


def read(source: Source, _options: Options) -> Iterator[Chat]:
    """Yield the chats of a file."""
    if source.head().lstrip().startswith("<"):
        raise UnreadableFile("import_telegram_html", path=source.label)
    found = False
    for prefix in ("chats.list.item", "left_chats.list.item"):
        for about in json_objects(source, "chats", prefix):
            found = True
            yield _chat(about)
    if not found:
        yield from (_chat(about) for about in json_objects(source, "file"))


def _chat(about: Fields) -> Chat:
    kind, chat_id = about.text("type"), str(about.get("id", ""))
    chat = Chat(is_group=kind not in _OF_TWO)
    names: dict[str, str] = {}
    for form in about.objects("messages"):
        sender = form.text("from_id", "from")
        reason, words = _words(form)
        if reason:
            chat.skipped[reason] += 1
            continue
        # Under one name from first to last, though people change theirs.
        name = names.setdefault(sender, form.text("from") or sender)
        said = form.moment("date_unixtime", "date")
        chat.add(name, said, words, f"{chat_id}:{form.get('id')}")
    if kind in ("personal_chat", "bot_chat"):
        chat.companion = names.get(f"user{chat_id}", about.text("name"))
        others = [name for sender, name in names.items() if sender != f"user{chat_id}"]
        chat.person = others[0] if len(others) == 1 else ""
    elif kind == "saved_messages":
        chat.person = next(iter(names.values()), "")
    return chat


def _words(form: Fields) -> tuple[str, str]:
    """Why a message is left out, else its words."""
    if form.get("type") != "message":
        return "system", ""
    if form.get("forwarded_from") is not None:
        return "forwarded", ""
    text = form.get("text", "")
    pieces = [text] if isinstance(text, str) else form.several("text")
    plain = (it if isinstance(it, str) else Fields.of(it, "text").text("text") for it in pieces)
    words = "".join(plain).strip()
    return ("", words) if words else ("media", "")
