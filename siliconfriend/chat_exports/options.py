"""The options by which a person says what their file does not say itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from zoneinfo import ZoneInfo

DateOrder = Literal["day", "month", "year"]
"""The first number of a date of three numbers."""


@dataclass(frozen=True, slots=True)
class Options:
    """The flags of the command, or the answers at a terminal.

    Attributes:
        user: the person whose memory it becomes.
        me: how the file names the person.
        other: how the file names the one who becomes the companion.
        zone: of the clock that times without an offset were written by.
        date_order: what stands first in dates like 03/04/2023.
        day: the day of words that have none, ISO.
        encoding: of text files.
    """

    user: str
    me: str = ""
    other: str = ""
    zone: ZoneInfo | None = None
    date_order: DateOrder | None = None
    day: str = ""
    encoding: str | None = None
