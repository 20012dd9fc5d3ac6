"""The switches that keep Gradio from talking to anyone but the person.

Gradio asks hosts on the internet about itself when it is imported, keeps chats in the
browser's storage and offers to share them. All of that is turned off here, in one place;
:func:`load_gradio` is the only way the rest of the package gets the library, because the
first switch works only before its first import.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

CHAT_BUTTONS = ["copy"]
"""The chat's own buttons; the default set offers to share the conversation."""


def load_gradio() -> ModuleType:
    """The Gradio library with its analytics off."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    import gradio

    return gradio


def launch_switches(home: Path) -> dict[str, Any]:
    """What ``Blocks.launch`` is told.

    Nothing is shared or kept in the browser, there are no API pages and no outside fonts,
    and the data directory is never served as files.
    """
    gradio = load_gradio()
    return {
        "share": False,
        "run_history": False,
        "enable_monitoring": False,
        "ssr_mode": False,
        "pwa": False,
        "mcp_server": False,
        "footer_links": [],
        "blocked_paths": [str(home.resolve())],
        "theme": gradio.themes.Soft(
            font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
        ),
    }
