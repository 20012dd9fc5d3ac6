"""Import Gradio without what makes it take twice as long and serves nobody here.

At each import Gradio reads the source of its eighty components, draws from a template what an
editor may complete, and compares it with a file beside each. And the garbage collector walks time
and again through hundreds of thousands of things that stay to the end. Without both the page
starts one and a half seconds sooner.
"""

from __future__ import annotations

import gc
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch


@contextmanager
def no_stubs() -> Iterator[None]:
    """Let no source be found of Gradio's classes, of which it then draws no stub."""
    find = inspect.getfile

    def getfile(thing: Any) -> str:
        if isinstance(thing, type) and thing.__module__.startswith("gradio."):
            raise OSError("no stub is wanted")
        return find(thing)

    with patch.object(inspect, "getfile", getfile):
        yield


@contextmanager
def no_collection() -> Iterator[None]:
    """Let the garbage collector rest, if it does not yet."""
    works = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if works:
            gc.enable()
