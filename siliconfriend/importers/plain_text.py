"""Talks as text: ``Name: words`` with or without days and times, and WeChat's layouts.

A day stands on a line of its own or before each name; otherwise the person names it. The programs
that export WeChat have a line with time and name, and the words below or behind a colon; which
layout it is, the beginning of the file tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time

from siliconfriend.errors import Undecided, UnreadableFile, UsageError
from siliconfriend.importers.dates import Numbers, decide_order, to_clock, to_date
from siliconfriend.importers.files import Source, split_messages
from siliconfriend.importers.messages import Chat, Options, Said, wall_clock

_DATE = r"(?P<a>\d{1,4})\s?[-/.年]\s?(?P<b>\d{1,2})\s?[-/.月]\s?(?P<c>\d{1,4})日?"
_CLOCK = r"(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2}))?\s?(?P<half>[AaPp]\.?[Mm]\.?)?"
_NAME = r"(?P<name>[^\s:：*#\[(<>][^:：\n*\[\]<>]{0,39})"
_LINE = re.compile(
    rf"(?:[-*>]\s+)?[\[(]?(?:{_DATE})?[,T]?\s*(?:{_CLOCK})?[\])]?\s*(?:[-–—]\s)?"
    rf"\**{_NAME}(?:\**[:：]\**\s+|\**：\**|\**:\**$)(?P<words>.*)"
)
_DAY_LINE = re.compile(rf"[#=*\-\s]*{_DATE}(?:\s*[（(]?\w{{0,9}}[)）]?)?[#=*\-\s]*")
_OWN_NAMES = ("me", "i", "you", "user", "我", "用户")
_Begun = tuple[str, Numbers | None, time | None, str]
"""A line that begins a message: speaker, day and clock where they are known, first words."""


def fits_plain(head: str) -> bool:
    """True if a file that begins so may be one: at least a third of its lines name a speaker."""
    lines = [line for line in head.splitlines()[:200] if line.strip()]
    if head.lstrip().startswith(("{", "<")) or re.match(r'\s*\[\s*[\[{"\]]', head):
        return False
    named = sum(_LINE.fullmatch(line.strip()) is not None for line in lines)
    return named >= max(1, len(lines) / 3)


def read_plain(source: Source, options: Options) -> Iterator[Chat]:
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
    own = [it for it in chat.speakers() if it.lower() in _OWN_NAMES]
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


_TIME = r"(?P<y>\d{4})[-/.年](?P<mo>\d{1,2})[-/.月](?P<d>\d{1,2})日?[ T]{1,2}(?P<h>\d{1,2}):(?P<mi>\d{2})(?::(?P<s>\d{2}))?"
_LAYOUTS = tuple(
    re.compile(layout)
    for layout in (
        # [2023-05-01 12:00:00] 小明: 你好
        rf"\[{_TIME}(?:\.\d+)?\]\s*(?P<name>[^:：\n]{{1,60}})[:：]\s?(?P<words>.*)",
        # 2023-05-01 12:00:00 小明: 你好
        rf"{_TIME}\s+(?P<name>[^:：\n]{{1,60}})[:：]\s?(?P<words>.*)",
        # 2023-05-01 12:00:00 小明
        rf"{_TIME}\s+(?P<name>\S[^\n]{{0,200}}?)(?P<words>)",
        # 小明 2023-05-01 12:00:00, 小明(2023-05-01 12:00:00):
        rf"(?P<name>\S[^\n]{{0,60}}?)\s*[\s(（]\[?{_TIME}\]?[)）]?[:：]?(?P<words>)",
    )
)
_MEDIA = re.compile(
    r"[\[【<](?:图片|语音|视频|文件|表情包?|动画表情|音乐分享|音乐|链接|分享|位置|名片|红包|转账|小程序|视频号"
    r"|聊天记录|语音通话|视频通话|拍一拍|图像|照片|圖片|語音|影片|檔案|贴纸|貼圖|Photo|Image|Voice|Video"
    r"|File|Sticker|Link|Location)(?:消息)?[\]】>].*",
    re.DOTALL,
)
_QUOTED = re.compile(r"\n(?:引用[:：]|「.*」$\n- - - ).*", re.DOTALL)


def fits_wechat(head: str) -> bool:
    """Return True if a file that begins so is one."""
    return _layout_of(head) is not None


def read_wechat(source: Source, _options: Options) -> Iterator[Chat]:
    """Yield the one chat of a file."""
    layout = _layout_of(source.head())
    if layout is None:
        raise UnreadableFile("import_no_messages", path=source.label)

    def begins(line: str) -> tuple[datetime, str, str] | None:
        found = layout.fullmatch(line.strip("\ufeff\r\n "))
        with suppress(ValueError):  # of a day that is none
            if found is not None:
                numbers = (int(found[it] or 0) for it in ("y", "mo", "d", "h", "mi", "s"))
                return wall_clock(*numbers), found["name"], found["words"]
        return None

    chat = Chat(source.label)
    for (said, name, first), lines in split_messages(source, begins):
        words = "\n".join(("", first, *(line.rstrip("\r\n") for line in lines)))
        words = _QUOTED.sub("", words).strip()
        # A notice ("你撤回了一条消息") stands where a name does, with nothing below it.
        reason = "" if words else "system"
        chat.add(name.strip(), said, words, reason="media" if _MEDIA.fullmatch(words) else reason)
    chat.person = next((it for it in chat.speakers() if it.lower() in ("我", "me")), "")
    yield chat


def _layout_of(head: str) -> re.Pattern[str] | None:
    """Return the layout that most lines begin in; of equals the one that tells more apart."""
    lines = [line.strip() for line in head.splitlines() if line.strip()][:200]
    counts = [sum(layout.fullmatch(line) is not None for line in lines) for layout in _LAYOUTS]
    most = max(counts)
    return _LAYOUTS[counts.index(most)] if most else None
