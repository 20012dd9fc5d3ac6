"""Who and what has a note of its own: the names in a memory, as surely as they can be told.

A name that a fact or an event is about, one that was told with what it is to the person ("my
brother Kit"), and an English one that was said more than once. A word that only looks like a
name would be a note about nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.numbers import MONTHS
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.cue import find_names, name_words, remove_dates
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.people_named import aliases_of

_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”")
"""Matches quotations and titles, whose first capital is no sign of a name."""

_ANY_DAY = date(2024, 2, 29)
"""Which words name a day does not depend on the day."""

FEWEST = 2
"""Turns in which a mere name is said, to have a note."""
LONGEST = 40
"""Characters of a mere name."""


def names_in(memory: PersonMemory, companion: str) -> list[str]:
    """The names that have a note, as they are written, sorted.

    Args:
        memory: whose.
        companion: what the companion calls itself, which is no such name; nor is the person's.
    """
    speakers = {fold(memory.profile.name), fold(companion)}
    told = [it for fact in memory.facts() if (it := _name_of(fact))]
    said = [turn.query for turn in memory.turns()]
    counts = _said_names(said, name_words((memory.profile.name, companion)))
    kin = aliases_of(said)
    # What stands in a longer name as often as that is said is a part of it.
    mere = [
        name
        for name, count in counts.items()
        if fold(name) in kin
        or (
            count >= FEWEST
            and fold(name) not in MONTHS
            and not any(_is_part(name, it) and counts[it] == count for it in counts)
        )
    ]
    chinese = [name for name in kin if is_chinese(name)]
    # Of two spellings the one of the facts stands.
    first = {fold(name): name for name in reversed([*told, *mere, *chinese])}
    return sorted(name for key, name in first.items() if key not in speakers)


def _name_of(fact: Fact) -> str:
    if fact.entity_type == "specific":
        return fact.entity.strip()
    return (
        fact.key_word.strip() if fact.aspect == "relation" and fact.key_word[:1].isupper() else ""
    )


def _said_names(said: list[str], speakers: frozenset[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for words in said:
        if not is_chinese(words):
            undated = remove_dates(words, find_dates_said_on(words, _ANY_DAY))
            counts.update(set(find_names(_QUOTED.sub(" ", undated), speakers)))
    return Counter({it: count for it, count in counts.items() if 1 < len(it) <= LONGEST})


def _is_part(name: str, longer: str) -> bool:
    return name != longer and f" {name} " in f" {longer} ".replace("'", " ")
