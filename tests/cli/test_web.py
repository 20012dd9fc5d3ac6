"""`web`: the command finds the page and refuses what would publish it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from siliconfriend.cli import web
from siliconfriend.cli.web import find_launch
from siliconfriend.config import Settings
from tests.cli.conftest import Run

pytestmark = pytest.mark.slow


def test_the_page_is_found_in_a_checkout() -> None:
    """The same command serves the page from a wheel and from a checkout."""
    assert find_launch().__module__.endswith("webui.app")


def test_the_page_is_of_the_companion_that_was_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is named on the command line is whose friend speaks there."""
    served: list[str] = []

    def launch(settings: Settings, **_: object) -> None:
        served.append(settings.companion)

    monkeypatch.setattr(web, "find_launch", lambda: launch)
    assert run("web", "--companion", "Robin").code == 0
    assert run("web").code == 0
    assert served == ["Robin", "default"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "example.org", "localhost.example"])
def test_an_address_others_could_reach_needs_a_log_in(run: Run, host: str) -> None:
    """Without --auth the page opens on this machine only, and the sentence says both ways."""
    done = run("web", "--host", host)
    assert (done.code, done.out) == (3, "")
    assert host in done.err
    assert "--auth" in done.err
    assert "--host" in done.err


def test_a_file_of_passwords_that_is_none_opens_no_page(run: Run, tmp_path: Path) -> None:
    """A missing file, one of something else and one with nobody in it exit with 3."""
    missing, other, empty = (tmp_path / f"{name}.json" for name in ("missing", "other", "empty"))
    other.write_text("{}", encoding="utf-8")
    run("users", "password", "Ada", "--file", str(empty), said="correct horse")
    run("users", "password", "Ada", "--file", str(empty), "--remove")
    for path in (missing, other, empty):
        done = run("web", "--auth", str(path), "--port", "0")
        assert (done.code, done.out) == (3, "")
        assert str(path) in done.err


def test_a_port_that_is_taken_is_told(process: Run) -> None:
    """Who already has a page open there learns which port to change."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = process("web", "--port", port)
    assert (done.code, done.out) == (3, "")
    assert port in done.err


def test_a_home_that_cannot_be_made_exits_3(run: Run, tmp_path: Path) -> None:
    """No page opens whose words would be lost."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run("--home", str(tmp_path / "file" / "x"), "web")
    assert (done.code, done.out) == (3, "")
