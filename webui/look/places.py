"""A place in the page that its own scripts fill, and not Gradio."""

from __future__ import annotations

from typing import Any

from ..privacy import gr

_DRAWN = "document.dispatchEvent(new CustomEvent('sf:place'));"


def place(name: str) -> Any:
    """Return a place of that id; ``sf:place`` tells of it, also where Gradio draws it anew."""
    return gr.HTML(elem_id=name, js_on_load=_DRAWN, apply_default_css=False)
