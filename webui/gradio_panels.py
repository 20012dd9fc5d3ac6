"""The panels beside the talk, as Gradio's blocks. Gradio is imported when one is first opened."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from . import companions, memories, night, story
from .backend import USER, Backend
from .components import View, answers
from .static import address

# Set before the import: otherwise Gradio contacts hosts on the internet.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

import gradio as gr

PANELS: dict[str, dict[str, View]] = {
    "memories": {"memories": memories.view},
    "story": {"night": night.view, "story": story.view},
    "companions": {"companions": companions.view},
}
"""The views of each panel, from top to bottom."""


def build(backend: Backend) -> tuple[Any, Any]:
    """Build the blocks of all panels; return them and their application."""
    with gr.Blocks(analytics_enabled=False, fill_width=True) as blocks:
        for panel, views in PANELS.items():
            with gr.Column(elem_id=f"panel-{panel}", elem_classes="sf-panel"):
                for name, view in views.items():
                    _add_view(backend, panel, name, view)
    blocks.queue(default_concurrency_limit=None)
    app = gr.mount_gradio_app(
        FastAPI(openapi_url=None),
        blocks,
        "",
        auth_dependency=lambda request: request.scope.get(USER),
        blocked_paths=[str(backend.settings.home.resolve())],
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        ssr_mode=False,
        mcp_server=False,
        theme=gr.themes.Base(font=["inherit"], font_mono=["monospace"]),
    )
    return blocks, app


def _add_view(backend: Backend, panel: str, name: str, view: View) -> None:
    """Add a view to a panel, with its event handler; the value is that of ``shown``."""
    start = (
        f"import(new URL('{address('view.js')}', document.baseURI)).then((script) => "
        f"script.start({{element, trigger, watch, props}}, {json.dumps(panel)}));"
    )
    template = '<div class="sf-view"></div><div class="sf-status" role="status"></div>'
    how: Any = {"elem_id": name, "elem_classes": "sf-view-block", "apply_default_css": False}
    html = gr.HTML(html_template=template, js_on_load=start, **how)

    def call(event: gr.EventData, request: gr.Request) -> Iterator[Any]:
        told = event._data if isinstance(event._data, dict) else {}
        yield from answers(backend, request, view, told)

    # Drop no event, hide the endpoint from the API, and show no progress overlay.
    usual: Any = {
        "trigger_mode": "multiple",
        "api_visibility": "private",
        "show_progress": "hidden",
    }
    gr.on([html.select, html.click, html.submit], call, None, [html], **usual)
