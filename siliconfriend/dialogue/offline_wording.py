"""Wordings and quotations of the offline companion.

Every sentence is a text of ``texts/sentences/offline.toml`` or the words of a memory, letter for letter.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

from siliconfriend.language.characters import language_of
from siliconfriend.language.sentences import end_sentence, excerpt
from siliconfriend.recall.due import DueMatter
from siliconfriend.recall.time_words import humanize_day
from siliconfriend.texts import Language, sentences

_NESTED = str.maketrans("“”", "‘’")
_STRAIGHT = re.compile(r'"([^"]*)"')


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
        wordings = cast(Sequence[str], sentences("offline", self.language)["says"][key])
        wording = wordings[(self.today.toordinal() + self.number) % len(wordings)]
        spoken = humanize_day(date.fromisoformat(day), self.today, self.language) if day else ""
        return wording.format(
            person=self.person,
            companion=self.companion,
            day=spoken,
            Day=spoken[:1].upper() + spoken[1:],
            **values,
        )

    def ask(self, matter: DueMatter) -> str:
        """State or ask about a due matter in the person's own words."""
        years = self.today.year - matter.first.year
        key = "due_a_year" if matter.when == "anniversary" and years == 1 else matter.wording
        when = humanize_day(matter.first, self.today, self.language)
        return self.quote(
            key,
            matter.turn.date,
            excerpt(matter.words),
            years=years,
            when=when,
            When=when[:1].upper() + when[1:],
        )

    def quote(self, key: str, day: str, words: str, **values: object) -> str:
        """Fill a wording with a memory's words, formatted for quotation marks."""
        inner = _STRAIGHT.sub(r"‘\1’", words).translate(_NESTED)
        return self.say(key, day, words=end_sentence(inner, language_of(inner)), **values)
