"""docs/models.md says of services and failures what the program has and does."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from siliconfriend.texts import LANGUAGES, Language

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_are_those_of_the_program(language: Language) -> None:
    """Whoever changes a preset, a sentence or a failure runs ``python -m docs.make_models``."""
    names = runpy.run_path(str(DOCS / "make_models.py"))
    page = names["PAGES"][language].read_text("utf-8")
    assert names["with_tables"](page, language) == page
    assert "deepseek-flash" in page
    assert page.count("| `") >= 7
