"""Gradio, kept private, the page's components of ``gr.HTML``, and the forms that they show."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from siliconfriend.errors import SiliconFriendError
from siliconfriend.texts import area

from .backend import Backend, Visit
from .static import address, icon
from .words import plain, quiet, shortened

# Before the first import: else Gradio looks up hosts on the internet.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

import gradio as gr

__all__ = ["gr"]  # the other modules import it from here
LABELS: Any = gr.I18n(
    en=dict(area("web", "en")["labels"]), **{"zh-CN": dict(area("web", "cn")["labels"])}
)
"""The labels of Gradio's parts; Gradio chooses by the language that the page says it speaks."""


def _component(template: str, script: str, *arguments: object, **how: Any) -> Any:
    start = (
        f"import(new URL('{address(script)}', document.baseURI)).then((script) => "
        f"script.start({{element, trigger, watch, props}}, ...{json.dumps(arguments)}));"
    )
    return gr.HTML(html_template=template, js_on_load=start, apply_default_css=False, **how)


def make_talk() -> Any:
    """Make the talk, which ``talk.js`` draws from the stream of :mod:`webui.talk`."""
    return _component('<section class="talk"></section>', "talk.js", elem_id="talk")


def make_view(panel: str, *, main: bool = True, **how: Any) -> Any:
    """Make HTML that a panel shows, with what is done in it; its value is that of :func:`shown`.

    Its events, one after the other: of a ``main`` view ``select``, when its panel is shown, the memory
    has changed or something in the row above it; ``click`` on what has ``data-act``, with ``act`` and
    ``id``; ``submit`` of a form, with ``act``, ``id`` and ``fields``. Each brings the parameters of
    the address, and as ``since`` and ``until`` the first and the last day that are drawn.
    """
    template = '<div class="sf-view"></div><div class="sf-status" role="status"></div>'
    return _component(template, "view.js", panel, main, elem_classes="sf-view-block", **how)


def fills(
    backend: Backend,
    outputs: Sequence[Any],
    listeners: Sequence[Any],
    handle: Callable[..., Any],
    inputs: Sequence[Any] = (),
    **how: Any,
) -> None:
    """Fill a view and other parts by ``handle(visit, event, *values of inputs)`` at events.

    It returns a value of :func:`shown`, with more outputs a tuple that begins with one, or yields
    several; an error of ours is shown as its words.
    """

    def call(event: gr.EventData, request: gr.Request, *values: Any) -> Iterator[Any]:
        told = event._data if isinstance(event._data, dict) else {}
        try:
            filled = handle(backend.visit(request), told, *values)
            yield from filled if isinstance(filled, Iterator) else (filled,)
        except SiliconFriendError as error:
            refused = shown(status=error.message(backend.language_of(request)))
            more = [gr.skip()] * (len(outputs) - 1)
            yield (refused, *more) if more else refused

    # None is dropped, no program is offered it, and nothing covers what it fills.
    usual = {"trigger_mode": "multiple", "api_visibility": "private", "show_progress": "hidden"}
    gr.on(list(listeners), call, list(inputs), list(outputs), **(usual | how))


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
        html: in the place of what is shown; None leaves it.
        status: a sentence that is told for some seconds.
        undo: who asks, and what brings back what was before, for ``undo``.
        sheet: HTML of a form in a dialog, which closes when its answer has ``html``.
        goto: id of the element to go to.
    """
    return {
        "html": html,
        "status": status,
        "undo": undo and {"label": undo[0].say("undo"), "act": "undo", "id": undo[1]},
        "sheet": sheet,
        "goto": goto,
        "at": time.monotonic_ns(),  # so that the same sentence is shown again
    }


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
