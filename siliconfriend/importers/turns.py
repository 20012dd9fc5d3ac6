"""Make turns of messages: consecutive messages of one speaker are joined.

Speakers are never guessed: the file, the names or the person tells who is who. A turn may lack its
question or its answer.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of, noon_of
from siliconfriend.errors import Undecided, UsageError
from siliconfriend.importers.messages import (
    Chat,
    ImportedMessage,
    Options,
    Said,
    clean_text,
    visible,
)

MOST_NAMES = 12
"""Most names that a question lists."""
_OWN_NAMES = ("me", "i", "you", "user", "human", "我", "用户")
"""Words by which programs name the person who exports."""


def choose_chats(chats: Sequence[Chat], options: Options) -> list[Chat]:
    """Select the chats to import, and set their two speakers.

    Undecided: the person must tell who is who; UsageError: wrong names or a group.
    """
    if options.me and options.me == options.other:
        raise UsageError("import_same_name", name=visible(options.me))
    talks = [chat for chat in chats if chat.messages]
    names = Counter(message.speaker for chat in talks for message in chat.messages)
    for wanted in filter(None, (options.me, options.other)):
        told = {name for chat in talks for name in (chat.person, chat.companion)}
        if talks and wanted not in names and wanted not in told:
            raise UsageError("import_no_speaker", name=visible(wanted), names=_listed(names))
    taken = []
    for chat in talks:
        if _decide_speakers(chat, options, is_only=len(talks) == 1):
            taken.append(chat)
        else:
            chat.skipped["group" if chat.is_group else "other_chat"] += len(chat.messages)
    others = Counter(chat.companion for chat in taken if chat.companion)
    if len(others) > 1 and not options.other:
        found = tuple(name for name, _ in others.most_common())
        raise Undecided("import_which_other", "other", found, names=_listed(found))
    return taken


def _decide_speakers(chat: Chat, options: Options, *, is_only: bool) -> bool:
    """Set the two speakers of a chat; return False for a chat to skip."""
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
            shown: dict[str, object] = {"count": len(names), "names": _listed(names)}
            raise Undecided("import_group", "other", tuple(rest), **shown)
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
    for known in ((options.user.strip().casefold(),), _OWN_NAMES):
        own = [name for name in names if name.strip().casefold() in known]
        if len(own) == 1 and own[0] != companion:
            return own[0]
    rest = [name for name in names if name != companion]
    if companion and len(rest) <= 1:
        return rest[0] if rest else ""
    raise Undecided("import_who", "me", tuple(names), names=_listed(names))


def _listed(names: Collection[str]) -> str:
    shown = ", ".join(map(visible, islice(names, MOST_NAMES)))
    return shown if len(names) <= MOST_NAMES else f"{shown} …"


LONGEST_PAUSE = timedelta(hours=6)
"""Longest pause between joined messages."""
LONGEST_JOINED = 4_000
"""Characters of one speaker after which a new turn begins."""
_PLACE, _CONTENT = 10, 6
"""Hex digits of the two parts of a key."""


@dataclass(frozen=True, slots=True)
class Words:
    """A message of a turn.

    Attributes:
        key: identifies it in later exports; see :func:`_key`.
        is_person: said by the person, not by the companion.
        day: the person's day.
        time: None if only the day is known.
        edited: the words may have been changed later.
    """

    key: str
    text: str
    is_person: bool
    day: date
    time: datetime | None
    edited: bool = False


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """A turn to import: the person's messages, then the answers."""

    words: tuple[Words, ...]

    @property
    def date(self) -> str:
        """The person's day, ISO."""
        return self.words[0].day.isoformat()

    @property
    def time(self) -> datetime | None:
        """The moment of its first message; None if only the day is known."""
        return self.words[0].time

    def moment(self, zone: ZoneInfo) -> datetime:
        """Return the moment of its first message, or noon of its day."""
        return self.time or noon_of(self.words[0].day, zone)


