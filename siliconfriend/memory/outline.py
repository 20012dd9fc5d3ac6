"""Summarise a day for nights, and hash what its texts rest on.

An outline is a pure function of one day's records, stored with its day and made again when that
changes. A text is due again when the hash of its inputs is no longer the one it carries.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from typing import Literal

import msgspec

from siliconfriend.forgetting.trace import Fading
from siliconfriend.memory.knowledge import OFFLINE, Fact
from siliconfriend.memory.records import Day, DayPersonality, DaySummary, Turn, kind_of

RULES = 1
"""Version of the rules of outlines, raised whenever an outline can differ for the same day: stored
outlines of other rules do not count."""

Texts = Literal["due", "offline", "settled"]
"""How a day's summary and personality stand: the summary is missing or of other words than the day
has now; it holds, but a model has something to write; both hold."""


class DayOutline(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outline of a day.

    Attributes:
        rules: number of the rules it was made by.
        texts: how its texts stand.
        turns: how many it has.
        told: how many of them something may be made of.
        live: there is a turn of a talk that goes on.
        unread: there is one of which nothing was extracted yet.
        noted: there is one that only a rule has read.
        unrated: there is one whose importance nobody judged.
        unchecked: there is a fact that was not compared with the others.
        summary, personality: marks of these texts; empty where there is none.
        fading: its memories that fade.
    """

    rules: int
    texts: Texts
    turns: int = 0
    told: int = 0
    live: bool = False
    unread: bool = False
    noted: bool = False
    unrated: bool = False
    unchecked: bool = False
    summary: str = ""
    personality: str = ""
    fading: tuple[Fading, ...] = ()

    @property
    def left_alone(self) -> bool:
        """True if there is a turn of which nothing may be made."""
        return self.told < self.turns


def inputs_hash(parts: Iterable[str]) -> str:
    """SHA-256 (64 hex digits) of a row of texts; ``["ab"]`` and ``["a", "b"]`` differ."""
    written = [part.encode("utf-8", "replace") for part in parts]
    row = b"".join([b"%d:%b" % (len(words), words) for words in written])
    return hashlib.sha256(row).hexdigest()


def day_inputs(day: Day) -> str:
    """Hash what a day's summary and personality rest on: the ids and words of its kept turns.

    A turn counts whatever its state: fading and archiving do not make a day's texts due. One
    that is not to be remembered counts for nothing.
    """
    turns = [turn for turn in day.turns if not turn.is_left_alone]
    return inputs_hash(part for turn in turns for part in (turn.id, turn.query, turn.response))


def reflection_inputs(turns: Iterable[Turn]) -> str:
    """Hash what a reflection is about: the days of the last memories and what the person said."""
    return inputs_hash(part for turn in turns for part in (turn.date, turn.query))


def outline_day(day: Day) -> DayOutline:
    """Outline a day."""
    kept = [turn for turn in day.turns if not turn.is_left_alone]
    return DayOutline(
        rules=RULES,
        texts=_texts(day),
        turns=len(day.turns),
        told=len(kept),
        live=any(turn.context == "live" for turn in day.turns),
        unread=any(not turn.is_read for turn in kept),
        noted=any(turn.context == "noted" for turn in kept),
        unrated=any(turn.trace.importance is None and _tells(turn) for turn in kept),
        unchecked=any(map(is_unchecked, day.facts)),
        summary=_mark(day.summary),
        personality=_mark(day.personality),
        fading=_fading(day),
    )


def _mark(text: DaySummary | DayPersonality | None) -> str:
    return "" if text is None else inputs_hash([text.text])[:32]


def _texts(day: Day) -> Texts:
    inputs = day_inputs(day)
    summary = None if day.summary is None else day.summary.provenance
    portrayal = None if day.personality is None else day.personality.provenance
    if summary is None or summary.inputs != inputs:
        return "due"
    if portrayal is None or portrayal.inputs != inputs:
        return "offline"
    return "offline" if OFFLINE in (summary.made_by, portrayal.made_by) else "settled"


def is_unchecked(fact: Fact) -> bool:
    """Return True if a fact that holds was not compared with the others yet."""
    return fact.is_active and not fact.merged and fact.entity_type != "subject"


def _tells(turn: Turn) -> bool:
    """True unless a turn only asks about what was said before."""
    return turn.index_text is None or bool(turn.index_text.strip())


def _fading(day: Day) -> tuple[Fading, ...]:
    spans: dict[tuple[str, float | None, float], list[float]] = {}
    for record in day.memories():
        trace = record.trace
        if not trace.pinned and trace.archived is None:
            alike = (kind_of(record), trace.importance, trace.strength)
            spans.setdefault(alike, []).append(trace.fades_from.timestamp())
    return tuple(
        Fading(*alike, math.floor(min(span)), math.ceil(max(span))) for alike, span in spans.items()
    )
