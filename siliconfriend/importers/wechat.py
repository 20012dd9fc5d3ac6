"""WeChat as text, in the layouts of the programs that export it.

Each has a line with time and name, and the words below or behind a colon. The layout is detected
from the beginning of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

from siliconfriend.errors import UnreadableFile
from siliconfriend.importers.files import Source, split_messages
from siliconfriend.importers.messages import Chat, Options, wall_clock

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
_ME = ("我", "Me", "me")


def fits(head: str) -> bool:
    """Return True if a file that begins so is one."""
    return _layout_of(head) is not None


def read(source: Source, _options: Options) -> Iterator[Chat]:
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
    chat.person = next((it for it in chat.speakers() if it in _ME), "")
    yield chat


def _layout_of(head: str) -> re.Pattern[str] | None:
    """Return the layout that most lines begin in; of equals the one that tells more apart."""
    lines = [line.strip() for line in head.splitlines() if line.strip()][:200]
    counts = [sum(layout.fullmatch(line) is not None for line in lines) for layout in _LAYOUTS]
    most = max(counts)
    return _LAYOUTS[counts.index(most)] if most else None
