"""The lines of a chat: what a tab shows, from the store and, off the record, from itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from siliconfriend.control.listing import MemoryRow, memory_rows
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.records import PersonMemory, Turn, Used
from siliconfriend.texts import Language

from .cards import buttons, card
from .labels import say
from .markup import day_name, plain, quiet

SHOWN_TURNS = 30

Messages = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ChatLine:
    """What the user said and the companion answered.

    Attributes:
        query, response: the words.
        id: of the turn; empty until it is stored, and for ever where it is off the record.
        used: the memories that the reply was given.
        off_record: the line is stored nowhere.
        is_greeting: the companion's first words, which are stored nowhere.
        is_unasked: of these, what is due on this day; it stands below what was said before.
    """

    query: str
    response: str = ""
    id: str = ""
    used: tuple[Used, ...] = ()
    off_record: bool = False
    is_greeting: bool = False
    is_unasked: bool = False


def line_of(turn: Turn) -> ChatLine:
    """Return the line of a stored turn."""
    return ChatLine(turn.query, turn.response, turn.id, turn.used)


def newest_lines(memory: PersonMemory | None) -> list[ChatLine]:
    """Return the lines of the last turns on disk."""
    return [] if memory is None else [line_of(turn) for turn in memory.turns()][-SHOWN_TURNS:]


def refresh_lines(lines: list[ChatLine], memory: PersonMemory | None) -> list[ChatLine]:
    """Return the lines as they are on disk now, and the turns that were stored after them.

    Lines off the record stay where they stood.
    """
    if memory is None:
        return [line for line in lines if line.off_record or line.is_greeting]
    kept = []
    for line in lines:
        turn = memory.find(line.id) if line.id else None
        if line.off_record or line.is_greeting:
            kept.append(line)
        elif isinstance(turn, Turn):
            kept.append(replace(line_of(turn), used=line.used or turn.used))
    turns = list(memory.turns())
    shown = _positions(lines, turns)
    return kept + [line_of(turn) for turn in turns[shown[-1] + 1 if shown else -SHOWN_TURNS :]]


def with_earlier(lines: list[ChatLine], memory: PersonMemory) -> list[ChatLine]:
    """Return the lines with :data:`SHOWN_TURNS` earlier ones before them."""
    turns = list(memory.turns())
    first = next(iter(_positions(lines, turns)), len(turns))
    return [line_of(turn) for turn in turns[max(0, first - SHOWN_TURNS) : first]] + lines


def has_earlier(lines: list[ChatLine], memory: PersonMemory | None) -> bool:
    """True if anything was said before these lines."""
    turns = [] if memory is None else list(memory.turns())
    return next(iter(_positions(lines, turns)), len(turns)) > 0


def _positions(lines: list[ChatLine], turns: Sequence[Turn]) -> list[int]:
    """Return the indexes in ``turns`` of the turns that the lines show, in order."""
    ids = {line.id for line in lines if line.id}
    return [index for index, turn in enumerate(turns) if turn.id in ids]


def with_greeting(lines: list[ChatLine], greeting: str) -> list[ChatLine]:
    """Return the lines with this greeting first, unless a chat began without one."""
    others = [line for line in lines if line.is_unasked or not line.is_greeting]
    if not greeting or (others and len(others) == len(lines)):
        return others
    return [ChatLine("", greeting, is_greeting=True), *others]


def to_messages(lines: Sequence[ChatLine], language: Language) -> Messages:
    """Return the lines as messages of Gradio's chat; tags in words are escaped."""
    mark = say("off_record_mark", language)
    return [
        {"role": role, "content": plain(f"{words}\n{mark}" if is_marked else words)}
        for line in lines
        for role, words, is_marked in (
            ("user", line.query, line.off_record),
            ("assistant", line.response, False),
        )
        if words
    ]


def line_of_message(lines: list[ChatLine], message: int | tuple[int, int]) -> ChatLine | None:
    """Return the line that the message at this index of Gradio's chat belongs to."""
    index = message if isinstance(message, int) else message[0]
    by_message = [line for line in lines for words in (line.query, line.response) if words]
    return by_message[index] if 0 <= index < len(by_message) else None


def line_cards(
    line: ChatLine,
    memory: PersonMemory,
    policy: ForgettingPolicy,
    now: datetime,
    language: Language,
) -> str:
    """Return HTML of the memories that a line's reply was given, then of the line itself."""
    by_id = {row.memory.id: row for row in memory_rows(memory, policy, now)}
    today = now.astimezone(memory.profile.zone).date()
    used = {recalled.id: recalled for recalled in line.used}
    shown = _cards_by_day([by_id[key] for key in by_id if key in used], used, today, language)
    if not shown:
        shown = quiet(say("nothing_used", language))
    own = by_id.get(line.id)
    if own is None:
        return shown + (quiet(say("nothing_kept", language)) if line.off_record else "")
    acts = () if isinstance(own.memory, Turn) and own.memory.unkept else ("unkeep",)
    title = plain(say("this_exchange", language))
    return f"{shown}<h4>{title}</h4>{card(own, today, language, dated=True, acts=acts)}"


def _cards_by_day(
    found: Sequence[MemoryRow], used: dict[str, Used], today: date, language: Language
) -> str:
    shown, last = [], ""
    for row in found:
        if row.memory.date != last:
            last = row.memory.date
            shown.append(f"<h4>{plain(day_name(last, today, language))}</h4>")
        shown.append(card(row, today, language, used[row.memory.id]))
    return "".join(shown)


def unkept_notice(ids: tuple[str, ...], language: Language) -> str:
    """Return HTML that says what will not be remembered, with a button that takes it back."""
    if not ids:
        return ""
    key = "unkept_one" if len(ids) == 1 else "unkept_both"
    acts = buttons(["rekeep"], " ".join(ids), language)
    words = plain(say(key, language))
    return f'<div class="sf-card"><p>{words}</p><div class="sf-acts">{acts}</div></div>'


def welcome_key(lines: list[ChatLine]) -> str:
    """Return the key of the text that welcomes a user."""
    if not lines:
        return "new"
    return "begun" if all(line.is_greeting for line in lines) else "met"
