"""What stands beside a line of the talk: the memories that its reply was given, and the line itself.

A reply may have been given anything of a long life, so the cards are made for one line at a time,
when it is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from siliconfriend.control.listing import MemoryRow, memory_rows, words_of
from siliconfriend.dialogue.excerpt import excerpt
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.used import Used
from siliconfriend.texts import Language

from ..words.labels import say
from ..words.markup import day_name, plain, quiet
from .cards import card

MOST_TOLD = 3
"""Memories that are named while a reply is waited for."""
LONGEST_TOLD = 60
"""Characters of each."""


def turn_cards(
    turn: Turn, memory: PersonMemory, policy: ForgettingPolicy, now: datetime, language: Language
) -> str:
    """Return HTML of the memories that a turn's reply was given, then of the turn itself."""
    by_id = {row.memory.id: row for row in memory_rows(memory, policy, now)}
    today = now.astimezone(memory.profile.zone).date()
    shown = _used_cards(by_id, turn.used, today, language)
    acts = () if turn.unkept else ("unkeep",)
    title = plain(say("this_exchange", language))
    own = card(by_id[turn.id], today, language, dated=True, acts=acts)
    return f"{shown}<h4>{title}</h4>{own}"


def unwritten_cards(
    used: Sequence[Used],
    memory: PersonMemory | None,
    policy: ForgettingPolicy,
    now: datetime,
    language: Language,
) -> str:
    """Return HTML of the memories that a reply off the record was given, and that none is kept."""
    kept_nothing = quiet(say("nothing_kept", language))
    if memory is None:
        return quiet(say("nothing_used", language)) + kept_nothing
    by_id = {row.memory.id: row for row in memory_rows(memory, policy, now)}
    today = now.astimezone(memory.profile.zone).date()
    return _used_cards(by_id, used, today, language) + kept_nothing


def told_memories(
    used: Sequence[Used], memory: PersonMemory, now: datetime, language: Language
) -> list[dict[str, str]]:
    """Return day and first words of the memories that matter most, while a reply is made."""
    today = now.astimezone(memory.profile.zone).date()
    best = sorted(used, key=lambda it: -it.score)
    found = [record for it in best if (record := memory.find(it.id)) is not None][:MOST_TOLD]
    return [
        {
            "id": record.id,
            "day": day_name(record.date, today, language),
            "words": excerpt(
                record.query if isinstance(record, Turn) else words_of(record),
                frozenset(),
                LONGEST_TOLD,
            ),
        }
        for record in found
    ]


def _used_cards(
    by_id: dict[str, MemoryRow], used: Sequence[Used], today: date, language: Language
) -> str:
    parts = {recalled.id: recalled for recalled in used}
    shown, last = [], ""
    for row in (by_id[key] for key in by_id if key in parts):
        if row.memory.date != last:
            last = row.memory.date
            shown.append(f"<h4>{plain(day_name(last, today, language))}</h4>")
        shown.append(card(row, today, language, parts[row.memory.id]))
    return "".join(shown) or quiet(say("nothing_used", language))
