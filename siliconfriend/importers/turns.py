"""Make turns of messages: who is who, then what was said in a row and what was answered in a row.

Putting words into the wrong mouth would be the worst of all memories, so nothing is guessed: the
file says who is who, or the names do, or the person is asked. What got no answer is a turn
without a reply, and what nobody asked for one without a question.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.clock import noon_of
from siliconfriend.errors import Undecided, UsageError
from siliconfriend.importers.messages import (
    Chat,
    Message,
    Options,
    clean_text,
    day_said,
    fault_of,
    leave_out_keys,
    moment_of,
    visible,
)

MOST_NAMES = 12
"""Names that a question lists."""


def choose_chats(chats: Sequence[Chat], options: Options, skipped: Counter[str]) -> list[Chat]:
    """The talks to take, each with its two; a name stays empty of whom said nothing.

    Args:
        chats: of one format.
        options: who is named.
        skipped: messages that are left out, by reason.

    Raises:
        Undecided: the person has to say who they are, or whom of several they mean.
        UsageError: a name that is given stands nowhere or is given twice, or there is only a
            group chat.
    """
    if options.me and options.me == options.other:
        raise UsageError("import_same_name", name=visible(options.me))
    talks = [chat for chat in chats if chat.messages]
    names = Counter(it.speaker for chat in talks for it in chat.messages)
    for wanted in filter(None, (options.me, options.other)):
        if talks and wanted not in names and wanted not in _told(talks):
            raise UsageError("import_no_speaker", name=visible(wanted), names=_listed(names))
    taken = []
    for chat in talks:
        if _decide_speakers(chat, options, is_only=len(talks) == 1):
            taken.append(chat)
        else:
            skipped["group" if chat.is_group else "other_chat"] += len(chat.messages)
    others = Counter(chat.companion for chat in taken if chat.companion)
    if len(others) > 1 and not options.other:
        found = tuple(name for name, _ in others.most_common())
        raise Undecided("import_which_other", "other", found, names=_listed(found))
    return taken


def _told(chats: Sequence[Chat]) -> set[str]:
    return {name for chat in chats for name in (chat.person, chat.companion)}


def _decide_speakers(chat: Chat, options: Options, *, is_only: bool) -> bool:
    """Name the two of a chat; False where it is not the one that is meant."""
    names = chat.speakers()
    if options.other and options.other not in (*names, chat.companion):
        return False
    if chat.is_group and not is_only:
        return False
    told = "" if chat.is_group or chat.companion == options.me else chat.companion
    companion = options.other or told
    person = _person_of(chat, names, companion, options)
    rest = [name for name in names if name not in (person, companion)]
    if not companion and len(rest) > 1:
        if is_only:
            details = {"count": len(names), "names": _listed(names)}
            raise UsageError("import_group", **details)
        chat.is_group = True
        return False
    chat.person, chat.companion = person, companion or (rest[0] if rest else "")
    return True


def _person_of(chat: Chat, names: Sequence[str], companion: str, options: Options) -> str:
    if options.me and (options.me in names or options.me == chat.person):
        return options.me
    if chat.person:
        return chat.person
    if options.me and len(names) == 1:
        return ""
    own = [it for it in names if it.strip().casefold() == options.user.strip().casefold()]
    if len(own) == 1 and own[0] != companion:
        return own[0]
    rest = [name for name in names if name != companion]
    if companion and len(rest) <= 1:
        return rest[0] if rest else ""
    raise Undecided("import_who", "me", tuple(names), names=_listed(names))


def _listed(names: Sequence[str] | Counter[str]) -> str:
    several = list(names)
    shown = ", ".join(visible(name) for name in several[:MOST_NAMES])
    return shown if len(several) <= MOST_NAMES else f"{shown} …"


LONGEST_PAUSE = timedelta(hours=6)
"""Messages farther apart are not of one turn: an answer on another day is not an answer at once."""

LONGEST_JOINED = 4_000
"""Characters after which what is said in a row begins another turn."""

_PLACE, _CONTENT = 10, 6
"""Hex digits of the two parts of the key of a message that has no id of its service."""


@dataclass(frozen=True, slots=True)
class Words:
    """A message on its way into a turn.

    Attributes:
        key: knows it again in a later export; see :func:`_key`.
        text: its words, cleaned.
        is_person: the person said it; else the other one.
        day: the person's day.
        time: its moment; None where only the day is known.
        edited: the words were changed after they were sent.
    """

    key: str
    text: str
    is_person: bool
    day: date
    time: datetime | None
    edited: bool = False

    @property
    def place(self) -> str:
        """The part of its key that its words do not change."""
        return place_of(self.key)


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn that is not in a memory yet: what the person said, then what was answered."""

    words: tuple[Words, ...]

    @property
    def date(self) -> str:
        """The person's day, ISO."""
        return self.words[0].day.isoformat()

    @property
    def time(self) -> datetime | None:
        """The moment of its first message; None where only the day is known."""
        return self.words[0].time

    @property
    def asked(self) -> tuple[Words, ...]:
        """What the person said."""
        return tuple(it for it in self.words if it.is_person)

    @property
    def answered(self) -> tuple[Words, ...]:
        """What the other one said."""
        return tuple(it for it in self.words if not it.is_person)

    def moment(self, zone: ZoneInfo) -> datetime:
        """The moment of its first message; a day alone counts as its noon."""
        return self.time or noon_of(self.words[0].day, zone)


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings that reading needs beside the files.

    Attributes:
        zone: the person's, which decides what a day is.
        now: aware, in UTC; nothing is said later.
        mark: what stands where a key was left out.
    """

    zone: ZoneInfo
    now: datetime
    mark: str


def make_drafts(
    chat: Chat, form: str, clock_zone: ZoneInfo, setting: Setting, left_out: Counter[str]
) -> list[Draft]:
    """The turns of a chat, in its order.

    Args:
        chat: with the names of its two.
        form: the name of the format.
        clock_zone: of times without an offset.
        setting: the person's zone, the present, the mark of keys.
        left_out: counts what is left out, by reason.
    """
    said = list[Words]()
    before: datetime | None = None
    seen: Counter[str] = Counter()
    for message in chat.messages:
        text = clean_text(message.text)
        reason = fault_of(message.said, setting.now) or ("" if text else "empty")
        if message.speaker not in (chat.person, chat.companion):
            reason = "others"
        if reason:
            left_out[reason] += 1
            continue
        is_person = message.speaker == chat.person
        key = _key(form, is_person, message, text, seen)
        text, keys = leave_out_keys(text, setting.mark)
        left_out["keys"] += keys
        moment = moment_of(message.said, clock_zone, before)
        before = moment or before
        day = day_said(message.said, moment, setting.zone)
        said.append(Words(key, text, is_person, day, moment, message.edited))
    return [Draft(tuple(group)) for group in _groups(said)]


def _key(form: str, is_person: bool, message: Message, text: str, seen: Counter[str]) -> str:
    """The key by which a message is recognized in a later export: 16 hex digits that hold no words.

    They are made of the service's id where it has one. Else the first ten are made of who said
    it and when, as it stands in the file, and the rest of the words and of how many times the
    same was said before at that moment.
    """
    if message.service_id:
        return _digest(form, message.service_id, length=_PLACE + _CONTENT)
    place = _digest(form, str(is_person), message.said.isoformat(), length=_PLACE)
    key = _digest(place, text, length=_CONTENT)
    seen[place + key] += 1
    times = seen[place + key]
    if times > 1:
        key = _digest(place, text, str(times), length=_CONTENT)
    return place + key


def place_of(key: str) -> str:
    """The part of a key that the words do not change: who said it, and when."""
    return key[:_PLACE]


def _digest(*parts: str, length: int) -> str:
    data = "\0".join(parts).encode("utf-8", "replace")
    return hashlib.sha256(data).hexdigest()[:length]


def _groups(said: Sequence[Words]) -> Iterator[list[Words]]:
    group: list[Words] = []
    length = 0
    for words in said:
        if not group or group[-1].is_person != words.is_person:
            length = 0
        if group and (length > LONGEST_JOINED or _begins_turn(words, group[-1])):
            yield group
            group, length = [], 0
        group.append(words)
        length += len(words.text)
    if group:
        yield group


def _begins_turn(words: Words, last: Words) -> bool:
    if words.is_person and not last.is_person:
        return True
    if words.time is None or last.time is None:
        return words.day != last.day
    return abs(words.time - last.time) > LONGEST_PAUSE
