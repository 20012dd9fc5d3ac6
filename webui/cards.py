"""Memories as cards of HTML: words, day, state, a bar for vividness, and what can be done.

A card's buttons carry a verb and an
id; the server looks the id up in the memory of whoever asks, so a made-up id reaches nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from siliconfriend.control.listing import MemoryRow, words_of
from siliconfriend.dialogue.humanize import humanize_day
from siliconfriend.memory.records import Turn, Used, kind_of
from siliconfriend.texts import Language, area

from .labels import say
from .markup import day_name, plain

ON_CLICK = """
element.addEventListener('click', (event) => {
    const button = event.target.closest('[data-act]');
    if (button) trigger('click', {act: button.dataset.act, id: button.dataset.id || ''});
});
"""


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
    record = row.memory
    if isinstance(record, Turn):
        words = f"<p>{plain(record.query)}</p>"
        if record.response:
            words += f'<p class="sf-reply">{plain(record.response)}</p>'
    else:
        words = f"<p>{plain(words_of(record))}</p>"
    return (
        f'<div class="sf-card sf-{row.prospect.state}" data-memory="{record.id}">'
        f"{_head(row, today, language, used, dated=dated)}{words}{_score(used, language)}"
        f'<div class="sf-acts">{buttons((*verbs(row), *acts), record.id, language)}</div></div>'
    )


def _head(
    row: MemoryRow, today: date, language: Language, used: Used | None, *, dated: bool
) -> str:
    head = [
        f"<b>{plain(day_name(row.memory.date, today, language))}</b>" if dated else "",
        say(f"kinds.{kind_of(row.memory)}", language),
        say(f"states.{row.prospect.state}", language),
        _vividness(row, language),
        _vivid_then(row, used, language),
        plain(_fate(row, today, language)),
        plain(_brought(row, today, language)),
    ]
    return f'<div class="sf-head">{"".join(f"<span>{it}</span>" for it in head if it)}</div>'


def _vividness(row: MemoryRow, language: Language) -> str:
    """Return the retention as a bar; the strength where the policy has no curve."""
    outlook = row.prospect
    if outlook.retention is None:
        return say("strength", language, value=outlook.strength)
    kept = round(100 * outlook.retention)
    told = plain(say("vividness", language, kept=kept))
    return (
        f'<span class="sf-bar" role="img" title="{told}" aria-label="{told}">'
        f'<i style="width:{kept}%"></i></span>{kept}%'
    )


def _vivid_then(row: MemoryRow, used: Used | None, language: Language) -> str:
    """Return how vivid it was when a reply recalled it, where that strengthened it since."""
    now = row.prospect.retention
    if used is None or used.retention is None or now is None:
        return ""
    kept = round(100 * used.retention)
    return plain(say("vivid_then", language, kept=kept)) if kept < round(100 * now) else ""


def _fate(row: MemoryRow, today: date, language: Language) -> str:
    outlook = row.prospect
    if isinstance(row.memory, Turn) and row.memory.unkept:
        return say("fate_unkept", language)
    if row.memory.trace.pinned:
        return say("fate_pinned", language)
    if outlook.state == "archived" and outlook.archived_on:
        day = humanize_day(outlook.archived_on, today, language, alone=True)
        return say("fate_archived", language, day=day)
    if outlook.state == "vivid" and outlook.dims_on:
        day = humanize_day(outlook.dims_on, today, language, alone=True)
        return say("fate_dims", language, day=day)
    return ""


def _brought(row: MemoryRow, today: date, language: Language) -> str:
    """Return when an export brought it here, since an old day alone does not say why it is vivid."""
    if row.brought_on is None:
        return ""
    day = humanize_day(row.brought_on, today, language, alone=True)
    return say("brought", language, day=day)


def _score(used: Used | None, language: Language) -> str:
    if used is None:
        return ""
    names = area("web", language)["parts"]
    parts = "".join(
        f"<tr><td>{plain(names.get(name, name))}</td><td>{value:.3f}</td></tr>"
        for name, value in used.parts.items()
    )
    title = say("score", language, score=f"{used.score:.3f}")
    return f"<details><summary>{plain(title)}</summary><table>{parts}</table></details>"


def verbs(row: MemoryRow) -> Iterator[str]:
    """Return the actions that a memory offers."""
    yield "unpin" if row.memory.trace.pinned else "pin"
    yield "restore" if row.prospect.state == "archived" else "forget"
    if isinstance(row.memory, Turn) and row.memory.unkept:
        yield "rekeep"
    yield from ("edit", "erase")


def buttons(acts: Iterable[str], identifier: str, language: Language) -> str:
    """Return a button for each action, carrying the id."""
    return "".join(
        f'<button type="button" data-act="{verb}" data-id="{identifier}">'
        f"{plain(say(f'verbs.{verb}', language))}</button>"
        for verb in acts
    )
