"""The panels beside the talk, as Gradio's blocks. Gradio is imported when one is first opened."""

import os
from typing import Any

from fastapi import FastAPI

from .static import address

# Set before the import: otherwise Gradio contacts hosts on the internet.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

import gradio as gr

PANELS = {
    "memories": ("memories",),
    "story": ("night", "story"),
    "companions": ("companions",),
}
"""The views of each panel, from top to bottom; their events go to the routes of ``views.py``."""


def build() -> Any:
    """Build the application with the blocks of all panels, which are the same for everybody."""
    with gr.Blocks(analytics_enabled=False, fill_width=True) as blocks:
        for panel, views in PANELS.items():
            with gr.Column(elem_id=f"panel-{panel}", elem_classes="sf-panel"):
                for name in views:
                    gr.HTML(
                        html_template='<div class="sf-view"></div><div class="sf-status" role="status"></div>',
                        js_on_load=f"import(new URL('{address('view.js')}', document.baseURI))"
                        f".then((script) => script.start(element, '{name}', '{panel}'));",
                        elem_id=name,
                        elem_classes="sf-view-block",
                        apply_default_css=False,
                    )
    theme = gr.themes.Base(font=["inherit"], font_mono=["monospace"])
    how: Any = {"footer_links": [], "ssr_mode": False, "theme": theme}
    return gr.mount_gradio_app(FastAPI(openapi_url=None), blocks, "", **how)
