"""Looks with axe-core for what keeps somebody out of the page."""

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page

HOW_TO_GET_IT = "axe-core is missing: make install fetches it, where there is npm"
SEVERE = frozenset({"serious", "critical"})
Colours = Literal["light", "dark"]
COLOURS: tuple[Colours, ...] = ("light", "dark")


@cache
def _script() -> str:
    """Axe-core as one script, from the environment in which the tests run."""
    found = sorted(Path(sys.prefix).glob("axe-core-*.js"))
    if not found:
        if os.environ.get("CI"):
            pytest.fail(HOW_TO_GET_IT)
        pytest.skip(f"NOT TESTED: {HOW_TO_GET_IT}")
    return found[-1].read_text(encoding="utf-8")


def faults(page: Page) -> list[str]:
    """What axe-core finds serious or critical by day and by night, one line a rule."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_script())
    return [line for colours in COLOURS for line in _faults(page, colours)]


def _faults(page: Page, colours: Colours) -> Iterator[str]:
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")  # else it sees them change
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    for each in found["violations"]:
        if each["impact"] in SEVERE:
            node = each["nodes"][0]
            yield f"{colours} {each['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