def make_drafts(
    chat: Chat, form: str, clock_zone: ZoneInfo, zone: ZoneInfo, now: datetime, key_mark: str
) -> list[TurnDraft]:
    """Return the turns of a chat with two speakers, and count what is left out.

    ``form`` is the name of the format, ``clock_zone`` the zone of times without an offset; see
    :func:`~siliconfriend.importers.reading.read_past` for the others.
    """
    said, seen = list[Words](), Counter[str]()
    before: datetime | None = None
    for message in chat.messages:
        text = clean_text(message.text)
        reason = _fault_of(message.said, now) or ("" if text else "empty")
        if message.speaker not in (chat.person, chat.companion):
            reason = "others"
        if reason:
            chat.skipped[reason] += 1
            continue
        is_person = message.speaker == chat.person
        key = _key(form, is_person, message, text, seen)
        text, keys = leave_out_keys(text, key_mark)
        chat.skipped["keys"] += keys
        moment = _moment_of(message.said, clock_zone, before)
        before = moment or before
        day = message.said if moment is None else day_of(moment, zone)
        said.append(Words(key, text, is_person, day, moment, message.edited))
    return [TurnDraft(tuple(group)) for group in _groups(said)]


EARLIEST = 1990
"""Earliest valid year."""
TOLERANCE = timedelta(days=1)
"""Longest time that a valid day may be in the future."""


def _moment_of(said: Said, zone: ZoneInfo, before: datetime | None) -> datetime | None:
    """Return the moment in UTC, None for a day; times without an offset are in ``zone``.

    ``before`` is the moment of the previous message. It decides which of two hours is meant when
    clocks are set back.
    """
    if not isinstance(said, datetime):
        return None
    if said.tzinfo is not None:
        return said.astimezone(UTC)
    first = said.replace(tzinfo=zone, fold=0).astimezone(UTC)
    second = said.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return second if before is not None and first < before <= second else first


def _fault_of(said: Said, now: datetime) -> str:
    """Return why a time is invalid: ``too_old`` or ``future``; empty if it is valid."""
    if said.year < EARLIEST:
        return "too_old"
    day = said.date() if isinstance(said, datetime) else said
    return "future" if day > (now + TOLERANCE).date() else ""


_SHAPES = (
    # private keys in PEM, also without their end
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    # keys of services with a prefix: OpenAI, GitHub, GitLab, Slack, Google, npm …
    r"\b(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AIza|ya29\.|hf_|npm_|pypi-AgEI|SG\."
    r"|[rs]k_(?:live|test)_|dop_v1_|\d{8,10}:AA)[A-Za-z0-9_.-]{19,}[A-Za-z0-9_-]",
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    # a signed web token
    r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    # a name and a password in an address
    r"(?<=://)[^\s/:@]{1,100}:[^\s/:@]{3,100}(?=@)",
)
_ANY = re.compile("|".join(_SHAPES))


def leave_out_keys(words: str, mark: str) -> tuple[str, int]:
    """Replace each API key by ``mark``; return the words and the number of keys."""
    return _ANY.subn(lambda _: mark, words)


def _key(
    form: str, is_person: bool, message: ImportedMessage, text: str, seen: Counter[str]
) -> str:
    """Return the key that identifies a message in later exports: 16 hex digits.

    It is a hash of the service's id. Without one, ten digits are a hash of speaker and time in the
    file, and six of the words and the number of equal messages before at that time.
    """
    if message.service_id:
        return _digest(form, message.service_id)[: _PLACE + _CONTENT]
    place = _digest(form, str(is_person), message.said.isoformat())[:_PLACE]
    key = place + _digest(place, text)[:_CONTENT]
    seen[key] += 1
    if (times := seen[key]) > 1:
        key = place + _digest(place, text, str(times))[:_CONTENT]
    return key


def place_of(key: str) -> str:
    """Return the part of a key for speaker and time."""
    return key[:_PLACE]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def _groups(said: Sequence[Words]) -> Iterator[list[Words]]:
    group: list[Words] = []
    length = 0
    for words in said:
        last = group[-1] if group else words
        length = length if words.is_person == last.is_person else 0
        is_apart = words.day != last.day
        if words.time is not None and last.time is not None:
            is_apart = abs(words.time - last.time) > LONGEST_PAUSE
        is_next = words.is_person and not last.is_person
        if group and (is_next or is_apart or length > LONGEST_JOINED):
            yield group
            group, length = [], 0
        group.append(words)
        length += len(words.text)
    if group:
        yield group
