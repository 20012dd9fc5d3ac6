"""The worked example of reflection is what its command writes."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[1] / "docs"


def _without_rounding(page: str) -> str:
    """Another processor may round a cosine otherwise, and so turn two rows of a table around."""
    rows = re.sub(r"\d\.\d\d", "0.00", page)
    return re.sub(r"(?m)(?:^\|.*\n)+", lambda it: "".join(sorted(it[0].splitlines(True))), rows)


def test_the_page_is_what_the_command_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Made again without a model, it is the same; every insight rests on what its question saw."""
    made = tmp_path / "reflection.md"
    monkeypatch.setattr(sys, "argv", ["make_reflection.py", "--out", str(made)])
    runpy.run_path(str(DOCS / "make_reflection.py"), run_name="__main__")
    kept = (DOCS / "reflection.md").read_text(encoding="utf-8")
    assert _without_rounding(made.read_text(encoding="utf-8")) == _without_rounding(kept)
    assert capsys.readouterr().err == ""


def test_asking_a_model_needs_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Offline, ``--model`` says so and writes nothing."""
    monkeypatch.setattr(sys, "argv", ["make_reflection.py", "--model"])
    with pytest.raises(SystemExit):
        runpy.run_path(str(DOCS / "make_reflection.py"), run_name="__main__")
    assert "SILICONFRIEND_LLM" in capsys.readouterr().err
