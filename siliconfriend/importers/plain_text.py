"""Talks as plain text: ``Name: words``, with or without days and times.

Written by hand, by small programs or copied from a page. A day may stand in a line of its own
or before each name; what has none is of the day that the person names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time

from siliconfriend.errors import Undecided, UnreadableFile, UsageError
from siliconfriend.importers.files import Source
from siliconfriend.importers.messages import Chat, Message, Options, Said
from siliconfriend.importers.whatsapp import Numbers, decide_order, to_date

_DATE = r"(?P<a>\d{1,4})\s?[-/.年]\s?(?P<b>\d{1,2})\s?[-/.月]\s?(?P<c>\d{1,4})日?"
_CLOCK = r"(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2}))?\s?(?P<half>[AaPp]\.?[Mm]\.?)?"
_NAME = r"(?P<name>[^\s:：*#\[(<>][^:：\n*\[\]<>]{0,39})"
_LINE = re.compile(
    rf"(?:[-*>]\s+)?[\[(]?(?:{_DATE})?[,T]?\s*(?:{_CLOCK})?[\])]?\s*(?:[-–—]\s)?"
    rf"\**{_NAME}(?:\**[:：]\**\s+|\**：\**|\**:\**$)(?P<words>.*)"
)
_DAY_LINE = re.compile(rf"[#=*\-\s]*{_DATE}(?:\s*[（(]?\w{{0,9}}[)）]?)?[#=*\-\s]*")
_ME = ("me", "i", "you", "user", "我", "用户")


@dataclass(frozen=True, slots=True)
class _Part:
    """A message: its words, its speaker, and its day and clock where they are known."""

    name: str
    words: str
    numbers: Numbers | None
    clock: time | None


def fits(head: str) -> bool:
    """True if a file that begins so may be one: at least a third of its lines name a speaker."""
    lines = [line for line in head.splitlines()[:200] if line.strip()]
    if head.lstrip().startswith(("{", "<")) or re.match(r'\s*\[\s*[\[{"\]]', head):
        return False
    named = sum(_LINE.fullmatch(line.strip()) is not None for line in lines)
    return named >= max(1, len(lines) / 3)


def read(source: Source, options: Options) -> Iterator[Chat]:
    """The one chat of a file.

    Raises:
        Undecided: its words have no day, or its dates can be read in more than one way.
        UsageError: the day that is named is none.
    """
    parts = list(_parts(source, {options.me, options.other} - {""}))
    if not parts:
        raise UnreadableFile("import_no_messages", path=source.label)
    found = list(dict.fromkeys(it.numbers for it in parts if it.numbers is not None))
    order = decide_order(found, options.date_order, source.label) if found else "year"
    chat = Chat(source.label)
    for part in parts:
        day = to_date(part.numbers, order) if part.numbers else _day(options, source)
        said: Said = day if part.clock is None else datetime.combine(day, part.clock)
        if part.words.strip():
            chat.messages.append(Message(part.name, said, part.words))
        else:
            chat.skipped["empty"] += 1
    own = [it for it in chat.speakers() if it.lower() in _ME]
    chat.person = own[0] if len(own) == 1 else ""
    yield chat


def _parts(source: Source, named: set[str]) -> Iterator[_Part]:
    """The messages; where speakers are named, nobody else's name begins one."""
    last: _Part | None = None
    numbers: Numbers | None = None
    lines: list[str] = []
    with source.text() as text:
        for line in text:
            plain = line.strip("\ufeff\r\n\t ")
            day = _DAY_LINE.fullmatch(plain)
            if day is not None and _numbers(day) is not None:
                numbers = _numbers(day)
                continue
            part = _part(plain, numbers, named)
            if part is None:
                lines.append(plain)
                continue
            if last is not None:
                yield _with_lines(last, lines)
            last, lines, numbers = part, [part.words], part.numbers
    if last is not None:
        yield _with_lines(last, lines)


def _with_lines(part: _Part, lines: list[str]) -> _Part:
    return _Part(part.name, "\n".join(lines).strip(), part.numbers, part.clock)


def _part(line: str, numbers: Numbers | None, named: set[str]) -> _Part | None:
    """The message a line begins; None where it goes on with the one before."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    name = found["name"].strip()
    if named and name not in named:
        return None
    return _Part(name, found["words"], _numbers(found) or numbers, _clock(found))


def _numbers(found: re.Match[str]) -> Numbers | None:
    if found["a"] is None:
        return None
    return int(found["a"]), int(found["b"]), int(found["c"])


def _clock(found: re.Match[str]) -> time | None:
    if found["h"] is None:
        return None
    hour, half = int(found["h"]), (found["half"] or "").lower()
    if half.startswith("p") and hour < 12:
        hour += 12
    elif half.startswith("a") and hour == 12:
        hour = 0
    try:
        return time(hour, int(found["m"]), int(found["s"] or 0))
    except ValueError:
        return None


def _day(options: Options, source: Source) -> date:
    if not options.day:
        raise Undecided("import_day", "day", path=source.label)
    try:
        return date.fromisoformat(options.day)
    except ValueError as error:
        raise UsageError("import_wrong_day", day=options.day) from error
