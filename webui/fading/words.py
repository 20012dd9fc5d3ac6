"""How a memory fades, in words: how vivid it is, what comes next, when it was recalled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from siliconfriend.clock import day_of
from siliconfriend.control.listing import MemoryRow, words_of
from siliconfriend.dialogue.humanize import humanize_day
from siliconfriend.memory.records import Turn
from siliconfriend.texts import Language

from ..words.labels import say
from ..words.markup import day_name, plain
from ..words.phrases import number, shortened, tell
from .curve_marks import sample

TITLE = 40
"""Columns of a title; a Han character takes two."""


def short_title(row: MemoryRow, today: date, language: Language) -> str:
    """Return the day and the first words of a memory; of an exchange, the person's."""
    record = row.memory
    said = record.query if isinstance(record, Turn) else words_of(record)
    words = shortened(" ".join(said.split()), TITLE)
    day = day_name(row.memory.date, today, language)
    return tell("fading.title", language, day=day, words=words)


def legend(shown: Sequence[MemoryRow], today: date, language: Language) -> str:
    """Return HTML that lists the memories, each with the look of its curve and what comes next."""
    lines = [
        f"<li>{sample(place)} <span>{plain(short_title(row, today, language))}</span>"
        f'<p class="sf-quiet">{plain(told(row, today, language))}</p></li>'
        for place, row in enumerate(shown)
    ]
    return f'<ul class="sf-legend">{"".join(lines)}</ul>'


def told(row: MemoryRow, today: date, language: Language) -> str:
    """Return in one line how vivid a memory is, what comes next and when, and its recalls."""
    return tell("semicolon", language).join(_told(row, today, language))


def _told(row: MemoryRow, today: date, language: Language) -> Iterator[str]:
    outlook = row.prospect
    if outlook.retention is None:
        yield say("strength", language, value=outlook.strength)
    else:
        yield tell("fading.vivid", language, kept=round(100 * outlook.retention))
    yield from _next_events(row, today, language)
    yield _recalls(row, today, language)


def _next_events(row: MemoryRow, today: date, language: Language) -> Iterator[str]:
    outlook = row.prospect
    if outlook.state == "archived":
        if outlook.archived_on:
            yield _on("archived", outlook.archived_on, today, language, alone=True)
    elif row.memory.trace.pinned:
        yield tell("fading.pinned", language)
    else:
        if outlook.state == "vivid" and outlook.dims_on:
            yield _on("dims", outlook.dims_on, today, language)
        if outlook.archived_on and outlook.archived_on <= today:
            yield tell("fading.archives_next", language)
        elif outlook.archived_on:
            yield _on("archives", outlook.archived_on, today, language)


def _on(key: str, day: date, today: date, language: Language, *, alone: bool = False) -> str:
    named = humanize_day(day, today, language, alone=alone)
    return tell(f"fading.{key}", language, day=named)


def _recalls(row: MemoryRow, today: date, language: Language) -> str:
    recalls = row.memory.trace.recalls
    if not recalls:
        return tell("fading.never_recalled", language)
    last = humanize_day(day_of(recalls[-1], row.zone), today, language)
    if len(recalls) == 1:
        return tell("fading.recalled_one", language, day=last)
    return tell("fading.recalled", language, count=number(len(recalls), language), day=last)
