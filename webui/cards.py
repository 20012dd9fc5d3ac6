"""Memories as cards of HTML: words, day, state, a bar for vividness, and what can be done.

Every word of a person goes through :func:`plain`. A card's buttons carry a verb and an
id; the server looks the id up in the memory of whoever asks, so a made-up id reaches nothing.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from datetime import date

from siliconfriend.control.listing import Row, words_of
from siliconfriend.dialogue.spoken_days import spoken_day
from siliconfriend.memory.records import Turn, Used, kind_of
from siliconfriend.texts import Language, area

from .labels import say

ON_CLICK = """
element.addEventListener('click', (event) => {
    const button = event.target.closest('[data-act]');
    if (button) trigger('click', {act: button.dataset.act, id: button.dataset.id || ''});
});
"""

CSS = """
.sf-card { border: 1px solid var(--border-color-primary); border-radius: 8px;
    padding: .6em .8em; margin: .4em 0; background: var(--background-fill-primary);
    color: var(--body-text-color); overflow-wrap: anywhere; }
.sf-card p { margin: .15em 0; white-space: pre-wrap; }
.sf-card .sf-reply { color: var(--body-text-color-subdued); }
.sf-head { display: flex; flex-wrap: wrap; gap: .3em .8em; align-items: center;
    font-size: .85em; color: var(--body-text-color-subdued); }
.sf-bar { display: inline-block; width: 5em; height: .55em; border-radius: .3em;
    background: var(--border-color-primary); overflow: hidden; }
.sf-bar i { display: block; height: 100%; background: var(--color-accent); }
.sf-acts { display: flex; flex-wrap: wrap; gap: .4em; margin-top: .4em; }
.sf-acts button { border: 1px solid var(--border-color-primary); border-radius: 6px;
    padding: .15em .6em; font-size: .85em; cursor: pointer;
    background: var(--button-secondary-background-fill);
    color: var(--button-secondary-text-color); }
.sf-archived { opacity: .65; }
.sf-card table { font-size: .85em; } .sf-card td { padding: 0 .8em 0 0; }
.sf-quiet { color: var(--body-text-color-subdued); }
.sf-plot svg { width: 100%; height: auto; color: var(--body-text-color); }
@media (max-width: 640px) {
    .gradio-container { padding: .4em !important; }
    #person-row { flex-direction: column; }
}
"""


def plain(words: str) -> str:
    """The words so that a page shows them as they are."""
    return html.escape(words, quote=True)


def day_name(iso: str, today: date, language: Language) -> str:
    """The bare name of a day."""
    return spoken_day(date.fromisoformat(iso), today, language, alone=True)


def card(row: Row, today: date, language: Language, used: Used | None = None) -> str:
    """One memory.

    Args:
        row: the memory and how it stands.
        today: the person's day.
        language: of the labels.
        used: the parts of its score, where it was recalled.
    """
    record, outlook = row.memory, row.prospect
    kept = round(100 * (outlook.retention or 0.0))
    head = [
        f"<b>{plain(day_name(record.date, today, language))}</b>",
        say(f"kinds.{kind_of(record)}", language),
        say(f"states.{outlook.state}", language),
        f'<span class="sf-bar" role="img" aria-label="{kept} %"><i style="width:{kept}%"></i>'
        f"</span> {kept} %",
        plain(_fate(row, today, language)),
    ]
    if isinstance(record, Turn):
        words = f"<p>{plain(record.query)}</p>"
        if record.response:
            words += f'<p class="sf-reply">{plain(record.response)}</p>'
    else:
        words = f"<p>{plain(words_of(record))}</p>"
    return (
        f'<div class="sf-card sf-{outlook.state}" data-memory="{record.id}">'
        f'<div class="sf-head">{" ".join(f"<span>{it}</span>" for it in head)}</div>'
        f"{words}{_score(used, language)}{_acts(row, language)}</div>"
    )


def _fate(row: Row, today: date, language: Language) -> str:
    outlook = row.prospect
    if isinstance(row.memory, Turn) and row.memory.unkept:
        return say("fate_unkept", language)
    if row.memory.trace.pinned:
        return say("fate_pinned", language)
    if outlook.state == "archived" and outlook.archived_on:
        day = spoken_day(outlook.archived_on, today, language, alone=True)
        return say("fate_archived", language, day=day)
    if outlook.state == "vivid" and outlook.dims_on:
        day = spoken_day(outlook.dims_on, today, language, alone=True)
        return say("fate_dims", language, day=day)
    return ""


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


def _acts(row: Row, language: Language) -> str:
    verbs = ["unpin" if row.memory.trace.pinned else "pin"]
    verbs += ["restore"] if row.prospect.state == "archived" else ["forget"]
    verbs += ["edit", "erase"] if kind_of(row.memory) in ("turn", "day") else []
    return f'<div class="sf-acts">{buttons(verbs, row.memory.id, language)}</div>'


def buttons(verbs: Iterable[str], identifier: str, language: Language) -> str:
    """A button a verb, each carrying the id."""
    return "".join(
        f'<button type="button" data-act="{verb}" data-id="{identifier}">'
        f"{plain(say(f'verbs.{verb}', language))}</button>"
        for verb in verbs
    )


def quiet(words: str) -> str:
    """A sentence where there is nothing to show, or about what was done."""
    return f'<p class="sf-quiet">{plain(words)}</p>'
