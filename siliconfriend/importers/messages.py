"""The common form of all formats: chats, messages with speaker and time, and options.

Readers know formats and no memories; the code behind them knows memories and no formats.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from siliconfriend.errors import UsageError

Said = datetime | date
"""When something was said: aware where the file knows the moment, naive where it has the clock
of the place it was exported at, a mere date where it has only the day."""


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """One message, with its speaker as the file names them."""

    speaker: str
    said: Said
    text: str
    service_id: str = ""
    """The service's own id of the message; empty where it has none."""
    edited: bool = False
    """The file says that its words were changed after they were sent."""


@dataclass(slots=True)
class Chat:
    """A talk, in the order of its file. A reader fills it message by message."""

    messages: list[ImportedMessage] = field(default_factory=list)
    person: str = ""
    """The speaker who is the person, where the file tells; else empty, as for ``companion``."""
    companion: str = ""
    is_group: bool = False
    """The file says that more than two belong to it."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Number of skipped messages by reason (a key of ``texts``' ``skipped``)."""
    said: Said | None = None
    """When the talk began, then when its last message was said: the time of one without any."""

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
        """Add a message, as :class:`ImportedMessage` has it; one with a reason, or without a time, is left out.

        Of its ``versions`` the others are counted as left out.
        """
        self.said = said or self.said
        if reason or (text and self.said is None):
            self.skipped[reason or "undated"] += 1
        elif text and self.said is not None:
            self.messages.append(ImportedMessage(speaker, self.said, text, service_id, edited))
            self.skipped["branch"] += max(0, versions - 1)

    def speakers(self) -> list[str]:
        """Speakers, by number of messages, most first."""
        return [name for name, _ in Counter(said.speaker for said in self.messages).most_common()]


DateOrder = Literal["day", "month", "year"]
"""The first number of a date of three numbers."""


@dataclass(frozen=True, slots=True)
class Options:
    """The flags of the command, or the answers at a terminal."""

    user: str
    """The person whose memory it becomes."""
    me: str = ""
    """Name of the person in the file."""
    other: str = ""
    """Name in the file of the one who becomes the companion."""
    zone: ZoneInfo | None = None
    """Time zone of times without an offset."""
    date_order: DateOrder | None = None
    day: str = ""
    """The day of words that have none, ISO; UsageError for anything else."""
    encoding: str | None = None

    def __post_init__(self) -> None:
        try:
            date.fromisoformat(self.day or "2023-05-01")
        except ValueError as error:
            raise UsageError("import_wrong_day", day=self.day) from error


LONGEST_NAME = 60

# Control characters but line breaks and tabs, halves of broken characters, and marks that
# turn the direction of what follows.
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_ENDS = re.compile("\r\n?|\u2028|\u2029")


def clean_text(words: str) -> str:
    """Return the words with plain line ends, without characters that could steer a terminal."""
    return _HARMFUL.sub("", _ENDS.sub("\n", words)).strip()


def visible(name: str) -> str:
    """Return a name from a file for printing: on one line, truncated."""
    shown = " ".join(clean_text(name).split())
    return shown if len(shown) <= LONGEST_NAME else f"{shown[:LONGEST_NAME]}…"
