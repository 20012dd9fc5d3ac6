"""WhatsApp's exported chats: ``_chat.txt`` of an iPhone, ``WhatsApp Chat with ….txt`` of Android.

The text is made for reading: dates, clocks and the notices between the messages are in the
language and the customs of the phone, a message may have many lines, and invisible marks stand
in between. A line begins a message where it has a date, a clock and what follows them on each
of the two systems; everything else belongs to the message before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time

from siliconfriend.chat_exports.date_order import Numbers, decide_order, to_date
from siliconfriend.chat_exports.message import Chat, Message
from siliconfriend.chat_exports.options import Options
from siliconfriend.chat_exports.source import Source
from siliconfriend.chat_exports.whatsapp_notices import LRM, classify, strip_marks
from siliconfriend.errors import UnreadableFile

_HEAD = re.compile(
    r"(?P<open>\[?)(?P<first>\d{1,4})(?P<mark>\s?[./年-])\s?(?P<second>\d{1,2})\s?[./月-]\s?"
    r"(?P<third>\d{1,4})日?\.?(?P<between>[^\d\]\[]{1,16}?)"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second_of>\d{2}))?"
    r"(?P<half>\s?[^\d\s\[\]:-][^\d\[\]:-]{0,11})?(?P<end>\]\s?|\s[-–—]\s)(?P<rest>.*)",
    re.DOTALL,
)
_AM = ("am", "a", "vorm", "上午", "早上", "凌晨", "清晨", "午前", "오전", "ص", "πμ", "पूर्वाह्न")
_PM = ("pm", "p", "nachm", "下午", "晚上", "中午", "午後", "오후", "م", "μμ", "अपराह्न")
_LONGEST_NAME = 100


@dataclass(slots=True)
class _Entry:
    """A message as it stands in the file: its date, its clock, and all behind them.

    Attributes:
        style: how date and clock are written, alike throughout a file; a line in another style
            was typed by somebody.
    """

    numbers: Numbers
    clock: time
    rest: str
    style: tuple[bool, str, bool, bool]


def fits(head: str) -> bool:
    """True if a file that begins so is one."""
    lines = [line for line in head.splitlines()[:20] if line.strip()]
    return any(_entry(line) is not None for line in lines[:3])


def read(source: Source, options: Options) -> Iterator[Chat]:
    """The one chat of a file.

    Raises:
        UnreadableFile: nothing in it is a message.
        Undecided: its dates can be read in more than one way.
    """
    entries = _entries(source)
    if not entries:
        raise UnreadableFile("import_no_messages", path=source.label)
    dotted = entries[0].style[1] == "."
    found = [it.numbers for it in entries]
    order = decide_order(found, options.date_order, source.label, dotted=dotted)
    chat = Chat(source.label)
    days = {numbers: to_date(numbers, order) for numbers in set(found)}
    for entry in entries:
        _take(chat, entry, datetime.combine(days[entry.numbers], entry.clock))
    chat.companion = _named_in_the_file(chat, source)
    yield chat


def _entries(source: Source) -> list[_Entry]:
    entries: list[_Entry] = []
    lines: list[str] = []
    with source.text() as text:
        for line in text:
            entry = _entry(line)
            if entry is None or (entries and entry.style != entries[0].style):
                lines.append(line)
                continue
            _end(entries, lines)
            entries.append(entry)
            lines = [entry.rest]
    _end(entries, lines)
    return entries


def _end(entries: list[_Entry], lines: list[str]) -> None:
    """Give the last message all its lines; those before the first one belong to none."""
    if entries:
        entries[-1].rest = "".join(lines)


def _entry(line: str) -> _Entry | None:
    """The message that a line begins; None where it goes on with the one before."""
    plain = line.lstrip(LRM + "\u200f\ufeff").replace("\u202f", " ").replace("\xa0", " ")
    # Arabic and Persian phones write other digits, and marks of direction between them.
    found = _HEAD.match(plain) or _HEAD.match(strip_marks(plain))
    if found is None or (found["end"].startswith("]") != bool(found["open"])):
        return None
    try:
        halves = (found["between"], found["half"] or "")
        clock = _clock(int(found["hour"]), int(found["minute"]), found["second_of"], halves)
    except ValueError:
        return None
    numbers = (int(found["first"]), int(found["second"]), int(found["third"]))
    is_exact, has_comma = found["second_of"] is not None, "," in found["between"]
    style = (bool(found["open"]), found["mark"].strip(), is_exact, has_comma)
    return _Entry(numbers, clock, found["rest"], style)


def _clock(hour: int, minute: int, second: str | None, halves: tuple[str, str]) -> time:
    """The clock of a day of 24 hours.

    Raises:
        ValueError: there is no such time.
    """
    for written in halves:
        half = re.sub(r"[\s.,،]", "", written).lower()
        if half in _PM and hour < 12 and not (half == "中午" and hour == 11):
            hour += 12
        elif half in _AM and hour == 12:
            hour = 0
    return time(hour, minute, int(second or 0))


def _take(chat: Chat, entry: _Entry, said: datetime) -> None:
    name, mark, words = entry.rest.partition(": ")
    if not mark and entry.rest.rstrip().endswith(":"):
        name, mark, words = entry.rest.rstrip().removesuffix(":"), ":", ""
    name = strip_marks(name).strip().removeprefix("~").strip()
    if not mark or "\n" in name or not 0 < len(name) <= _LONGEST_NAME:
        chat.skipped["system"] += 1
        return
    reason, words, edited = classify(words)
    if reason:
        chat.skipped[reason] += 1
    else:
        chat.messages.append(Message(name, said, words, edited=edited))


def _named_in_the_file(chat: Chat, source: Source) -> str:
    """The speaker after whom WhatsApp called the file; a file of another name says nothing."""
    names = f"{source.path.name}\n{source.inner}"
    found = sorted((name for name in chat.speakers() if name in names), key=len)
    is_its_own = "whatsapp" in names.lower() and all(name in found[-1] for name in found)
    return found[-1] if found and is_its_own else ""
