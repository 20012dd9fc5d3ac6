"""The web page, put together from its panels and served on this machine.

Nothing here decides anything about memory; that is all done by the package's classes.
"""

from __future__ import annotations

import socket
from typing import Any

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.models.base import ChatModel
from siliconfriend.texts import text

from .chat import add_chat_panel
from .friends import Friends
from .privacy import LOOPBACK, launch_switches, load_gradio


def build(friends: Friends) -> Any:
    """The page as Gradio blocks, not yet served."""
    gr = load_gradio()
    settings = friends.settings
    if friends.chat is None:
        hears = text("web", "hears_offline", settings.language)
    else:
        hears = text(
            "web",
            "hears_model",
            settings.language,
            model=friends.chat.name,
            address=friends.chat.address,
        )
    notice = text("web", "notice", settings.language, home=settings.home)
    with gr.Blocks(title=text("web", "title", settings.language), analytics_enabled=False) as page:
        gr.Markdown(f"# {text('web', 'title', settings.language)}")
        gr.Textbox(f"{notice}\n{hears}", show_label=False, interactive=False, container=False)
        add_chat_panel(friends)
    return page


def launch(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    clock: Clock | None = None,
    chat: ChatModel | None = None,
    block: bool = True,
) -> tuple[Any, str]:
    """Serve the page; ``block`` waits until it is closed.

    ``chat`` is opened from the settings unless given. Port 0 is any free one; None the
    first free one from 7860 on.

    Returns:
        The Gradio blocks (``close()`` ends them) and the page's address.

    Raises:
        ConfigurationError: a host that others could reach, since the page has no log-in.
    """
    if host not in LOOPBACK:
        raise ConfigurationError("web_only_loopback", host=host)
    page = build(Friends(settings, clock or SystemClock(), chat))
    page.queue(default_concurrency_limit=None)
    _, url, _ = page.launch(
        server_name=host,
        server_port=free_port() if port == 0 else port,
        quiet=True,
        prevent_thread_lock=True,
        **launch_switches(settings.home),
    )
    if block:
        print(text("web", "opens_at", settings.language, url=url), flush=True)
        page.block_thread()
    return page, url


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
