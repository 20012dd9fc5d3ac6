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
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

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
    order_of,
    visible,
)

MOST_NAMES = 12
"""Names that a question lists."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A chat with the two whose words are taken.

    Attributes:
        chat: the talk.
        person: the person's name in it; empty where they said nothing.
        companion: the other's; empty where they said nothing.
    """

    chat: Chat
    person: str
    companion: str


def choose_pairs(chats: Sequence[Chat], options: Options, skipped: Counter[str]) -> list[Pair]:
    """The talks to take, each with its two; what is left out is counted in ``skipped``.

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
    pairs = []
    for chat in talks:
        pair = _pair_of(chat, options, is_only=len(talks) == 1)
        if pair is None:
            skipped["group" if chat.is_group else "other_chat"] += len(chat.messages)
        else:
            pairs.append(pair)
    others = Counter(pair.companion for pair in pairs if pair.companion)
    if len(others) > 1 and not options.other:
        found = tuple(name for name, _ in others.most_common())
        raise Undecided("import_which_other", "other", found, names=_listed(found))
    return pairs


def _told(chats: Sequence[Chat]) -> set[str]:
    return {name for chat in chats for name in (chat.person, chat.companion)}


def _pair_of(chat: Chat, options: Options, *, is_only: bool) -> Pair | None:
    """The two of a chat; None where it is not the one that is meant."""
    names = chat.speakers()
    if options.other and options.other not in (*names, chat.companion):
        return None
    if chat.is_group and not is_only:
        return None
    told = "" if chat.is_group or chat.companion == options.me else chat.companion
    companion = options.other or told
    person = _person_of(chat, names, companion, options)
    rest = [name for name in names if name not in (person, companion)]
    if not companion and len(rest) > 1:
        if is_only:
            details = {"count": len(names), "names": _listed(names)}
            raise UsageError("import_group", **details)
        chat.is_group = True
        return None
    return Pair(chat, person, companion or (rest[0] if rest else ""))


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
