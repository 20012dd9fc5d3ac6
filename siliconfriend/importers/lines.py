"""Read chats as lines of text, in which a message begins with a date, a time and a name.

In plain text (``Name: words``) the day is on a line of its own or before each name; otherwise the
person tells it. Exporters of WeChat write time and name, then the words below or after a colon.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import get_args

from siliconfriend.errors import Undecided, UnreadableFile
from siliconfriend.importers.files import SourceFile
from siliconfriend.importers.messages import Chat, DateOrder, Options

DateNumbers = tuple[int, int, int]
_BUDDHIST, _BUDDHIST_FROM = 543, 2_400
"""Offset of years of the Thai calendar, and the first year that must be one of them."""
SHOWN = 60
"""Characters of a message in an error."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The parsed first line of a message.

    Attributes:
        numbers: the date as written; None without a date.
        name: empty for a system notice.
        words: the rest of the line.
        is_dotted: the date has dots.
        style: a line in another style than the first message does not begin a message.
    """

    numbers: DateNumbers | None
    clock: time | None
    name: str
    words: str
    is_dotted: bool = False
    style: tuple[object, ...] = ()


Verdict = tuple[str, str, bool]
"""The reason to skip a message, or empty; its cleaned words; whether they may be edited."""


def read_lines(
    source: SourceFile,
    options: Options,
    begins: Callable[[str], Begun | None],
    classify: Callable[[str], Verdict],
) -> Chat:
    """Read the chat of a file with functions that parse first lines and classify messages.

    Raises:
        UnreadableFile: no line begins a message, or a date is invalid.
        Undecided: the order of dates is ambiguous, or there is no day.
    """
    found: list[tuple[Begun, list[str]]] = []
    dated: list[tuple[DateNumbers, int, Begun]] = []
    with source.text() as text:
        for number, line in enumerate(text, 1):
            begun = begins(line)
            if begun is not None and (not found or begun.style == found[0][0].style):
                found.append((begun, [begun.words]))
                if begun.numbers is not None:
                    dated.append((begun.numbers, number, begun))
            elif found:
                found[-1][1].append(line.rstrip("\r\n"))
    if not found:
        raise UnreadableFile("import_no_messages", path=source.label)
    days = iter(_dates(dated, options.date_order, source.label, found[0][0].is_dotted))
    chat = Chat()
    for begun, lines in found:
        day = _named_day(options, source) if begun.numbers is None else next(days)
        said = day if begun.clock is None else datetime.combine(day, begun.clock)
        reason, words, edited = classify("\n".join(lines)) if begun.name else ("system", "", False)
        chat.add(begun.name, said, words, edited=edited, reason=reason)
    return chat


def _named_day(options: Options, source: SourceFile) -> date:
    if not options.day:
        raise Undecided("import_day", "day", path=source.label)
    return date.fromisoformat(options.day)


def _dates(
    found: Sequence[tuple[DateNumbers, int, Begun]],
    wanted: DateOrder | None,
    label: str,
    dotted: bool,
) -> Sequence[date]:
    """Parse the dates of a file in one order: ``wanted``, or the only valid one.

    Of several, select the one with ascending dates; dates with dots have the day first.
    """
    if not found:
        return ()
    read: dict[DateOrder, list[date]] = {}
    for order in (wanted,) if wanted else get_args(DateOrder):
        read[order] = days = list[date]()
        with suppress(ValueError):
            days.extend(to_date(numbers, order) for numbers, _, _ in found)  # up to an invalid one
    possible = {order: days for order, days in read.items() if len(days) == len(found)}
    if not possible:
        numbers, line, begun = found[max(map(len, read.values()))]
        words = f"{begun.name}: {begun.words}"[:SHOWN]
        shown = {"line": line, "words": words, "date": "-".join(map(str, numbers))}
        raise UnreadableFile("import_no_dates", path=label, **shown)
    if len(possible) > 1:  # a two-digit year is hardly ever first
        possible.pop("year", None)
    rising = {order: days for order, days in possible.items() if days == sorted(days)}
    first = {order: days for order, days in possible.items() if dotted and order == "day"}
    for likely in (possible, rising, first):
        if len(likely) == 1:
            return next(iter(likely.values()))
    details = {"path": label, "example": "/".join(map(str, found[0][0]))}
    raise Undecided("import_date_order", "date-order", tuple(rising or possible), **details)


def to_date(numbers: DateNumbers, order: DateOrder) -> date:
    """Return the date; ValueError if it is invalid."""
    if (order != "year" and numbers[0] > 999) or (order == "year" and numbers[2] > 99):
        msg = "the year stands at the other end"
        raise ValueError(msg)
    year, month, day = numbers if order == "year" else numbers[::-1]
    if order == "month":
        month, day = day, month
    if year < 100:
        year += 2_000
    if year >= _BUDDHIST_FROM:
        year -= _BUDDHIST
    return date(year, month, day)


_AM = ("am", "a", "vorm", "上午", "早上", "凌晨", "清晨", "午前", "오전", "ص", "πμ", "पूर्वाह्न")
_PM = ("pm", "p", "nachm", "下午", "晚上", "中午", "午後", "오후", "م", "μμ", "अपराह्न")


def to_clock(hour: str, minute: str, second: str | None, *halves: str | None) -> time:
    """Parse a time of day with words such as ``pm``; ValueError if it is invalid."""
    hours = int(hour)
    for written in halves:
        half = re.sub(r"[\s.,،]", "", written or "").lower()
        if half in _PM and hours < 12 and not (half == "中午" and hours == 11):
            hours += 12
        elif half in _AM and hours == 12:
            hours = 0
    return time(hours, int(minute), int(second or 0))


_DATE = r"(?P<a>\d{1,4})\s?[-/.年]\s?(?P<b>\d{1,2})\s?[-/.月]\s?(?P<c>\d{1,4})日?"
_CLOCK = r"(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2}))?\s?(?P<half>[AaPp]\.?[Mm]\b\.?)?"
_NAME = r"(?P<name>[^\s:：*#\[(<>][^:：\n*\[\]<>]{0,39})"
# A long run of spaces is matched once (``*+``), since every way to divide it would be tried.
_LINE = re.compile(
    rf"(?:[-*>]\s++)?[\[(]?(?:{_DATE})?,?\s*+(?:T?{_CLOCK})?[\])]?\s*+(?:[-–—]\s)?"
    rf"\**{_NAME}(?:\**[:：]\**\s+|\**：\**|\**:\**$)(?P<words>.*)"
)
_DAY_LINE = re.compile(rf"[#=*\-\s]*+{_DATE}(?:\s*+[（(]?\w{{0,9}}[)）]?)?[#=*\-\s]*+")


def fits_plain(head: str) -> bool:
    """Return True if at least a third of the first lines name a speaker."""
    lines = [line for line in head.splitlines()[:200] if line.strip()]
    if head.lstrip().startswith(("{", "<")) or re.match(r'\s*\[\s*[\[{"\]]', head):
        return False
    named = sum(_LINE.fullmatch(line.strip()) is not None for line in lines)
    return named >= max(1, len(lines) / 3)


def read_plain(source: SourceFile, options: Options) -> Iterator[Chat]:
    """Yield the chat of a file."""
    named = {options.me, options.other}
    with source.text() as text:
        names = Counter(
            found["name"].strip() for line in text if (found := _LINE.fullmatch(_plain(line)))
        )
    day: DateNumbers | None = None

    def begins(line: str) -> Begun | None:
        nonlocal day
        if (alone := _DAY_LINE.fullmatch(_plain(line))) is not None:
            day = _numbers(alone)
            return None
        found = _LINE.fullmatch(_plain(line))
        # If both speakers are known, another name that is there once is part of what they say.
        if found is None:
            return None
        name = found["name"].strip()
        if all(named) and name not in named and names[name] == 1:
            return None
        clock = None
        with suppress(ValueError):
            if found["h"] is not None:
                clock = to_clock(found["h"], found["m"], found["s"], found["half"])
        day = _numbers(found) or day
        return Begun(day, clock, name, found["words"])

    yield read_lines(source, options, begins, _classify_plain)


def _classify_plain(words: str) -> Verdict:
    first, *rest = map(_plain, words.split("\n"))
    words = "\n".join((first, *(line for line in rest if not _DAY_LINE.fullmatch(line)))).strip()
    return ("" if words else "empty"), words, False


def _plain(line: str) -> str:
    return line.strip("\ufeff\r\n\t ")


def _numbers(found: re.Match[str]) -> DateNumbers | None:
    return None if found["a"] is None else (int(found["a"]), int(found["b"]), int(found["c"]))


_TIME = (
    r"(?P<a>\d{4})[-/.年](?P<b>\d{1,2})[-/.月](?P<c>\d{1,2})日?"
    r"[ T]{1,2}(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2}))?"
)
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
_VOICE = re.compile(r"[\[【<](?:语音|語音)(?:消息)?[\]】>](?!\s*\d+(?:[\"″]|秒))")
"""The mark of a voice message, before its transcript if there is one."""
_MEDIA = re.compile(
    r"[\[【<](?:图片|语音|视频|文件|表情包?|动画表情|音乐分享|音乐|链接|分享|位置|名片|红包|转账(?:收款)?|小程序|视频号"
    r"|(?:转发的)?聊天记录|语音通话|视频通话|通话|拍一拍|图像|照片|圖片|語音|影片|檔案|贴纸|貼圖"
    r"|Photo|Image|Voice|Video|File|Sticker|Link|Location|(?:引用|其他|系统)(?=消息))(?:消息)?(?:[:：][^\]】>]*| - [^\]】>]*)?[\]】>].*",
    re.DOTALL,
)
_QUOTED = re.compile(r"\n(?:引用[:：]|「.*」$\n- - - ).*", re.DOTALL)


def fits_wechat(head: str) -> bool:
    """Return True if the first lines have a layout of WeChat's exporters."""
    return _layout_of(head) is not None


