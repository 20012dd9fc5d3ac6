"""What a real terminal gets: greeting, prompt, questions, Ctrl-C, a pager, a little colour."""

import os
import signal
from pathlib import Path

import pytest

from siliconfriend.cli.terminal import QUIET, draw, styled
from tests.cli.conftest import Run, turns_of
from tests.cli.pseudo_terminal import terminal
from tests.loopback import Answered, LoopbackServer, chunk

pytestmark = pytest.mark.slow


def test_a_terminal_greets_answers_and_leaves_politely(run: Run, home: Path) -> None:
    """Where the data lie, who answers, a greeting, a prompt; Ctrl-D says goodbye."""
    with terminal("chat", "--user", "Ada") as shown:
        shown.wait_for("Ada: ")
        opening = shown.seen()
        assert f"Data directory: {home}" in opening
        assert "/help shows what you can type; /quit leaves." in opening
        assert "SiliconFriend: Hello Ada, we have not met before." in opening
        shown.type("I planted beans.\n")
        shown.wait_for("SiliconFriend: ")
        shown.wait_for("\nAda: ")
        shown.type("\x04")
        shown.wait_for("Until next time, Ada.")
        assert shown.child.wait(10) == 0
    assert [query for query, _ in turns_of(run)] == ["I planted beans."]


def test_chinese_can_be_typed_where_the_locale_is_plain(run: Run) -> None:
    """As on a server where nobody installed one; the line editor counts by the locale."""
    with terminal("chat", "--user", "Ada", LC_ALL="C", TERM="xterm") as shown:
        shown.wait_for("Ada: ")
        shown.type("你好，我叫安娜。\n")
        shown.wait_for("\nAda: ")
        shown.type("/quit\n")
        assert shown.wait_for_end() == 0
    assert [query for query, _ in turns_of(run)] == ["你好，我叫安娜。"]


def test_ctrl_c_or_the_end_of_the_terminal_in_a_reply_keeps_what_was_said(
    run: Run, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The half of a reply that was streamed is in the memory, marked as it was said."""
    monkeypatch.setenv("SILICONFRIEND_TIMEOUT", "30")
    model.answers([Answered([chunk("Once upon a time")], hangs=True)] * 2)
    with terminal("chat", "--user", "Ada") as shown:
        shown.wait_for("Ada: ")
        shown.type("Tell me a story.\n")
        shown.wait_for("Once upon a time")
        shown.seen()
        os.kill(shown.child.pid, signal.SIGINT)
        shown.wait_for("(stopped; what was said so far is kept)")
        shown.wait_for("Ada: ")
        shown.type("Another one.\n")
        shown.wait_for("Once upon a time")
        os.kill(shown.child.pid, signal.SIGHUP)
        assert shown.wait_for_end() == 130
    monkeypatch.delenv("SILICONFRIEND_LLM")
    half = "Once upon a time"
    assert turns_of(run) == [("Tell me a story.", half), ("Another one.", half)]


def test_a_name_nobody_has_is_asked_about_before_it_begins(run: Run, bank: Path) -> None:
    """A mistyped person or companion begins no memory unasked; a pipe is not asked."""
    run("import", str(bank))
    with terminal("chat", "--user", "Adda", "--lang", "en") as shown:
        shown.wait_for("Did you mean Ada?")
        shown.wait_for("[y/N]")
        shown.type("n\n")
        assert shown.wait_for_end() == 130
    with terminal("chat", "--user", "Adda", "--companion", "Nope") as shown:
        shown.wait_for("There is no companion called Nope")
        shown.type("y\n")
        shown.wait_for("Did you mean Ada?")
        shown.type("\n")
        assert shown.wait_for_end() == 130
    assert [one["user"] for one in run("users", "list", "--json").json["users"]] == ["Ada"]


def test_a_passphrase_is_asked_for_whatever_opens_the_memory(run: Run, home: Path) -> None:
    """By a command of one person, and by the one that moves everybody."""
    run("chat", "--user", "Ada", said="My dog is Rex.\n")
    run("users", "encrypt", "Ada", said="correct horse\n")
    for words in (("users", "show", "Ada"), ("migrate", "--to", f"{home}-moved")):
        with terminal(*words) as shown:
            shown.wait_for("Passphrase of ada-")
            shown.type("correct horse\n")
            assert shown.wait_for_end() == 0


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
