"""docs/mcp.md lists what the server offers, as the server describes it."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_the_lists_are_those_of_the_server() -> None:
    """Whoever changes a tool runs ``python docs/make_mcp.py``."""
    page = (DOCS / "mcp.md").read_text("utf-8")
    names = runpy.run_path(str(DOCS / "make_mcp.py"))
    assert names["with_lists"](page) == page
    assert "### `search_memories`" in page
