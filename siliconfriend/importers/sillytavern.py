"""SillyTavern's chats: ``.jsonl``, a line about the chat and then a line a message.

Only the shown swipe of a message is read. Hidden messages and notices (``is_system``) are left out.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from siliconfriend.errors import UnreadableFile
from siliconfriend.importers.files import Source, WrongField, as_list, as_moment, as_text
from siliconfriend.importers.messages import Chat, Options, Said, wall_clock
from siliconfriend.memory.import_export import DECODER, DEEPEST

_HUMANIZED = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s?@\s?(\d{1,2})h\s?(\d{1,2})m\s?(\d{1,2})s(?:\s?(\d{1,3})ms)?"
)
"""``2023-5-1 @12h 30m 15s 200ms``, by the clock of the person's machine."""
_WRITTEN_OUT = ("%B %d, %Y %I:%M%p", "%B %d, %Y %I:%M %p", "%b %d, %Y %I:%M%p")
"""``May 1, 2023 12:30pm``, by the same clock."""


def fits(head: str) -> bool:
    """Return True if a file that begins so is one."""
    first = head.lstrip().partition("\n")[0]
    if not first.startswith("{"):
        return False
    is_header = '"chat_metadata"' in first or (
        '"user_name"' in first and '"character_name"' in first
    )
    is_message = '"mes"' in first and '"is_user"' in first
    return is_header or is_message


def read(source: Source, _options: Options) -> Iterator[Chat]:
    """Yield the one chat of a file."""
    chat = Chat(source.label)
    last: Said | None = None
    user = "user"
    with source.text() as text:
        for number, line in enumerate(text, 1):
            where = f"{source.label}:{number}"
            form = _object(line.strip(), where)
            try:
                if "mes" in form:
                    last = _said(form, "send_date") or last
                    _take(chat, form, last)
                elif number == 1:
                    last = _said(form, "create_date")
                    user = as_text(form.get("user_name")) or user
            except WrongField as error:
                raise error.of(where) from error
    chat.person = chat.person or user
    yield chat


def _take(chat: Chat, form: Mapping[str, Any], said: Said | None) -> None:
    name, words = as_text(form.get("name")), as_text(form.get("mes"))
    is_system = form.get("is_system") is True
    reason = "hidden" if is_system else "" if words.strip() else "empty"
    if form.get("is_user") is True and not reason:
        # Under one name from first to last, whichever persona was chosen.
        name = chat.person = chat.person or name or "user"
    elif name == chat.person:
        name = f"{name} (2)"
    # A message is reworded in its place, and the file does not tell.
    chat.add(name, said, words, edited=True, reason=reason)
    if not reason and said is not None:
        chat.skipped["branch"] += max(0, len(as_list(form, "swipes")) - 1)


def _object(line: str, where: str) -> Mapping[str, Any]:
    """Return the object of a line; empty where the line is."""
    try:
        value = DECODER.decode(line or "{}")
    except RecursionError as error:
        raise UnreadableFile("import_too_deep", field=where, deepest=DEEPEST) from error
    except json.JSONDecodeError as error:
        raise UnreadableFile("import_json_wrong", path=where, place=error.pos + 1) from error
    if not isinstance(value, dict):
        raise WrongField("message").of(where)
    return value


def _said(form: Mapping[str, Any], field: str) -> Said | None:
    """Return the time of a message in any of the shapes it has had over the years."""
    written = as_text(form.get(field)).strip()
    if found := _HUMANIZED.fullmatch(written):
        try:
            return wall_clock(*(int(it or 0) for it in found.groups()))
        except ValueError as error:
            raise WrongField(field) from error
    for shape in _WRITTEN_OUT:
        with suppress(ValueError):
            return wall_clock(*time.strptime(written, shape)[:6])
    return as_moment(form, field)
