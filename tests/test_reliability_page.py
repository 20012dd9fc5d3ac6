"""docs/reliability.md is what its proofs say, and a proof that is not whole is refused."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from tests.long.report import replace_rows, write_proof

DOCS = Path(__file__).parents[1] / "docs"


def test_the_page_is_what_the_proofs_give() -> None:
    """Whoever changes a proof runs ``python docs/make_reliability.py``."""
    maker = runpy.run_path(str(DOCS / "make_reliability.py"))
    assert (DOCS / "reliability.md").read_text("utf-8") == maker["page"](maker["proofs"]())


def test_a_proof_becomes_a_part_of_the_page(tmp_path: Path) -> None:
    """Its table with its command, what failed first, and at the end what it leaves open."""
    named = {"columns": ["what", "times"], "command": "python -m it"}
    write_proof("b", order=2, title="Second", rows=[["a|b", 2]], docs=tmp_path, **named)
    write_proof(
        "a", order=1, title="First", rows=[["kills", 500]], failed_first="Much.",
        not_measured="Little.", docs=tmp_path, **named,
    )  # fmt: skip
    page = (tmp_path / "reliability.md").read_text("utf-8")
    assert page.index("## First") < page.index("## Second") < page.index("## Not measured")
    assert "`python -m it`\n\n| what | times |\n| --- | --- |\n| kills | 500 |\n" in page
    assert "What failed first and was mended: Much." in page
    assert "| a\\|b | 2 |" in page
    assert page.endswith("- First: Little.\n")


def test_rows_of_a_scenario_are_put_in_the_place_of_its_older_ones(tmp_path: Path) -> None:
    """The others stay as they were; a new scenario stands at the end."""
    rows = [["talk", "cut", 5], ["talk", "full", 6], ["night", "cut", 7]]
    write_proof(
        "a", order=1, title="A", command="it", columns=["what", "how", "times"],
        rows=rows, docs=tmp_path,
    )  # fmt: skip
    replace_rows("a", [["talk", "cut", 9], ["import", "cut", 1]], docs=tmp_path)
    kept = json.loads((tmp_path / "reliability" / "a.json").read_text("utf-8"))["rows"]
    assert kept == [["night", "cut", 7], ["talk", "cut", 9], ["import", "cut", 1]]


def test_a_row_that_lacks_a_cell_is_refused(tmp_path: Path) -> None:
    """The page is not written with a table that is askew."""
    with pytest.raises(ValueError, match="each row needs 2 cells"):
        write_proof(
            "a", order=1, title="First", command="it", columns=["what", "times"],
            rows=[["kills"]], docs=tmp_path,
        )  # fmt: skip
    assert not (tmp_path / "reliability.md").exists()


def test_a_proof_without_a_field_is_refused(tmp_path: Path) -> None:
    """A file that was written by hand and lacks something is named."""
    (tmp_path / "mine.json").write_text(json.dumps({"title": "Mine"}), "utf-8")
    maker = runpy.run_path(str(DOCS / "make_reliability.py"))
    with pytest.raises(ValueError, match=r"mine\.json"):
        maker["proofs"](tmp_path)