def read_wechat(source: SourceFile, options: Options) -> Iterator[Chat]:
    """Yield the chat of a file."""
    layout = _layout_of(source.head())
    if layout is None:
        raise UnreadableFile("import_no_messages", path=source.label)

    def begins(line: str) -> Begun | None:
        found = layout.fullmatch(line.strip("\ufeff\r\n "))
        with suppress(ValueError):  # an invalid date
            if found and (numbers := _numbers(found)) and to_date(numbers, "year"):
                clock = to_clock(found["h"], found["m"], found["s"])
                return Begun(numbers, clock, found["name"].strip(" '"), found["words"])
        return None

    yield read_lines(source, replace(options, date_order=None), begins, _classify_wechat)


def _classify_wechat(words: str) -> Verdict:
    words = _QUOTED.sub("", f"\n{words}").strip()
    words = _VOICE.sub("", words).strip() or words
    # A notice ("你撤回了一条消息") is written in place of a name, without words.
    reason = "media" if _MEDIA.fullmatch(words) else "" if words else "system"
    return reason, words, False


def _layout_of(head: str) -> re.Pattern[str] | None:
    """Return the layout of most lines; of several, the first and most specific one."""
    lines = [line.strip() for line in head.splitlines() if line.strip()][:200]
    counts = [sum(layout.fullmatch(line) is not None for line in lines) for layout in _LAYOUTS]
    most = max(counts)
    return _LAYOUTS[counts.index(most)] if most else None
