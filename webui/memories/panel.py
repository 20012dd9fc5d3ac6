"""The memories panel: places that ``static/memories`` fills from the routes of the memories."""

from __future__ import annotations

from typing import Any

from ..backend import Backend
from ..look.places import place
from ..words.labels import Labels


class MemoriesPanel:
    """The panel, put into the page that is being built.

    Attributes:
        show, inputs, outputs: nothing, since the page's own script asks for what is shown.
    """

    show = None

    def __init__(self, _backend: Backend, _labels: Labels, _person: Any, _language: Any) -> None:
        place("memories")
        place("carrying")
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
