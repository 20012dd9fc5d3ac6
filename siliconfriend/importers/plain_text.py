"""Talks as plain text: ``Name: words``, with or without days and times.

A day stands on a line of its own or before each name; otherwise the person names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time

from siliconfriend.errors import Undecided, UsageError
from siliconfriend.importers.dates import Numbers, decide_order, to_clock, to_date
from siliconfriend.importers.files import Source, split_messages
from siliconfriend.importers.messages import Chat, Options, Said

_DATE = r"(?P<a>\d{1,4})\s?[-/.年]\s?(?P<b>\d{1,2})\s?[-/.月]\s?(?P<c>\d{1,4})日?"
_CLOCK = r"(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2}))?\s?(?P<half>[AaPp]\.?[Mm]\.?)?"
_NAME = r"(?P<name>[^\s:：*#\[(<>][^:：\n*\[\]<>]{0,39})"
_LINE = re.compile(
    rf"(?:[-*>]\s+)?[\[(]?(?:{_DATE})?[,T]?\s*(?:{_CLOCK})?[\])]?\s*(?:[-–—]\s)?"
    rf"\**{_NAME}(?:\**[:：]\**\s+|\**：\**|\**:\**$)(?P<words>.*)"
)
_DAY_LINE = re.compile(rf"[#=*\-\s]*{_DATE}(?:\s*[（(]?\w{{0,9}}[)）]?)?[#=*\-\s]*")
_ME = ("me", "i", "you", "user", "我", "用户")
_Begun = tuple[str, Numbers | None, time | None, str]
"""A line that begins a message: speaker, day and clock where they are known, first words."""


def fits(head: str) -> bool:
    """True if a file that begins so may be one: at least a third of its lines name a speaker."""
    lines = [line for line in head.splitlines()[:200] if line.strip()]
    if head.lstrip().startswith(("{", "<")) or re.match(r'\s*\[\s*[\[{"\]]', head):
        return False
    named = sum(_LINE.fullmatch(line.strip()) is not None for line in lines)
    return named >= max(1, len(lines) / 3)


def read(source: Source, options: Options) -> Iterator[Chat]:
    """Yield the one chat of a file."""
    named = {options.me, options.other} - {""}
    day: Numbers | None = None

    def begins(line: str) -> _Begun | None:
        nonlocal day
        if (alone := _DAY_LINE.fullmatch(_plain(line))) is not None:
            day = _numbers(alone)
            return None
        found = _LINE.fullmatch(_plain(line))
        # Where speakers are named, nobody else's name begins a message.
        if found is None or (named and found["name"].strip() not in named):
            return None
        day = _numbers(found) or day
        return found["name"].strip(), day, _clock(found), found["words"]

    parts = list(split_messages(source, begins))
    dates = list(dict.fromkeys(it[1] for it, _ in parts if it[1] is not None))
    order = decide_order(dates, options.date_order, source.label) if dates else "year"
    chat = Chat(source.label)
    for (name, numbers, clock, first), lines in parts:
        date_said = to_date(numbers, order) if numbers else _day(options, source)
        said: Said = date_said if clock is None else datetime.combine(date_said, clock)
        others = (line for line in map(_plain, lines) if not _DAY_LINE.fullmatch(line))
        words = "\n".join((first, *others)).strip()
        chat.add(name, said, words, reason="" if words else "empty")
    own = [it for it in chat.speakers() if it.lower() in _ME]
    chat.person = own[0] if len(own) == 1 else ""
    yield chat


def _plain(line: str) -> str:
    return line.strip("\ufeff\r\n\t ")


def _numbers(found: re.Match[str]) -> Numbers | None:
    if found["a"] is None:
        return None
    return int(found["a"]), int(found["b"]), int(found["c"])


def _clock(found: re.Match[str]) -> time | None:
    if found["h"] is None:
        return None
    try:
        return to_clock(int(found["h"]), int(found["m"]), found["s"], found["half"])
    except ValueError:
        return None


def _day(options: Options, source: Source) -> date:
    if not options.day:
        raise Undecided("import_day", "day", path=source.label)
    try:
        return date.fromisoformat(options.day)
    except ValueError as error:
        raise UsageError("import_wrong_day", day=options.day) from error
