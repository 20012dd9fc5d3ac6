"""Forms and buttons as HTML: what a view shows in a dialog, and what is sent from it."""

from __future__ import annotations

from .words import plain, quiet


def button(label: str, act: str, identifier: str = "", kind: str = "sf-button") -> str:
    """Return a button that does ``act`` at something."""
    return (
        f'<button type="button" class="{kind}" data-act="{act}" data-id="{plain(identifier)}">'
        f"{plain(label)}</button>"
    )


def progress(done: int, total: int, words: str) -> str:
    """Return how far something is, in words and as a bar."""
    bar = f'max="{max(total, 1)}" value="{done}" aria-label="{plain(words)}"'
    return f"{quiet(words)}<progress {bar}></progress>"


def sheet(
    act: str, identifier: str, title: str, body: str, no: str, yes: str, kind: str = "sf-primary"
) -> str:
    """Return a form for a dialog, with a way out and a way on."""
    return (
        f'<form data-act="{act}" data-id="{plain(identifier)}">'
        f'<h2 id="sf-sheet-title">{plain(title)}</h2>{body}<div class="sf-acts">'
        f'<button class="sf-button" value="cancel" formnovalidate>{plain(no)}</button>'
        f'<button class="sf-button {kind}" value="yes">{plain(yes)}</button></div></form>'
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
