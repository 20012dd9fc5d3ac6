"""SillyTavern's chats: ``.jsonl``, a line about the chat and then a line a message.

Only the shown swipe of a message is read. Hidden messages and notices (``is_system``) are left out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

from siliconfriend.importers.files import Fields, Source, WrongField, json_objects
from siliconfriend.importers.messages import Chat, Options, Said

_HUMANIZED = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s?@\s?(\d{1,2})h\s?(\d{1,2})m\s?(\d{1,2})s(?:\s?(\d{1,3})ms)?"
)
"""``2023-5-1 @12h 30m 15s 200ms``, by the clock of the person's machine."""
_ISO = "{}-{:0>2}-{:0>2}T{:0>2}:{:0>2}:{:0>2}.{:0>3}"
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
    chat = Chat()
    last: Said | None = None
    user = "user"
    for number, form in enumerate(json_objects(source, "message")):
        if "mes" in form:
            last = _said(form, "send_date") or last
            _take(chat, form, last)
        elif not number:
            last = _said(form, "create_date")
            user = form.text("user_name") or user
    chat.person = chat.person or user
    yield chat


def _take(chat: Chat, form: Fields, said: Said | None) -> None:
    name, words = form.text("name"), form.text("mes")
    is_system = form.get("is_system") is True
    reason = "hidden" if is_system else "" if words else "empty"
    if form.get("is_user") is True and not reason:
        # Under one name from first to last, whichever persona was chosen.
        name = chat.person = chat.person or name or "user"
    elif name == chat.person:
        name = f"{name} (2)"
    # A message is reworded in its place, and the file does not tell.
    chat.add(name, said, words, edited=True, reason=reason)
    if not reason and said is not None:
        chat.skipped["branch"] += max(0, len(form.several("swipes")) - 1)


def _said(form: Fields, field: str) -> Said | None:
    """Return the time of a message in any of the shapes it has had over the years."""
    written = form.text(field).strip()
    if found := _HUMANIZED.fullmatch(written):
        numbers = found.groups(default="0")
        try:
            return datetime.fromisoformat(_ISO.format(*numbers))
        except ValueError as error:
            raise WrongField(field) from error
    for shape in _WRITTEN_OUT:
        with suppress(ValueError):
            return datetime.fromisoformat(
                time.strftime("%Y-%m-%dT%H:%M:%S", time.strptime(written, shape))
            )
    return form.moment(field)
