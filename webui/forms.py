"""Forms, buttons and menus as HTML: what a view shows, and what is sent from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .static import icon
from .words import plain, quiet, shortened

if TYPE_CHECKING:
    from .backend import Visit


def button(
    label: str, act: str, identifier: str = "", kind: str = "sf-button", more: str = ""
) -> str:
    """Return a button that does ``act`` at something; ``more`` are attributes."""
    return (
        f'<button type="button" class="{kind}" data-act="{act}" data-id="{plain(identifier)}" {more}>'
        f"{plain(label)}</button>"
    )


def menu(visit: Visit, acts: Iterable[str], identifier: str, words: str) -> str:
    """Return a button that opens what can be done with a memory."""
    verbs, name = tuple(acts), visit.html("talk.menu", words=shortened(words, 40))
    key = plain(f"{identifier}-{'-'.join(verbs)}")
    closes = f'popovertarget="{key}" popovertargetaction="hide"'
    items = "".join(button(visit.say(f"verbs.{it}"), it, identifier, "", closes) for it in verbs)
    return (
        f'<button type="button" class="sf-menu" popovertarget="{key}" aria-label="{name}">'
        f'{icon("more")}</button><div class="sf-menu-items" id="{key}" popover>{items}</div>'
    )


def progress(done: int, total: int, words: str) -> str:
    """Return how far something is, in words and as a bar."""
    bar = f'max="{max(total, 1)}" value="{done}" aria-label="{plain(words)}"'
    return f"{quiet(words)}<progress {bar}></progress>"


def sheet(visit: Visit, act: str, identifier: str, title: str, body: str, yes: str) -> str:
    """Return a form for a dialog; ``yes`` is the key of the button that does ``act``."""
    no, kind = ("keep", "sf-danger") if yes == "sure" else ("cancel", "sf-primary")
    return (
        f'<form data-act="{act}" data-id="{plain(identifier)}">'
        f'<h2 id="sf-sheet-title">{plain(title)}</h2>{body}<div class="sf-acts">'
        f'<button class="sf-button" value="cancel" formnovalidate>{visit.html(no)}</button>'
        f'<button class="sf-button {kind}" value="yes">{visit.html(yes)}</button></div></form>'
    )


def field(
    name: str, label: str, value: str = "", *, lines: int = 1, hint: str = "", more: str = ""
) -> str:
    """Return a field to write in; ``more`` are attributes."""
    told = f"<small>{plain(hint)}</small>" if hint else ""
    given = f'class="sf-input" name="{name}" {more}'
    if lines == 1:
        return f'<label>{plain(label)}{told}<input {given} value="{plain(value)}"></label>'
    area = f'<textarea {given} rows="{lines}">{plain(value)}</textarea>'
    return f"<label>{plain(label)}{told}{area}</label>"
