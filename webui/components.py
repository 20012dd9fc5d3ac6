"""Content of a view and of its dialog."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any

from siliconfriend.importers.messages import visible

from .backend import Visit

ViewEvent = dict[str, Any]
"""An event of a view: its ``event`` (``select``, ``click`` or ``submit``), ``act`` and ``id`` of what
was pressed, ``fields`` of a form, ``live`` fields such as a search, ``until`` the oldest day
that is drawn, the parameters of the address, and the ``files`` of a form that uploads some."""
View = Callable[[Visit, ViewEvent], dict[str, Any] | Iterator[dict[str, Any]]]
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


@contextmanager
def uploaded(event: ViewEvent) -> Iterator[list[Path]]:
    """Write the files of an event under their own names; they are deleted when the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for place, (name, data) in enumerate(event.get("files", ())):
            path = Path(folder, str(place), visible(PurePath(name).name.lstrip(".")) or "file")
            path.parent.mkdir()
            path.write_bytes(data)
            paths.append(path)
        yield paths
