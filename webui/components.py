"""Gradio, kept private, and the page's components of ``gr.HTML``: the only place with JavaScript."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from siliconfriend.errors import SiliconFriendError
from siliconfriend.texts import area

from .backend import Backend, Visit
from .static import address

# Before the first import: else Gradio looks up hosts on the internet.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

import gradio as gr

__all__ = ["LABELS", "PRIVATE", "fills", "gr", "make_talk", "make_view", "shown"]

PRIVATE: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
"""The switches of every event: no program is offered it, and nothing covers what it fills."""

LABELS: Any = gr.I18n(
    en=dict(area("web", "en")["labels"]), **{"zh-CN": dict(area("web", "cn")["labels"])}
)
"""The labels of Gradio's parts; Gradio chooses by the language that the page says it speaks."""


def _component(template: str, script: str, arguments: str, **how: Any) -> Any:
    start = (
        f"import(new URL('{address(script)}', document.baseURI)).then((script) => "
        f"script.start({{element, trigger, watch, props}}, {arguments}));"
    )
    return gr.HTML(html_template=template, js_on_load=start, apply_default_css=False, **how)


def make_talk() -> Any:
    """Make the talk, which ``talk.js`` draws from the stream of :mod:`webui.talk`."""
    template = '<section class="talk"></section>'
    return _component(template, "talk.js", "'chat'", elem_id="talk")


def make_view(panel: str, *, main: bool = True, **how: Any) -> Any:
    """Make HTML that a panel shows, with what is done in it; its value is that of :func:`shown`.

    Its events: ``select`` when its panel is shown or the memory has changed, of a ``main`` view,
    with the parameters of the address; ``click`` on what has ``data-act``, with ``act`` and ``id``,
    of a field ``value``; ``submit`` of a form, with ``act``, ``id`` and ``fields``. Each says
    ``until``, the last day that is drawn.
    """
    template = '<div class="sf-view"></div><div class="sf-status" role="status"></div>'
    arguments = f"'{panel}', {str(main).lower()}"
    return _component(template, "view.js", arguments, elem_classes="sf-view-block", **how)


def fills(
    backend: Backend,
    outputs: Sequence[Any],
    listener: Any,
    handle: Callable[..., Any],
    inputs: Sequence[Any] = (),
    **how: Any,
) -> None:
    """Fill a view and other parts by ``handle(visit, event, *values of inputs)`` at an event.

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

    listener(call, list(inputs), list(outputs), trigger_mode="always_last", **PRIVATE, **how)


def shown(
    html: str | None = None,
    *,
    append: str = "",
    status: str = "",
    undo: tuple[Visit, str, str] | None = None,
    sheet: str = "",
    goto: str = "",
) -> dict[str, Any]:
    """Return what a view shows.

    Args:
        html: in the place of what is shown; None leaves it.
        append: below it.
        status: a sentence that is told for some seconds.
        undo: who asks, and the act and id that take back what the sentence tells.
        sheet: HTML of a form in a dialog; empty closes it.
        goto: id of the element to go to.
    """
    return {
        "html": html,
        "append": append,
        "status": status,
        "undo": undo and {"label": undo[0].say("undo"), "act": undo[1], "id": undo[2]},
        "sheet": sheet,
        "goto": goto,
        "at": time.monotonic_ns(),  # so that the same sentence is shown again
    }
