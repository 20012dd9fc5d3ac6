"""A process that does to Nora's memory what it is told, a line at a time.

Run as ``python -m tests.memory.talker PLACE``. ``say WORDS`` is answered ``kept``, ``read`` with
what Nora said as JSON, and both with ``refused: …`` where the store refuses.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from siliconfriend.errors import SiliconFriendError
from tests.memory.stored import queries, say
from tests.memory.writer import open_place


class Talker:
    """The other end of such a process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        return self._process.stdout.readline().strip()

    def say(self, words: str) -> str:
        """Say something; ``kept``, or why not."""
        return self._ask(f"say {words}")

    def read(self) -> Any:
        """Return what Nora said, as the process sees it, or why it cannot be read."""
        answer = self._ask("read")
        return answer if answer.startswith("refused") else json.loads(answer)


@contextmanager
def talker(place: str) -> Iterator[Talker]:
    """Run the process on a data directory or an address."""
    command = [sys.executable, "-m", "tests.memory.talker", place]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Talker(process)
        finally:
            process.kill()


def main(place: str) -> None:
    """Answer until standard input ends."""
    store = open_place(place)
    for line in sys.stdin:
        command, _, words = line.strip().partition(" ")
        try:
            if command == "say":
                say(store, words)
                answer = "kept"
            else:
                answer = json.dumps(queries(store))
        except SiliconFriendError as error:
            answer = f"refused: {error}"
        print(answer, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
