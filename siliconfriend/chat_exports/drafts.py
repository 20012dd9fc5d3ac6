"""Make turns of messages: what the person said in a row, then what was answered in a row.

What got no answer is a turn without a reply, and what nobody asked for one without a
question; nothing is left out for the sake of the form.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.chat_exports.clean import clean_text
from siliconfriend.chat_exports.key_shapes import leave_out_keys
from siliconfriend.chat_exports.message import Message
from siliconfriend.chat_exports.moments import day_said, fault_of, moment_of, order_of
from siliconfriend.chat_exports.people import Pair

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
        edited: they were changed after they were sent.
    """

    key: str
    text: str
    edited: bool = False

    @property
    def place(self) -> str:
        """The part of its key that its words do not change."""
        return place_of(self.key)


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn that is not in a memory yet.

    Attributes:
        date: the person's day, ISO.
        time: the moment of its first message; None where only the day is known.
        order: by what it is put in order.
        asked: what the person said.
        answered: what the other one said.
    """

    date: str
    time: datetime | None
    order: datetime
    asked: tuple[Words, ...]
    answered: tuple[Words, ...]

    @property
    def words(self) -> tuple[Words, ...]:
        """All its messages."""
        return self.asked + self.answered


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules for turning messages into drafts.

    Attributes:
        form: the name of the format.
        clock_zone: of times without an offset.
        zone: the person's, which decides what a day is.
        now: aware, in UTC; nothing is said later.
        mark: what stands where a key was left out.
    """

    form: str
    clock_zone: ZoneInfo
    zone: ZoneInfo
    now: datetime
    mark: str


def make_drafts(pair: Pair, rules: Rules, left_out: Counter[str]) -> list[Draft]:
    """The turns of a chat, in its order; what is left out is counted by reason in ``left_out``."""
    spoken = _spoken(pair, rules, left_out)
    return [_draft(group) for group in _groups(spoken)]


@dataclass(frozen=True, slots=True)
class _Spoken:
    is_person: bool
    date: str
    moment: datetime | None
    order: datetime
    words: Words


def _spoken(pair: Pair, rules: Rules, left_out: Counter[str]) -> Iterator[_Spoken]:
    before: datetime | None = None
    seen: Counter[str] = Counter()
    for message in pair.chat.messages:
        if message.speaker not in (pair.person, pair.companion):
            left_out["others"] += 1
            continue
        if fault := fault_of(message.said, rules.now):
            left_out[fault] += 1
            continue
        text = clean_text(message.text)
        if not text:
            left_out["empty"] += 1
            continue
        is_person = message.speaker == pair.person
        key = _key(rules.form, is_person, message, text, seen)
        text, keys = leave_out_keys(text, rules.mark)
        left_out["keys"] += keys
        moment = moment_of(message.said, rules.clock_zone, before)
        before = moment or before
        day = day_said(message.said, moment, rules.zone)
        order = order_of(moment, day, rules.zone)
        words = Words(key, text, message.edited)
        yield _Spoken(is_person, day.isoformat(), moment, order, words)


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


def _groups(spoken: Iterator[_Spoken]) -> Iterator[list[_Spoken]]:
    group: list[_Spoken] = []
    length = 0
    for it in spoken:
        is_same = bool(group) and group[-1].is_person == it.is_person
        length = length if is_same else 0
        if group and (_begins_turn(it, group[-1]) or length > LONGEST_JOINED):
            yield group
            group, length = [], 0
        group.append(it)
        length += len(it.words.text)
    if group:
        yield group


def _begins_turn(it: _Spoken, last: _Spoken) -> bool:
    if it.is_person and not last.is_person:
        return True
    if it.moment is None or last.moment is None:
        return it.date != last.date
    return abs(it.moment - last.moment) > LONGEST_PAUSE


def _draft(group: Sequence[_Spoken]) -> Draft:
    first = group[0]
    asked = tuple(it.words for it in group if it.is_person)
    answered = tuple(it.words for it in group if not it.is_person)
    return Draft(first.date, first.moment, first.order, asked, answered)
