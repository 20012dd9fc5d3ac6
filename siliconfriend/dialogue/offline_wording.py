"""Wordings and quotations of the companion that has no model.

Every sentence is a text of ``texts/*/offline.toml`` or the words of a memory, letter for letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal, cast, get_args

from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import end_sentence
from siliconfriend.language.word_lists import any_of, matches
from siliconfriend.language.words import content_words
from siliconfriend.recall.time_words import humanize_day
from siliconfriend.texts import LANGUAGES, Language, area

Courtesy = Literal["greeting", "thanks", "farewell"]
COURTESIES: tuple[Courtesy, ...] = ("farewell", "thanks", "greeting")
"""Courtesies by priority: of "Thanks, good night" the earlier is answered."""

Request = Literal["keeping", "erasing", "model", "date", "name", "told", "identity"]
"""Questions about the companion and the day that have a fixed answer."""


FEW_WORDS = 2
"""Content words up to which a text with a pronoun cannot be understood alone."""

_NESTED = str.maketrans("“”", "‘’")
_STRAIGHT = re.compile(r'"([^"]*)"')
_CLAUSE_END = re.compile(r"[,;.!?，；。！？…]+")


@dataclass(frozen=True, slots=True)
class Wordings:
    """Wordings for one reply; ``number`` is the place of its turn within the day, and varies them."""

    language: Language
    today: date
    person: str
    companion: str
    number: int = 0

    def say(self, key: str, day: str = "", **values: object) -> str:
        """Fill the wording ``key`` with values and the name of a day (ISO)."""
        wordings = cast(Sequence[str], area("offline", self.language)["says"][key])
        wording = wordings[(self.today.toordinal() + self.number) % len(wordings)]
        spoken = humanize_day(date.fromisoformat(day), self.today, self.language) if day else ""
        return wording.format(
            person=self.person,
            companion=self.companion,
            day=spoken,
            Day=spoken[:1].upper() + spoken[1:],
            **values,
        )

    def quote(self, key: str, day: str, words: str, **values: object) -> str:
        """Fill a wording with words of a memory as they stand within quotation marks."""
        inner = _STRAIGHT.sub(r"‘\1’", words).translate(_NESTED)
        return self.say(key, day, words=end_sentence(inner, self.language), **values)


def courtesy_of(message: str, companion: str = "") -> Courtesy | None:
    """Return what a message of nothing but courtesies is; None of any other."""
    plain = re.sub(r"['’]", "", fold(message).strip())
    for language in LANGUAGES:
        for kind in COURTESIES:
            has, only = _courtesy_patterns(kind, language, companion.lower())
            if has.search(plain) and only.fullmatch(plain):
                return kind
    return None


def ends_as_farewell(message: str, companion: str = "") -> bool:
    """Return True if the last clause of a message is a farewell: "Off to bed, good night."."""
    clauses = [it for it in _CLAUSE_END.split(message) if it.strip()]
    return bool(clauses) and courtesy_of(clauses[-1], companion) == "farewell"


def request_of(message: str) -> Request | None:
    """Return what a message asks of the companion itself or the day; None of any other."""
    plain = " ".join(fold(message).replace("’", "'").split())
    return next(
        (kind for kind in get_args(Request) if matches("offline", f"asks.{kind}", plain)), None
    )


def lacks_noun(words: str) -> bool:
    """Return True if a short text refers back by a pronoun ("two of them, behind the sofa")."""
    return (
        matches("offline", "asks.refers_back", fold(words))
        and len(content_words(words)) <= FEW_WORDS
    )


@lru_cache(maxsize=256)
def _courtesy_patterns(
    kind: Courtesy, language: Language, companion: str
) -> tuple[re.Pattern[str], re.Pattern[str]]:
    phrases = area("offline", language)["courtesies"]
    begins, ends = (r"(?:^|\W)", r"(?:\W+|$)") if language == "en" else ("", r"\W*")
    both = any_of([companion, *(word for words in phrases.values() for word in words)])
    return (
        re.compile(rf"{begins}(?:{any_of(phrases[kind])}){ends}"),
        re.compile(rf"\W*(?:(?:{both}){ends})++"),
    )
