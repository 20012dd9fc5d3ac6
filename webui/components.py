"""Content of a view, and its buttons, menus and forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .backend import Visit
from .static import icon
from .words import plain, quiet, shortened

Event = dict[str, Any]
"""An event of a view: its ``event`` (``select``, ``click`` or ``submit``), ``act`` and ``id`` of what
was pressed, ``fields`` of a form, ``live`` fields such as a search, ``since`` and ``until`` of the
days that are drawn, the parameters of the address, and the ``file`` of a form that uploads one."""
View = Callable[[Visit, Event], dict[str, Any] | Iterator[dict[str, Any]]]
"""Handles the events of a view; an iterator tells the steps of something long."""
STEPS = "application/x-ndjson"
"""Media type of an answer in steps, which reach the browser one by one."""


def shown(
    html: str | None = None,
    *,
    status: str = "",
    undo: tuple[Visit, str] | None = None,
    sheet: str = "",
    goto: str = "",
) -> dict[str, Any]:
    """Return what a view shows.

    Args:
        html: replaces what is shown, and closes a dialog; None leaves both.
        status: a sentence that is told for some seconds.
        undo: the visit and the state to restore, for an ``undo`` button.
        sheet: HTML of a form in a dialog, or of its next step.
        goto: id of the element to scroll to, an address within the page such as ``#/memories``,
            or ``./`` to load it again.
    """
    return {
        "html": html,
        "status": status,
        "undo": undo and {"label": undo[0].say("undo"), "act": "undo", "id": undo[1]},
        "sheet": sheet,
        "goto": goto,
    }


def button(
    label: str, act: str, identifier: str = "", kind: str = "sf-button", more: str = ""
) -> str:
    """Return a button that triggers ``act``; ``more`` are attributes."""
    return (
        f'<button type="button" class="{kind}" data-act="{act}" data-id="{plain(identifier)}" {more}>'
        f"{plain(label)}</button>"
    )


def opener(label: str, view: str, identifier: str = "", *, act: str = "open") -> str:
    """Return a button anywhere in the page that opens the dialog of a view."""
    return button(label, act, identifier, more=f'data-view="{view}"')


def menu(visit: Visit, acts: Iterable[str], identifier: str, words: str) -> str:
    """Return a button that opens the actions for a memory."""
    verbs, name = tuple(acts), visit.html("talk.menu", words=shortened(words, 40))
    key = plain(f"{identifier}-{'-'.join(verbs)}")
    closes = f'popovertarget="{key}" popovertargetaction="hide"'
    items = "".join(button(visit.say(f"verbs.{one}"), one, identifier, "", closes) for one in verbs)
    return (
        f'<button type="button" class="sf-menu" popovertarget="{key}" aria-label="{name}">'
        f'{icon("more")}</button><div class="sf-menu-items" id="{key}" popover>{items}</div>'
    )


def progress(done: int, total: int, words: str) -> str:
    """Return the progress of something, in words and as a bar."""
    bar = f'max="{max(total, 1)}" value="{done}" aria-label="{plain(words)}"'
    return f"{quiet(words)}<progress {bar}></progress>"


def sheet(
    visit: Visit, act: str, identifier: str, title: str, body: str, yes: str = "", no: str = ""
) -> str:
    """Return a form for a dialog; ``yes`` and ``no`` are the keys of its buttons' labels.

    Without ``yes`` it can only be closed.
    """
    kind = "sf-danger" if yes == "sure" else "sf-primary"
    no = no or ("keep" if yes == "sure" else "cancel" if yes else "shell.close")
    heading = title and f'<h2 id="sf-sheet-title">{plain(title)}</h2>'
    submit = yes and f'<button class="sf-button {kind}" value="yes">{visit.html(yes)}</button>'
    return (
        f'<form data-act="{act}" data-id="{plain(identifier)}">'
        f'{heading}{body}<div class="sf-acts">'
        f'<button class="sf-button" value="cancel" formnovalidate>{visit.html(no)}</button>'
        f"{submit}</div></form>"
    )


def field(
    name: str, label: str, value: str = "", *, lines: int = 1, hint: str = "", more: str = ""
) -> str:
    """Return a text field; ``more`` are attributes."""
    told = f"<small>{plain(hint)}</small>" if hint else ""
    given = f'class="sf-input" name="{name}" {more}'
    if lines == 1:
        return f'<label>{plain(label)}{told}<input {given} value="{plain(value)}"></label>'
    area = f'<textarea {given} rows="{lines}">{plain(value)}</textarea>'
    return f"<label>{plain(label)}{told}{area}</label>"


def choices(
    name: str, legend: str, options: Iterable[tuple[str, str]], chosen: str = "", more: str = ""
) -> str:
    """Return radio buttons of ``(value, label)``, of which one is chosen, or none yet."""
    ticks = "".join(
        f'<label class="sf-check"><input type="radio" name="{name}" value="{plain(value)}" '
        f"{more}{' checked' if value == chosen else ''}><span>{plain(label)}</span></label>"
        for value, label in options
    )
    return f"<fieldset><legend>{plain(legend)}</legend>{ticks}</fieldset>"


def file_field(label: str, kinds: str, act: str) -> str:
    """Return a field for one file, which a dialog keeps through its steps; choosing one does ``act``."""
    given = f'type="file" name="file" accept="{kinds}" data-sends="{act}" required'
    return f'<label data-part="file">{plain(label)}<input class="sf-input" {given}></label>'
