"""What only a terminal gets: a pager for long lists and a little colour."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.cli.terminal import QUIET, draw, styled
from tests.cli.conftest import Run
from tests.cli.pseudo_terminal import terminal


def test_a_style_is_an_escape_sequence_only_where_colours_are_shown() -> None:
    """Escape sequences in the words themselves are gone before; the style is the program's."""
    words = f"{styled('faded', QUIET)} \x1b[31mred"
    assert draw(words, colours=True) == "\x1b[2mfaded\x1b[0m [31mred"
    assert draw(words, colours=False) == "faded [31mred"


@pytest.mark.slow
def test_a_long_list_goes_through_the_pager(run: Run, bank: Path, tmp_path: Path) -> None:
    """All of them, and plain: of another pager than `less` nobody knows whether it shows colours."""
    run("import", str(bank))
    pager = tmp_path / "pager"
    pager.write_text('#!/bin/sh\necho "paged"\ncat\n', encoding="utf-8")
    pager.chmod(0o755)
    with terminal("memories", "list", "--user", "Ada", PAGER=str(pager), TERM="xterm") as shown:
        assert shown.wait_for_end() == 0
    assert shown.shown.startswith("paged\r\n")
    assert "\r\n2026-03-02  vivid" in shown.shown
    assert "Biscuit came home!" in shown.shown


@pytest.mark.slow
def test_at_a_terminal_a_dead_server_leaves_no_line_of_the_companion(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its name stands there while it is waited for, and is taken away again."""
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("SILICONFRIEND_TIMEOUT", "0.2")
    with terminal("chat", "--user", "Ada", TERM="xterm", NO_COLOR="1") as shown:
        shown.wait_for("Ada: ")
        shown.seen()
        shown.type("Hello?\n")
        shown.wait_for("cannot be reached")
        shown.wait_for("Ada: ")
    # what was typed, then the line that is erased, then the error
    assert "SiliconFriend: \r\x1b[Khttp://127.0.0.1:9 cannot" in shown.shown
