"""The common form of all formats: messages of chats, with who said them and when, and their options.

Readers know a format and nothing of memories; everything behind them knows memories and nothing
of formats. Both meet in these records alone, so that a format is one file.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of

Said = datetime | date
"""When something was said: aware where the file knows the moment, naive where it has the clock
of the place it was exported at, a mere date where it has only the day."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        speaker: who said it, as the file names them.
        said: when.
        text: the words as they stand in the file, without its marks.
        service_id: the service's own id of the message; empty where it has none.
        edited: the file says that its words were changed after they were sent.
    """

    speaker: str
    said: Said
    text: str
    service_id: str = ""
    edited: bool = False


@dataclass(slots=True)
class Chat:
    """A talk, in the order of its file. A reader fills it message by message.

    Attributes:
        source: the file it stands in, for a person to read.
        messages: what was said.
        person: the speaker who is the person, where the file tells; else empty.
        companion: the speaker who is the other one, where the file tells; else empty.
        is_group: the file says that more than two belong to it.
        skipped: what was left out, counted by reason (a key of ``texts``' ``skipped``).
    """

    source: str
    messages: list[Message] = field(default_factory=list)
    person: str = ""
    companion: str = ""
    is_group: bool = False
    skipped: Counter[str] = field(default_factory=Counter)

    def add(
        self,
        speaker: str,
        said: Said | None,
        text: str,
        service_id: str = "",
        *,
        edited: bool = False,
        reason: str = "",
    ) -> None:
        """Add a message, as :class:`Message` has it; one with a reason, or without a time, is left out."""
        if reason or (text and said is None):
            self.skipped[reason or "undated"] += 1
        elif text and said is not None:
            self.messages.append(Message(speaker, said, text, service_id, edited))

    def speakers(self) -> list[str]:
        """Everyone who said something, whoever said most first."""
        return [name for name, _ in Counter(it.speaker for it in self.messages).most_common()]


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


EARLIEST = 1990
"""The year before which nobody chatted: a date before it is a fault of the file."""

TOLERANCE = timedelta(days=1)
"""How far ahead of the present a moment may be: clocks and time zones differ by less."""


def wall_clock(
    year: int, month: int, day: int, hour: int, minute: int, second: int = 0, milli: int = 0
) -> datetime:
    """A time as a clock showed it, of whose time zone a file says nothing.

    Raises:
        ValueError: there is no such time.
    """
    return datetime.combine(date(year, month, day), time(hour, minute, second, milli * 1_000))


def moment_of(said: Said, zone: ZoneInfo, before: datetime | None) -> datetime | None:
    """The moment in UTC; None where only the day is known.

    Args:
        said: as the file has it.
        zone: of the clock it was read from, where it has no offset.
        before: the moment of the message before it. When clocks are put back an hour comes
            twice, and the second time is meant by what follows something of the first.
    """
    if not isinstance(said, datetime):
        return None
    if said.tzinfo is not None:
        return said.astimezone(UTC)
    first = said.replace(tzinfo=zone, fold=0).astimezone(UTC)
    second = said.replace(tzinfo=zone, fold=1).astimezone(UTC)
    if before is not None and first < before <= second:
        return second
    return first


def day_said(said: Said, moment: datetime | None, zone: ZoneInfo) -> date:
    """The person's day."""
    return day_of(moment, zone) if moment is not None else date(said.year, said.month, said.day)


def fault_of(said: Said, now: datetime) -> str:
    """Why a time cannot be right: ``too_old`` or ``future``; empty where it can."""
    if said.year < EARLIEST:
        return "too_old"
    latest = now + TOLERANCE
    if isinstance(said, datetime):
        moment = said if said.tzinfo is not None else said.replace(tzinfo=UTC)
        return "future" if moment > latest else ""
    return "future" if said > latest.date() else ""


LONGEST_NAME = 60

# Control characters but line breaks and tabs, halves of broken characters, and marks that
# turn the direction of what follows.
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_ENDS = re.compile("\r\n?|\u2028|\u2029")


def clean_text(words: str) -> str:
    """The words with plain line ends, without characters that could steer a terminal."""
    return _HARMFUL.sub("", _ENDS.sub("\n", words)).strip()


def visible(name: str) -> str:
    """A name from a file as it may be printed: on one line, of a bearable length."""
    shown = " ".join(clean_text(name).split())
    return shown if len(shown) <= LONGEST_NAME else f"{shown[:LONGEST_NAME]}…"


_SHAPES = (
    # private keys in PEM, also where the end was not pasted
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    # OpenAI, Anthropic, OpenRouter, DeepSeek and others
    r"\bsk-[A-Za-z0-9_-]{20,}",
    # AWS
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    # GitHub, GitLab
    r"\bgh[pousr]_[A-Za-z0-9]{36,}",
    r"\bgithub_pat_[A-Za-z0-9_]{22,}",
    r"\bglpat-[A-Za-z0-9_-]{20,}",
    # Slack, Google, Hugging Face, npm, PyPI, Stripe, SendGrid, DigitalOcean
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\bAIza[A-Za-z0-9_-]{35}",
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bhf_[A-Za-z0-9]{30,}",
    r"\bnpm_[A-Za-z0-9]{36}",
    r"\bpypi-AgEI[A-Za-z0-9_-]{50,}",
    r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"\bdop_v1_[a-f0-9]{64}",
    # a bot of Telegram, a signed web token
    r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}",
    r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    # a name and a password in an address
    r"(?<=://)[^\s/:@]{1,100}:[^\s/:@]{3,100}(?=@)",
)
_ANY = re.compile("|".join(_SHAPES))


def leave_out_keys(words: str, mark: str) -> tuple[str, int]:
    """The words with ``mark`` in place of each key, and how many there were."""
    return _ANY.subn(lambda _: mark, words)
