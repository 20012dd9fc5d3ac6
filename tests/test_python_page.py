"""The examples of docs/python.md run as they stand there, one after the other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "python.md"


def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In an empty directory, offline, with the embedder that comes with the package."""
    (tmp_path / "memories").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SILICONFRIEND_HOME", str(tmp_path / "memories"))
    monkeypatch.setenv("SILICONFRIEND_LLM", "offline")
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    printed = []
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)
        printed.append(capsys.readouterr().out)
    assert len(blocks) == 8
    assert printed[0].endswith(" 2026-03-01\n")
    assert printed[1].startswith("2026-03-01 ")
    assert printed[2].endswith(" 0\n")
    assert "Miso" in printed[-1]
