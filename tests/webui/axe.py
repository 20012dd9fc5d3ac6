"""Looks with axe-core for what keeps somebody out of the page."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

HOW_TO_GET_IT = "axe-core is missing: make install fetches it, where there is npm"
SEVERE = frozenset({"serious", "critical"})


@cache
def _script() -> str:
    """Axe-core as one script, from the environment in which the tests run."""
    found = sorted(Path(sys.prefix).glob("axe-core-*.js"))
    if not found:
        if os.environ.get("CI"):
            pytest.fail(HOW_TO_GET_IT)
        pytest.skip(f"NOT TESTED: {HOW_TO_GET_IT}")
    return found[-1].read_text(encoding="utf-8")


def faults(page: Page, *, rules: list[str] | None = None) -> list[str]:
    """What axe-core finds serious or critical, one line a rule; only ``rules`` if any are named."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_script())
    options = {"resultTypes": ["violations"]}
    if rules is not None:
        options["runOnly"] = rules
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{it['id']}: {it['nodes'][0]['html'][:200]} {it['nodes'][0].get('failureSummary', '')}"
        for it in found["violations"]
        if it["impact"] in SEVERE
    ]
