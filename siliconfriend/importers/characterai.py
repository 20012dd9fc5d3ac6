"""character.ai: the service's own data as JSON, and what the common savers of its chats write.

All hold turns of a person and a character under one of a few names: turns with candidates, of which
one was shown, or plain messages.
"""

from __future__ import annotations

from collections.abc import Iterator

from siliconfriend.importers.files import Fields, Source, json_objects
from siliconfriend.importers.messages import Chat, Options

SIGN = r'"(turn_key|primary_candidate_id|raw_content|is_human|character_name|char_name)"\s*:'
PERSON = "user"
_LISTS = ("turns", "messages")
_TIMES = ("create_time", "created", "created_at", "timestamp", "send_date", "time")
_TEXTS = ("text", "raw_content", "content", "message")
_PEOPLE = ("human", "user", "you", "me")


def read(source: Source, _options: Options) -> Iterator[Chat]:
    """Yield the chats of a file, each with its character."""
    loose = Chat()
    for form in json_objects(source, "chat"):
        for inner in (form, *form.objects("chats")):
            for key in filter(inner.__contains__, _LISTS):
                chat, name = Chat(), _character(inner) or _character(form)
                for message in inner.objects(key):
                    _take(chat, message, name)
                yield _named(chat, name)
        if not any(key in form for key in ("chats", *_LISTS)):
            _take(loose, form, "")
    yield _named(loose, "")


def _take(chat: Chat, form: Fields, character: str) -> None:
    """Add a message; one without a time was said when the one before it was."""
    candidates = form.objects("candidates")
    wanted = form.get("primary_candidate_id")
    shown = [it for it in candidates if it.get("candidate_id") == wanted] or candidates
    words = shown[0].text("raw_content") if shown else form.text(*_TEXTS)
    said = form.moment(*_TIMES) or (chat.messages[-1].said if chat.messages else None)
    reason = "" if words else "empty"
    chat.add(_speaker(form, character), said, words.strip(), _identifier(form), reason=reason)
    if not reason and said is not None:
        chat.skipped["branch"] += max(0, len(candidates) - 1)


def _speaker(form: Fields, character: str) -> str:
    """Return the person, or the character by its name."""
    written = form.get("author", form.get("role", form.get("name")))
    author = Fields(written if isinstance(written, dict) else {"name": written})
    is_human = author.get("is_human", form.get("is_human", form.get("is_user")))
    name = author.text("name") or form.text("name")
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


def _character(form: Fields) -> str:
    if isinstance(form.get("character"), dict):
        return form.inner("character").text("name", "participant__name")
    return form.text("character", "character_name", "char_name")


def _identifier(form: Fields) -> str:
    if isinstance(form.get("turn_key"), dict):
        return form.inner("turn_key").text("turn_id")
    names = (form.get(name) for name in ("uuid", "turn_id", "id", "message_id"))
    return next((str(it) for it in names if isinstance(it, str | int) and it != ""), "")
