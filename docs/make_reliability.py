"""Write docs/reliability.md from docs/reliability/*.json, one proof a file.

Each script that proves something writes its own file (``tests/long/report.py``), so that no
figure of the page is copied by hand.

python docs/make_reliability.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("reliability.md")
PROOFS = Path(__file__).with_name("reliability")

FIELDS = ("order", "title", "command", "columns", "rows", "failed_first", "not_measured")

BEGINNING = """\
# Reliability

<!-- Written by python docs/make_reliability.py from docs/reliability/*.json -->

What was tried to lose, keep, mix up or half-do something, and what came of it. Each part is written by the command beside it, run to its end in the length that its rows say; the suite holds a short form of each. A *step* is one change of a file (making, renaming, linking, removing, flushing); *killed* means that the program ends before it, as by signal 9; *power cut* that besides what was not flushed is lost."""


def proofs(folder: Path = PROOFS) -> list[dict[str, Any]]:
    """Every proof, in the order of the page.

    Raises:
        ValueError: a file lacks a field, or a row has another length than the columns.
    """
    found = []
    for path in folder.glob("*.json"):
        proof = json.loads(path.read_text("utf-8"))
        if set(proof) != set(FIELDS):
            msg = f"{path.name}: the fields {', '.join(FIELDS)} were expected"
            raise ValueError(msg)
        if any(len(row) != len(proof["columns"]) for row in proof["rows"]):
            msg = f"{path.name}: each row needs {len(proof['columns'])} cells"
            raise ValueError(msg)
        found.append(proof)
    return sorted(found, key=lambda it: (it["order"], it["title"]))


def page(found: list[dict[str, Any]]) -> str:
    """The whole page."""
    parts = [BEGINNING, *("\n\n".join(_part(proof)) for proof in found)]
    missing = [f"- {it['title']}: {it['not_measured']}" for it in found if it["not_measured"]]
    if missing:
        parts.append("## Not measured\n\n" + "\n".join(missing))
    return "\n\n".join(parts) + "\n"


def _part(proof: dict[str, Any]) -> Iterator[str]:
    yield f"## {proof['title']}"
    yield f"`{proof['command']}`"
    columns = proof["columns"]
    yield "\n".join(_row(row) for row in (columns, ["---"] * len(columns), *proof["rows"]))
    if proof["failed_first"]:
        yield f"What failed first and was mended: {proof['failed_first']}"


def _row(cells: list[Any]) -> str:
    shown = (str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(shown)} |"


if __name__ == "__main__":
    PAGE.write_text(page(proofs()), "utf-8")
