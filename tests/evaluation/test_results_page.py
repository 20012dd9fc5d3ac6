"""The results page and the picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.errors import ConfigurationError
from siliconfriend.evaluation.plot import draw
from siliconfriend.evaluation.results_page import write_section


def one(_field: object) -> None:
    """One way, from somewhere."""


def other(_field: object) -> None:
    """Another way.

    In two paragraphs.
    """


RECIPES = {"one": one, "other": other}
ROWS = [("one", {"1": 0.5, "3": 0.9}), ("other", {"1": 0.2, "3": 0.4})]


def _write(path: Path, name: str, body: str) -> str:
    write_section(path, name, body, language="en", recipes=RECIPES)
    return path.read_text(encoding="utf-8")


def test_a_page_is_made_with_what_each_recipe_is(tmp_path: Path) -> None:
    """The recipes' own docstrings, and room for what did not help."""
    page = _write(tmp_path / "page.md", "probing en", "| a |")
    assert "| a |" in page
    assert "- **one**: One way, from somewhere." in page
    assert "- **other**: Another way. In two paragraphs." in page
    assert "## What was tried and did not help" in page


def test_a_run_replaces_its_own_section_alone(tmp_path: Path) -> None:
    """Another run's table and a person's own words stay, in their places."""
    path = tmp_path / "page.md"
    _write(path, "probing en", "| a |")
    page = _write(path, "probing cn", "| b |")
    path.write_text(page.replace("Nothing has been written here yet.", "Stemming names."), "utf-8")
    page = _write(path, "probing en", r"| c \1 |")
    assert "| a |" not in page
    assert page.index(r"| c \1 |") < page.index("| b |") < page.index("Stemming names.")
    assert page.count("<!-- begin probing en -->") == 1
    assert _write(path, "probing en", r"| c \1 |") == page


def test_a_page_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """Such as a folder."""
    with pytest.raises(ConfigurationError):
        _write(tmp_path, "x", "y")


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_picture_is_drawn(ending: str, tmp_path: Path) -> None:
    """In the format its ending names."""
    pytest.importorskip("matplotlib", reason="NOT TESTED: the extra 'plot' is not installed")
    path = tmp_path / f"plot.{ending}"
    draw(path, "Share", ROWS, below="k")
    start = path.read_bytes()[:100]
    assert start.startswith(b"\x89PNG") if ending == "png" else b"<?xml" in start


def test_a_picture_of_no_known_format_is_refused(tmp_path: Path) -> None:
    """The error names those there are."""
    with pytest.raises(ConfigurationError) as caught:
        draw(tmp_path / "plot.docx", "Share", ROWS)
    assert ".svg" in caught.value.message()
