"""Memories as cards of HTML: what was said, what was made of it, how vivid it is, its actions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from siliconfriend.control.listing import MemoryRow, words_of
from siliconfriend.memory.records import Turn, kind_of
from siliconfriend.memory.used import Used
from siliconfriend.texts import Language

from ..words.labels import say
from ..words.markup import day_name, plain
from ..words.phrases import shortened, tell
from .action_menu import NAMED, menu, verbs
from .reasons import why
from .things import Thing, repeats
from .vividness import fates, retention_style, vivid_then, vividness


def card(
    row: MemoryRow,
    today: date,
    language: Language,
    used: Used | None = None,
    *,
    dated: bool = False,
    acts: Iterable[str] = (),
) -> str:
    """Return one memory as HTML.

    Args:
        row: the memory and its state.
        today: the person's day.
        language: of the labels.
        used: how a reply used it, where one did.
        dated: name its day, where the list around it does not.
        acts: actions beside those that every memory has.
    """
    then = vivid_then(row, used, language)
    below = why(used, language)
    return _card(row, today, language, below, dated=dated, acts=acts, then=then)


def thing_card(thing: Thing, today: date, language: Language) -> str:
    """Return one thing of a day as HTML: the line, and what was made of it in small below."""
    hanging = "".join(_hanging(it, thing.row, today, language) for it in thing.hanging)
    below = f'<ul class="sf-made">{hanging}</ul>' if hanging else ""
    return _card(thing.row, today, language, below)


def summary_card(row: MemoryRow, today: date, language: Language) -> str:
    """Return the summary at the head of its day as HTML."""
    record = row.memory
    return (
        f'<div class="sf-day-summary" data-memory="{record.id}" {retention_style(row)}>'
        f'<p class="sf-fades">{plain(words_of(record))}</p>'
        f'<div class="sf-meta">{_told(row, today, language, kind=True)}</div>'
        f"{menu(verbs(row), record.id, words_of(record), language)}</div>"
    )


def _card(
    row: MemoryRow,
    today: date,
    language: Language,
    below: str,
    *,
    dated: bool = False,
    acts: Iterable[str] = (),
    then: str = "",
) -> str:
    record = row.memory
    actions = menu((*verbs(row), *acts), record.id, words_of(record), language)
    return (
        f'<article class="sf-card sf-{row.prospect.state}" data-memory="{record.id}" '
        f'{retention_style(row)}><div class="sf-head">{_head(row, today, language, then, dated=dated)}'
        f'{actions}</div><div class="sf-fades">{_words(row)}</div>{below}</article>'
    )


def _words(row: MemoryRow) -> str:
    record = row.memory
    if not isinstance(record, Turn):
        return f"<p>{plain(words_of(record))}</p>"
    words = f"<p>{plain(record.query)}</p>"
    if record.response:
        words += f'<p class="sf-reply">{plain(record.response)}</p>'
    return words


def _head(row: MemoryRow, today: date, language: Language, then: str, *, dated: bool) -> str:
    record = row.memory
    day = f"<b>{plain(day_name(record.date, today, language))}</b>" if dated else ""
    time = ""
    if isinstance(record, Turn) and record.time is not None:
        at = record.time.astimezone(row.zone)
        time = f'<time datetime="{at.isoformat()}">{at:%H:%M}</time>'
    told = _told(row, today, language, kind=not isinstance(record, Turn))
    return f'<div class="sf-meta">{day}{time}{told}{then}{_said_link(row, language)}</div>'


def _told(row: MemoryRow, today: date, language: Language, *, kind: bool) -> str:
    """Return what stands beside the words: kind, vividness, fate."""
    named = f'<span class="sf-kind">{plain(say(f"kinds.{kind_of(row.memory)}", language))}</span>'
    told = "".join(f"<span>{plain(it)}</span>" for it in fates(row, today, language))
    return (named if kind else "") + vividness(row, language) + told


def _said_link(row: MemoryRow, language: Language) -> str:
    """Return a link to where in the talk it was said; nothing where it names no source.

    The talk finds the line by the memory's own id, through whatever it was made of.
    """
    record = row.memory
    if not isinstance(record, Turn) and not record.provenance.from_ids:
        return ""
    words = plain(tell("in_the_talk", language))
    about = plain(shortened(" ".join(words_of(record).split()), NAMED))
    return (
        f'<a class="sf-said" href="#/chat?line={plain(record.id)}" '
        f'aria-label="{words}: {about}">{words}</a>'
    )


def _hanging(row: MemoryRow, line: MemoryRow, today: date, language: Language) -> str:
    """Return what was made of a line; its words only where they are not the line's own."""
    record = row.memory
    words = "" if repeats(row, line) else f'<p class="sf-fades">{plain(words_of(record))}</p>'
    return (
        f'<li data-memory="{record.id}" {retention_style(row)}>'
        f'<div class="sf-head"><div class="sf-meta">{_told(row, today, language, kind=True)}</div>'
        f"{menu(verbs(row), record.id, words_of(record), language)}</div>{words}</li>"
    )
