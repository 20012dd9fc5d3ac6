"""Wishes about how to talk: the person's name, their language, and standing wishes.

Such a wish is applied at once and confirmed in a line. A standing wish is stored as a turn and
holds until the person withdraws it, or that turn is put away or erased.
"""

import re
from calendar import month_name
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from siliconfriend.dialogue.wish_acts import WishAct, likely_act, may_be_wish
from siliconfriend.errors import RefusedName
from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import CLAUSE, split_sentences
from siliconfriend.language.word_lists import matches, stop_words
from siliconfriend.language.words import word_set
from siliconfriend.memory.changes import PutField
from siliconfriend.memory.days import standing_wishes
from siliconfriend.memory.records import Asked, PersonMemory, Profile, Turn
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.silenced import object_of
from siliconfriend.texts import LANGUAGES, Language, lookup, text

BIRTHDAY = "birthday"
"""Field of a profile: the day, and the year where it was told, in the person's words for dates."""

APPLIED: tuple[WishAct, ...] = ("name", "language", "timezone", "style", "silence", "allow")
"""Acts about how to talk that are applied at once."""

IN_A_CLAUSE: tuple[WishAct, ...] = ("silence", "style", "allow")
"""Acts of which a clause is enough: "Don't mention Tom again, it hurts."."""

MOST_JUDGED = 4
"""Maximum number of sentences of a message that are judged one by one."""

MOST_STANDING = 12
"""Standing wishes that a prompt holds, the newest of them."""

_NAME = r"(?P<name>[\w.'’-]+(?: (?-i:[A-Z])[\w.'’-]*){0,2})"
_CALLED = (
    rf"(?<!n't )(?<!not )(?<!never )\b(?:call|address) me (?:as )?{_NAME}",
    rf"\b(?:calls? me|be called|go by|(?:my|the) name(?:'s| is)|use my name,?|am called) {_NAME}",
    rf"\bi(?:'m| am) {_NAME} to you\b",
    r"(?<!别)(?<!不要)(?:叫|喊|称呼)我(?:作|为|做)?(?P<name>[^，。！？,.!?\s]{1,8}?)(?:吧|就行|就好|就可以|好了|啦|呀|了)*(?:[，。！!~]|$)",
    r"我(?:改名|的名字)?(?:叫|是)(?P<name>[^，。！？,.!?\s]{1,8}?)(?:了|啦)?(?:[，。！!~]|$)",
)


@dataclass(frozen=True, slots=True)
class Request:
    """What a message asks for: how it is kept, the profile that it changes, and the confirmation."""

    asked: Asked
    profile: Profile
    said: str


def read_request(
    message: str, act: WishAct, acts: Sequence[tuple[str, WishAct]], profile: Profile, today: date
) -> Request | None:
    """Parse a wish about how to talk; None if the message has none that can be applied.

    ``act`` is that of the message, ``acts`` those of its parts where it has several.
    """
    asked = _wish_of(message, act, acts)
    match act:
        case "name":
            return _called(asked, profile)
        case "language":
            return _spoken(asked, profile) or _standing(asked, profile)
        case "timezone":
            return _zone(asked, profile)
        case "birthday":
            return _birthday(asked, profile, today)
        case "style" | "silence":
            return _standing(asked, profile)
    return None


def _wish_of(message: str, act: WishAct, acts: Sequence[tuple[str, WishAct]]) -> Asked:
    mine = [part for part, found in acts if found == act] or [message]
    return Asked(act, " ".join(mine), is_whole=len(mine) == max(len(acts), 1))


def withdrawn_wish(
    message: str, act: WishAct, acts: Sequence[tuple[str, WishAct]], memory: PersonMemory
) -> tuple[Request, Turn] | None:
    """Find the standing wish that a message withdraws, with its turn; None where it is not clear.

    It is the newest one about the same, or the only one about how to answer. A message that names
    nothing ("you can mention him again") means the only one.
    """
    if act != "allow":
        return None
    asked, standing = _wish_of(message, act, acts), standing_wishes(memory)
    about = word_set(object_of(message))
    meant = [pair for pair in standing if about & word_set(object_of(pair[0].words))]
    others = [pair for pair in standing if pair[0].act == "style" or not about]
    meant = meant or (others if len(others) == 1 else [])
    if not meant:
        return None
    wish, turn = meant[-1]
    return _confirm(asked, memory.profile, words=wish.words), turn


def _confirm(asked: Asked, profile: Profile, **named: Any) -> Request:
    said = text("control", f"asked.{asked.act}", profile.language, **named)
    return Request(asked, profile, said)


def _called(asked: Asked, profile: Profile) -> Request | None:
    words = asked.words.replace("’", "'")
    found = [
        match["name"] for pattern in _CALLED for match in re.finditer(pattern, words, re.IGNORECASE)
    ]
    names = [name.strip(" .'-") for name in found if name.split()[0].lower() not in stop_words()]
    if not names:
        return None
    name = names[-1].title() if names[-1].islower() and names[-1].isascii() else names[-1]
    try:
        about = {**profile.meta_information, "name": clean_name(name)}
    except RefusedName:
        return None
    return _confirm(asked, replace(profile, meta_information=about), name=name)


