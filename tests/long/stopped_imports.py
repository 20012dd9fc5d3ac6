"""Stop an import of years at any moment, and see whether anything of it is wrong.

``python -m tests.long.stopped_imports [TIMES] [MESSAGES]``. Half of the stops are signal 9,
half Ctrl-C. After each the memory must hold whole turns from the beginning of the past on, in
whole chunks; the same command then goes on, and is stopped again, until all is there.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from siliconfriend.importers.ledger import CHUNK
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.long.report import write_proof

ROOT = Path(__file__).parents[2]
ADA = Scope.of("Ada")
BEGAN = datetime(2012, 1, 1, 8, tzinfo=UTC)
SLOWEST = 120


def write_chat(path: Path, messages: int) -> list[tuple[str, str]]:
    """A chat of WhatsApp, twenty messages a day; gives the turns that it holds."""
    lines, turns = [], []
    for number in range(0, messages, 2):
        said = BEGAN + timedelta(days=number // 20, minutes=number % 20)
        turn = (f"This is message {number} about the garden.", f"Answer {number}, about beans.")
        turns.append(turn)
        for name, words in zip(("Ada", "Ben"), turn, strict=True):
            lines.append(f"[{said:%d.%m.%y, %H:%M:%S}] {name}: {words}\r\n")
    path.write_text("".join(lines), encoding="utf-8", newline="")
    return turns


def import_until(path: Path, home: Path, stop: int | None, seconds: float) -> int:
    """Run the import and send it a signal so many seconds after it opened the memory; its code."""
    command = [sys.executable, "-m", "siliconfriend", "import", str(path), "--user", "Ada"]
    environ = os.environ | {
        "SILICONFRIEND_HOME": str(home),
        "SILICONFRIEND_EMBEDDING": "none",
        "SILICONFRIEND_TIMEZONE": "UTC",
    }
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as run:
        assert run.stderr is not None
        # It says where the data lie when everything is read and the writing begins.
        while (line := run.stderr.readline()) and b"Data directory" not in line:
            pass
        try:
            return run.wait(seconds if stop is not None else SLOWEST)
        except subprocess.TimeoutExpired:
            run.send_signal(stop or signal.SIGKILL)
            return run.wait(SLOWEST)


def turns_in(home: Path) -> list[tuple[str, str]]:
    """What is there; nothing where the person is not known yet."""
    store = FileStore(home)
    if not store.exists(ADA):
        return []
    return [(turn.query, turn.response) for turn in store.load(ADA).turns()]


def main(times: int = 40, messages: int = 40_000) -> None:
    """Stop one import after another, each home until it is full."""
    chance = random.Random(0)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chat.txt"
        whole = write_chat(path, messages)
        homes = 0
        home = Path(folder) / "home0"
        for number in range(times):
            stop = signal.SIGINT if number % 2 else signal.SIGKILL
            code = import_until(path, home, stop, chance.uniform(0.0, 2.0))
            there = turns_in(home)
            is_right = there == whole[: len(there)]
            is_whole = len(there) % CHUNK == 0 or len(there) == len(whole)
            found["stopped" if code else "ended"] += 1
            found["wrong"] += not (is_right and is_whole)
            found["on the way"] += 0 < len(there) < len(whole)
            if len(there) == len(whole):
                homes += 1
                home = Path(folder) / f"home{homes}"
        import_until(path, home, None, SLOWEST)
        found["wrong"] += turns_in(home) != whole
    print(dict(found), f"{homes + 1} homes filled")
    write_proof(
        "stopped_imports",
        columns=["messages", "stopped", "with a part in", "homes filled in the end", "wrong"],
        rows=[[messages, found["stopped"], found["on the way"], homes + 1, found["wrong"]]],
    )
    if found["wrong"]:
        sys.exit("something is wrong")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
