"""`web`: the command finds the page and refuses what would publish it."""

from __future__ import annotations

from pathlib import Path

from siliconfriend.cli.web import find_launch
from tests.cli.conftest import Run


def test_the_page_is_found_in_a_checkout() -> None:
    """The same command serves the page from a wheel and from a checkout."""
    assert find_launch().__module__.endswith("webui.app")


def test_an_address_others_could_reach_is_refused(run: Run) -> None:
    """There is no log-in, so the page opens on this machine only."""
    done = run("web", "--host", "0.0.0.0")
    assert (done.code, done.out) == (3, "")
    assert "--host" in done.err


def test_a_home_that_cannot_be_made_exits_3(run: Run, tmp_path: Path) -> None:
    """No page opens whose words would be lost."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run("--home", str(tmp_path / "file" / "x"), "web")
    assert (done.code, done.out) == (3, "")