def _spoken(asked: Asked, profile: Profile) -> Request | None:
    named = [
        language
        for language in LANGUAGES
        if matches("message", f"wishes.names_{language}", fold(asked.words))
    ]
    if len(named) != 1:
        return None
    return _confirm(asked, replace(profile, language=named[0]))


def _zone(asked: Asked, profile: Profile) -> Request | None:
    zone = find_zone(asked.words)
    if zone is None:
        said = text("control", "asked.no_timezone", profile.language)
        return Request(asked, profile, said)
    return _confirm(asked, replace(profile, timezone=zone), zone=zone)


def find_zone(words: str) -> str | None:
    """Return the IANA time zone that words name by its name or by its city."""
    plain = fold(words)
    cities = {**_cities(), **lookup("words", "kinds.cities", "cn")}
    named = [city for city in cities if re.search(rf"(?<![a-z]){re.escape(city)}(?![a-z])", plain)]
    return cities[max(named, key=len)] if named else None


@cache
def _cities() -> dict[str, str]:
    zones = [zone for zone in sorted(available_timezones()) if "/" in zone]
    cities = {zone.rpartition("/")[2].replace("_", " ").lower(): zone for zone in zones}
    return cities | {zone.lower(): zone for zone in zones}


def _birthday(asked: Asked, profile: Profile, today: date) -> Request | None:
    days = [
        span.first for span in find_dates_said_on(asked.words, today) if span.first == span.last
    ]
    if not days:
        return None
    day = days[0]
    month = month_name[day.month] if profile.language == "en" else day.month
    year = f" {day.year}" if str(day.year) in asked.words else ""
    born = text("control", "asked.day", profile.language, day=day.day, month=month, year=year)
    about = {**profile.meta_information, BIRTHDAY: born}
    return _confirm(asked, replace(profile, meta_information=about), day=born)


def _standing(asked: Asked, profile: Profile) -> Request:
    asked = asked if asked.act == "silence" else replace(asked, act="style")
    return _confirm(asked, profile, words=asked.words)


def share_profile(store: MemoryStore, scope: Scope, before: Profile) -> None:
    """Copy profile changes since ``before`` to the person's other companions."""
    now = store.load(scope).profile
    others = store.scopes() if now != before else ()
    for other in others:
        if other.person == scope.person and other != scope:
            with store.edit(other) as edit:
                edit.add(PutField("profile", replace(now, created=edit.memory.profile.created)))


def standing_instructions(memory: PersonMemory, language: Language, today: date) -> str:
    """Write the standing wishes for the system message, and whether it is the person's birthday."""
    person = memory.profile.called
    lines = [
        text("control", f"standing.{asked.act}", language, person=person, words=asked.words)
        for asked, _ in standing_wishes(memory)[-MOST_STANDING:]
    ]
    if is_birthday(memory.profile, today):
        lines.append(text("control", "standing.birthday", language, person=person))
    return "\n".join(lines)


def is_birthday(profile: Profile, today: date) -> bool:
    """Return True on the person's birthday."""
    born = str(profile.meta_information.get(BIRTHDAY, ""))
    return any(
        (span.first.month, span.first.day) == (today.month, today.day) for span in _days(born)
    )


def _days(born: str) -> Iterator[Any]:
    return iter(find_dates_said_on(born, date(2000, 1, 1)) if born else ())


def read_acts(message: str, embedder: Embedder | None) -> tuple[WishAct, list[tuple[str, WishAct]]]:
    """Return the act of a message, and those of its parts where some may be a wish.

    Parts are sentences, and the clauses of one with a wish and something else. One wish among other
    parts counts for the whole: "Busy day. Keep it short, please."
    """
    act, sentences = likely_act(message, embedder), split_sentences(message)
    if len(sentences) > MOST_JUDGED or not may_be_wish(message, embedder):
        return act, []
    acts = [part for sentence in sentences for part in _acts_of(sentence, embedder)]
    if len(acts) == 1:
        return act, []
    applied = (found for _, found in acts if found in APPLIED)
    return (next(applied, act) if act == "other" else act), acts


def _acts_of(sentence: str, embedder: Embedder | None) -> list[tuple[str, WishAct]]:
    """Return the act of a sentence, or of its clauses where one of them is such a wish."""
    act = likely_act(sentence, embedder)
    clauses = list[str]()
    for clause in filter(None, map(str.strip, CLAUSE.split(sentence))):
        if clauses and clause.istitle():  # "my ex, Marcus, …"
            clauses[-1] += f", {clause}"
        else:
            clauses.append(clause)
    if act in ("other", *IN_A_CLAUSE) and 1 < len(clauses) <= MOST_JUDGED:
        acts = [(clause, likely_act(clause, embedder)) for clause in clauses]
        if any(found in IN_A_CLAUSE and act in ("other", found) for _, found in acts):
            return acts
    return [(sentence, act)]
