"""character.ai: the service's own data as JSON, and what the common savers of its chats write.

All hold turns of a person and a character under one of a few names: turns with candidates, of which
one was shown, or plain messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from siliconfriend.importers.files import (
    Source,
    as_moment,
    as_objects,
    as_text,
    json_objects,
)
from siliconfriend.importers.messages import Chat, Options

PERSON = "user"
_MARKS = re.compile(
    r'"(?:turn_key|primary_candidate_id|raw_content|is_human|character_name|char_name)"\s*:'
)
_LISTS = ("turns", "messages")
_TIMES = ("create_time", "created", "created_at", "timestamp", "send_date", "time")
_TEXTS = ("text", "raw_content", "content", "message")
_PEOPLE = ("human", "user", "you", "me")


def fits(head: str) -> bool:
    """Return True if a file that begins so is one."""
    return head.lstrip()[:1] in ("{", "[") and bool(_MARKS.search(head))


def read(source: Source, _options: Options) -> Iterator[Chat]:
    """Yield the chats of a file, each with its character."""
    loose = Chat(source.label)
    for form in json_objects(source, "chat"):
        character = _character(form)
        for inner in (form, *as_objects(form, "chats")):
            for key in filter(inner.__contains__, _LISTS):
                chat, name = Chat(source.label), _character(inner) or character
                for message in as_objects(inner, key):
                    _take(chat, message, name)
                yield _named(chat, name)
        if not any(key in form for key in ("chats", *_LISTS)):
            _take(loose, form, "")
    yield _named(loose, "")


def _take(chat: Chat, form: Mapping[str, Any], character: str) -> None:
    """Add a message; one without a time was said when the one before it was."""
    candidates = as_objects(form, "candidates")
    wanted = form.get("primary_candidate_id")
    shown = [it for it in candidates if it.get("candidate_id") == wanted] or candidates
    texts = [shown[0].get("raw_content")] if shown else [form.get(key) for key in _TEXTS]
    words = next(filter(None, (as_text(it).strip() for it in texts)), "")
    moments = (as_moment(form, key) for key in _TIMES if form.get(key) not in (None, ""))
    said = next(moments, chat.messages[-1].said if chat.messages else None)
    reason = "" if words else "empty"
    chat.add(_speaker(form, character), said, words, _identifier(form), reason=reason)
    if not reason and said is not None:
        chat.skipped["branch"] += max(0, len(candidates) - 1)


def _speaker(form: Mapping[str, Any], character: str) -> str:
    """Return the person, or the character by its name."""
    written = form.get("author", form.get("role", form.get("name")))
    author = written if isinstance(written, dict) else {"name": written}
    is_human = author.get("is_human", form.get("is_human", form.get("is_user")))
    name = as_text(author.get("name")) or as_text(form.get("name"))
    if is_human is True or (is_human is None and name.strip().lower() in _PEOPLE):
        return PERSON
    # The service marks who is human, and leaves the mark out on its characters.
    return (character if is_human is False else "") or name or character or "character"


def _named(chat: Chat, character: str) -> Chat:
    """Return the chat with its two: where nobody is marked as human, the names have to tell."""
    speakers = chat.speakers()
    chat.person = PERSON if PERSON in speakers else ""
    others = [name for name in speakers if name != PERSON]
    if character in others or len(others) > 1:
        chat.companion = character if character in others else ""
    else:
        chat.companion = others[0] if others else character
    return chat


def _character(form: Mapping[str, Any]) -> str:
    inner = form.get("character")
    if isinstance(inner, dict):
        return as_text(inner.get("name")) or as_text(inner.get("participant__name"))
    names = (inner, form.get("character_name"), form.get("char_name"))
    return next(filter(None, map(as_text, names)), "")


def _identifier(form: Mapping[str, Any]) -> str:
    key = form.get("turn_key")
    if isinstance(key, dict):
        return as_text(key.get("turn_id"))
    names = (form.get("uuid"), form.get("turn_id"), form.get("id"), form.get("message_id"))
    return next((str(it) for it in names if isinstance(it, str | int) and it != ""), "")
