"""Keep what a long run found, for ``docs/reliability.md``."""

from __future__ import annotations

import json
import runpy
from collections.abc import Sequence
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"

Cell = str | int | float


def write_proof(
    name: str,
    *,
    order: int,
    title: str,
    command: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    failed_first: str = "",
    not_measured: str = "",
    docs: Path = DOCS,
) -> None:
    """Write ``docs/reliability/NAME.json`` and the page anew.

    Args:
        name: of the file, without its ending.
        order: where on the page; smaller numbers stand first.
        title: the heading, in Markdown.
        command: what was run, so that anybody can run it again.
        columns: headings of the table.
        rows: its rows, each with a cell for every column; they say how long the run was.
        failed_first: what the proof found before it was mended, a sentence or several.
        not_measured: what it leaves open.
        docs: the folder of the pages.

    Raises:
        ValueError: a row has another length than the columns.
    """
    proof = {
        "order": order,
        "title": title,
        "command": command,
        "columns": list(columns),
        "rows": [list(row) for row in rows],
        "failed_first": failed_first,
        "not_measured": not_measured,
    }
    folder = docs / "reliability"
    folder.mkdir(exist_ok=True)
    data = json.dumps(proof, ensure_ascii=False, indent=2) + "\n"
    (folder / f"{name}.json").write_text(data, "utf-8")
    maker = runpy.run_path(str(DOCS / "make_reliability.py"))
    (docs / "reliability.md").write_text(maker["page"](maker["proofs"](folder)), "utf-8")


def replace_rows(name: str, rows: Sequence[Sequence[Cell]], docs: Path = DOCS) -> None:
    """Put rows of a shorter run in the place of those of the same scenario, and write the page anew.

    A scenario, which is the first cell, that is not there yet goes to the end.
    """
    path = docs / "reliability" / f"{name}.json"
    proof = json.loads(path.read_text("utf-8"))
    again = {row[0] for row in rows}
    proof["rows"] = [*(row for row in proof["rows"] if row[0] not in again), *map(list, rows)]
    write_proof(name, **proof, docs=docs)
