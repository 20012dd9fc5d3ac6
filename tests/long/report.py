"""Keep what a long run found: ``docs/reliability.md`` links to it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"


def read_proof(name: str) -> list[list[Any]]:
    """The rows that a run has kept; none where there was none."""
    path = DOCS / "reliability" / f"{name}.json"
    rows: list[list[Any]] = json.loads(path.read_text("utf-8"))["rows"] if path.exists() else []
    return rows


def write_proof(name: str, *, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write ``docs/reliability/NAME.json``: the headings of a table and its rows."""
    proof = {"columns": list(columns), "rows": [list(row) for row in rows]}
    data = json.dumps(proof, ensure_ascii=False, indent=2) + "\n"
    (DOCS / "reliability" / f"{name}.json").write_text(data, "utf-8")
