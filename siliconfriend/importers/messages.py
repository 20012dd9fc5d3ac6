"""The common form of all import formats: chats, messages and options."""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from siliconfriend.errors import UsageError

Said = datetime | date
"""When a message was said: an aware moment, a naive local time, or a day alone."""


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """One message, with the name of its speaker in the file.

    ``service_id`` is the service's own id, if any. ``edited``: the words may have been changed later.
    """

    speaker: str
    said: Said
    text: str
    service_id: str = ""
    edited: bool = False


@dataclass(slots=True)
class Chat:
    """A conversation in the order of its file, filled by a reader message by message.

    Attributes:
        person, companion: names of the two speakers, empty if the file does not tell.
        is_group: the file says that it has more than two members.
        skipped: number of skipped messages by reason (a key of the texts ``skipped``).
        said: time of the last message, or of the chat's beginning, for messages without a time.
    """

    messages: list[ImportedMessage] = field(default_factory=list)
    person: str = ""
    companion: str = ""
    is_group: bool = False
    skipped: Counter[str] = field(default_factory=Counter)
    said: Said | None = None

    def add(
        self,
        speaker: str,
        said: Said | None,
        text: str,
        service_id: str = "",
        *,
        edited: bool = False,
        reason: str = "",
        versions: int = 1,
    ) -> None:
        """Add a message, or count it as skipped if it has a ``reason`` or no time.

        The other ``versions`` of the message are counted as skipped too.
        """
        self.said = said or self.said
        if reason or (text and self.said is None):
            self.skipped[reason or "undated"] += 1
        elif text and self.said is not None:
            self.messages.append(ImportedMessage(speaker, self.said, text, service_id, edited))
            self.skipped["branch"] += max(0, versions - 1)

    def speakers(self) -> list[str]:
        """Return the speakers, by number of messages, most first."""
        return [name for name, _ in Counter(said.speaker for said in self.messages).most_common()]


DateOrder = Literal["day", "month", "year"]
"""The first number of a date of three numbers."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of an import, from flags or answers.

    Attributes:
        user: the person whose memory it becomes.
        me, other: names of the person and the companion in the file.
        zone: time zone of times without an offset.
        day: ISO day of messages without a date; UsageError for anything else.
    """

    user: str
    me: str = ""
    other: str = ""
    zone: ZoneInfo | None = None
    date_order: DateOrder | None = None
    day: str = ""
    encoding: str | None = None

    def __post_init__(self) -> None:
        try:
            date.fromisoformat(self.day or "2023-05-01")
        except ValueError as error:
            raise UsageError("import_wrong_day", day=self.day) from error


LONGEST_NAME = 60

# Control characters except line breaks and tabs, lone surrogates, and marks of the direction.
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_ENDS = re.compile("\r\n?|\u2028|\u2029")


def clean_text(words: str) -> str:
    """Normalize line ends, and remove characters that could control a terminal."""
    return _HARMFUL.sub("", _ENDS.sub("\n", words)).strip()


def visible(name: str) -> str:
    """Format a name from a file for printing: on one line, truncated."""
    shown = " ".join(clean_text(name).split())
    return shown if len(shown) <= LONGEST_NAME else f"{shown[:LONGEST_NAME]}…"
