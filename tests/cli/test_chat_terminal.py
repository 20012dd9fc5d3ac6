"""`chat` at a real terminal: greeting, prompt, Ctrl-C."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import NOW, ROOT, Run, turns_of
from tests.loopback import Answered, LoopbackServer, chunk

pytestmark = pytest.mark.slow


class Terminal:
    """A chat at a pseudo-terminal: type, and wait for words to appear."""

    def __init__(self, handle: int, child: subprocess.Popen[bytes]) -> None:
        self.child = child
        self.shown = ""
        self._handle = handle

    def type(self, words: str) -> None:
        os.write(self._handle, words.encode())

    def wait_for(self, words: str, seconds: float = 30) -> None:
        until = time.monotonic() + seconds
        while words not in self.shown:
            ready, _, _ = select.select([self._handle], [], [], until - time.monotonic())
            assert ready, f"{words!r} never appeared in {self.shown!r}"
            try:
                self.shown += os.read(self._handle, 4096).decode()
            except OSError:
                assert words in self.shown, f"ended without {words!r}: {self.shown!r}"

    def seen(self) -> str:
        """What was shown since the last look."""
        shown, self.shown = self.shown, ""
        return shown


@contextmanager
def _terminal(*words: str) -> Iterator[Terminal]:
    outer, inner = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "siliconfriend", "--now", NOW, *words],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        cwd=ROOT,
        env={**os.environ, "SILICONFRIEND_EMBEDDING": "none", "TERM": "dumb"},
        start_new_session=True,
    )
    os.close(inner)
    try:
        yield Terminal(outer, child)
    finally:
        child.kill()
        child.wait()
        os.close(outer)


def test_a_terminal_greets_answers_and_leaves_politely(run: Run, home: Path) -> None:
    """Where the data lie, who answers, a greeting, a prompt; Ctrl-D says goodbye."""
    with _terminal("chat", "--user", "Ada") as terminal:
        terminal.wait_for("Ada: ")
        opening = terminal.seen()
        assert f"Data directory: {home}" in opening
        assert "/help shows what you can type; /quit leaves." in opening
        assert "SiliconFriend: Hello Ada, we have not met before." in opening
        terminal.type("I planted beans.\n")
        terminal.wait_for("SiliconFriend: ")
        terminal.wait_for("\nAda: ")
        terminal.type("\x04")
        terminal.wait_for("Until next time, Ada.")
        assert terminal.child.wait(10) == 0
    assert [query for query, _ in turns_of(run)] == ["I planted beans."]


@pytest.mark.parametrize(
    ("lang", "newcomer", "known"),
    [
        (
            "en",
            "Pebble: Good to hear from you, Ada. The desk is open;",
            "as you like. I remember 2 days with you, from 2026-03-02 to 2026-03-10.",
        ),
        (
            "cn",
            "小石: Ada，又听到你的消息，真好。咨询台开着，",
            "想说多少就说多少。我记得我们聊过的 2 天，从 2026-03-02 到 2026-03-10。",
        ),
    ],
)
def test_a_companion_greets_in_its_own_words(
    run: Run, bank: Path, lang: str, newcomer: str, known: str
) -> None:
    """Somebody new by its greeting alone; somebody known also with what it remembers of them."""
    run("companion", "create", "Pebble", "--sample")
    words = ("chat", "--user", "Ada", "--companion", "Pebble", "--lang", lang)
    with _terminal(*words) as terminal:
        terminal.wait_for("Ada: ")
        opening = terminal.seen()
        assert newcomer in opening
        assert "2026" not in opening.split(newcomer)[1]
    run("import", str(bank), "--companion", "Pebble", "--lang", lang)
    with _terminal(*words) as terminal:
        terminal.wait_for("Ada: ")
        opening = terminal.seen()
        assert newcomer in opening
        assert known in opening


def test_ctrl_c_in_a_reply_keeps_what_was_said_and_returns_to_the_prompt(
    run: Run, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The half of a reply that was streamed is in the memory, marked as it was said."""
    monkeypatch.setenv("SILICONFRIEND_TIMEOUT", "30")
    model.answers([Answered([chunk("Once upon a time")], hangs=True)])
    with _terminal("chat", "--user", "Ada") as terminal:
        terminal.wait_for("Ada: ")
        terminal.type("Tell me a story.\n")
        terminal.wait_for("Once upon a time")
        terminal.seen()
        os.kill(terminal.child.pid, signal.SIGINT)
        terminal.wait_for("(stopped; what was said so far is kept)")
        terminal.wait_for("Ada: ")
        terminal.type("/quit\n")
        terminal.wait_for("Until next time, Ada.")
        assert terminal.child.wait(10) == 0
    monkeypatch.delenv("SILICONFRIEND_LLM")
    assert turns_of(run) == [("Tell me a story.", "Once upon a time")]


def test_ctrl_c_at_the_prompt_leaves_politely() -> None:
    """No traceback, a goodbye, and nobody new is remembered."""
    with _terminal("chat", "--user", "Ada") as terminal:
        terminal.wait_for("Ada: ")
        os.kill(terminal.child.pid, signal.SIGINT)
        # readline looks at a signal that came just before it waits only after the next key.
        terminal.type("\n")
        terminal.wait_for("Until next time, Ada.")
        assert terminal.child.wait(10) == 0
        assert "Traceback" not in terminal.shown


def test_an_interrupted_pipe_exits_130(
    run: Run, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script that is interrupted in the middle of a reply ends with 130, words kept."""
    monkeypatch.setenv("SILICONFRIEND_TIMEOUT", "30")
    model.answers([Answered([chunk("Once upon a time")], hangs=True)])
    with subprocess.Popen(
        [sys.executable, "-m", "siliconfriend", "--now", NOW, "chat", "--user", "Ada"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "SILICONFRIEND_EMBEDDING": "none", "SILICONFRIEND_TIMEZONE": "UTC"},
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"Tell me a story.\n")
        child.stdin.flush()
        shown = b""
        while b"Once upon a time" not in shown:
            piece = os.read(child.stdout.fileno(), 4096)
            assert piece, shown
            shown += piece
        child.send_signal(signal.SIGINT)
        _, complaint = child.communicate(timeout=20)
        assert child.returncode == 130
    assert b"Traceback" not in complaint
    assert turns_of(run) == [("Tell me a story.", "Once upon a time")]
