"""SillyTavern's chats: ``.jsonl``, a line about the chat and then a line a message.

Of the swipes of a message only the one that is shown was said. What the person hid from the
model, and the program's own notices, are marked ``is_system`` and left out.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any

from siliconfriend.errors import UnreadableFile
from siliconfriend.importers.files import (
    Source,
    as_list,
    as_moment,
    as_object,
    as_text,
    wrong_field,
)
from siliconfriend.importers.messages import Chat, Message, Options, Said, wall_clock
from siliconfriend.memory.import_checks import DECODER, DEEPEST

_HUMANIZED = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s?@\s?(\d{1,2})h\s?(\d{1,2})m\s?(\d{1,2})s(?:\s?(\d{1,3})ms)?"
)
"""``2023-5-1 @12h 30m 15s 200ms``, by the clock of the person's machine."""

_WRITTEN_OUT = ("%B %d, %Y %I:%M%p", "%B %d, %Y %I:%M %p", "%b %d, %Y %I:%M%p")
"""``May 1, 2023 12:30pm``, by the same clock."""


def fits(head: str) -> bool:
    """True if a file that begins so is one."""
    first = head.lstrip().partition("\n")[0]
    if not first.startswith("{"):
        return False
    is_header = '"chat_metadata"' in first or (
        '"user_name"' in first and '"character_name"' in first
    )
    is_message = '"mes"' in first and '"is_user"' in first
    return is_header or is_message


def read(source: Source, _options: Options) -> Iterator[Chat]:
    """The one chat of a file."""
    chat = Chat(source.label)
    last: Said | None = None
    user = "user"
    with source.text() as text:
        for number, line in enumerate(text, 1):
            if not line.strip():
                continue
            where = f"{source.label}:{number}"
            form = _object(line, where)
            if "mes" in form:
                last = _said(form.get("send_date"), where) or last
                _take(chat, form, last, where)
            elif number == 1:
                last = _said(form.get("create_date"), where)
                user = as_text(form.get("user_name")) or user
    chat.person = chat.person or user
    yield chat


def _take(chat: Chat, form: Mapping[str, Any], said: Said | None, where: str) -> None:
    name, words = as_text(form.get("name")), as_text(form.get("mes"))
    if form.get("is_system") is True:
        chat.skipped["hidden"] += 1
    elif not words.strip():
        chat.skipped["empty"] += 1
    elif said is None:
        chat.skipped["undated"] += 1
    else:
        if form.get("is_user") is True:
            # Under one name from first to last, whichever persona was chosen.
            name = chat.person = chat.person or name or "user"
        elif name == chat.person:
            name = f"{name} (2)"
        # A message is reworded in its place, and the file does not tell.
        chat.messages.append(Message(name, said, words, edited=True))
        swipes = as_list(form.get("swipes"), where, "swipes")
        chat.skipped["branch"] += max(0, len(swipes) - 1)


def _object(line: str, where: str) -> Mapping[str, Any]:
    try:
        return as_object(DECODER.decode(line.strip()), where, "message")
    except RecursionError as error:
        raise UnreadableFile("import_too_deep", field=where, deepest=DEEPEST) from error
    except json.JSONDecodeError as error:
        raise UnreadableFile("import_json_wrong", path=where, place=error.pos + 1) from error


def _said(value: object, where: str) -> Said | None:
    """The time of a message in any of the shapes it has had over the years."""
    if isinstance(value, str):
        written = value.strip()
        if found := _HUMANIZED.fullmatch(written):
            try:
                return wall_clock(*(int(it or 0) for it in found.groups()))
            except ValueError as error:
                raise wrong_field(where, "send_date") from error
        for form in _WRITTEN_OUT:
            try:
                return wall_clock(*time.strptime(written, form)[:6])
            except ValueError:
                continue
    return as_moment(value, where, "send_date")
