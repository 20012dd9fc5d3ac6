"""Commands at a pseudo-terminal, as a person types them."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.cli.conftest import NOW, ROOT


class Terminal:
    """A command at a pseudo-terminal: type, and wait for words to appear."""

    def __init__(self, handle: int, child: subprocess.Popen[bytes]) -> None:
        self.child = child
        self.shown = ""
        self._handle = handle

    def type(self, words: str) -> None:
        os.write(self._handle, words.encode())

    def wait_for(self, words: str, seconds: float = 40) -> None:
        until = time.monotonic() + seconds
        while words not in self.shown:
            assert self._read(until), f"ended without {words!r}: {self.shown!r}"

    def wait_for_end(self, seconds: float = 120) -> int:
        """Read what is still shown until the command ends; its exit code."""
        until = time.monotonic() + seconds
        while self._read(until):
            pass
        return self.child.wait(60)

    def _read(self, until: float) -> bool:
        """Read what is shown next; False where the command has ended."""
        ready, _, _ = select.select([self._handle], [], [], until - time.monotonic())
        assert ready, f"nothing came after {self.shown!r}"
        try:
            self.shown += os.read(self._handle, 4096).decode(errors="replace")
        except OSError:
            return False
        return True

    def seen(self) -> str:
        """What was shown since the last look."""
        shown, self.shown = self.shown, ""
        return shown


@contextmanager
def terminal(
    *words: str, program: tuple[str, ...] = ("-m", "siliconfriend"), **environ: str
) -> Iterator[Terminal]:
    """Run a command with a person at a terminal before it; ``program`` is what Python runs."""
    outer, inner = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, *program, "--now", NOW, *words],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        cwd=ROOT,
        env={**os.environ, "SILICONFRIEND_EMBEDDING": "none", "TERM": "dumb"} | environ,
        start_new_session=True,
    )
    os.close(inner)
    try:
        yield Terminal(outer, child)
    finally:
        child.kill()
        child.wait()
        os.close(outer)
