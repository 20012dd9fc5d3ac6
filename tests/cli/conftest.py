"""Running commands the way a person or a script does."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from siliconfriend.cli.main import program
from tests.loopback import THREAD, LoopbackServer

ROOT = Path(__file__).parents[2]
NOW = "2026-03-14T09:00"


@dataclass(frozen=True)
class Outcome:
    """What a command left behind: exit code and the two streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document it must be."""
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, at Saturday 14 March 2026, 09:00 UTC, words only."""
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "none")
    monkeypatch.setenv("SILICONFRIEND_TIMEZONE", "UTC")

    def invoke(*words: str, said: str | None = None, now: str = NOW) -> Outcome:
        before = set(threading.enumerate())
        result = CliRunner().invoke(program, ["--now", now, *words], input=said)
        # Work in the background ends with its program; here the program is this process, in which
        # only the loop that awaits models goes on.
        while begun := [
            one
            for one in set(threading.enumerate()) - before
            if not one.name.startswith((THREAD, "event loop", "asyncio"))
        ]:
            for thread in begun:
                if thread.is_alive():  # one that is being started cannot be joined yet
                    thread.join()
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return invoke


@pytest.fixture
def process(home: Path) -> Run:
    """Run a command as a process of its own, with an environment of its own."""

    def start(*words: str, said: str = "", **environ: str) -> Outcome:
        own = {name: value for name, value in os.environ.items() if name not in environ}
        own |= {"SILICONFRIEND_EMBEDDING": "none", "SILICONFRIEND_TIMEZONE": "UTC"}
        done = subprocess.run(
            [sys.executable, "-m", "siliconfriend", *words],
            input=said.encode(errors="surrogateescape"),
            capture_output=True,
            cwd=ROOT,
            env=own | environ,
            timeout=120,
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return start


def turns_of(run: Run, name: str = "Ada") -> list[tuple[str, str]]:
    """What a person said and heard, in order."""
    exported = run("export", "--user", name).json
    days = exported[name]["history"].values()
    return [(turn["query"], turn["response"]) for day in days for turn in day]


def bank_of(name: str, *days: tuple[str, list[tuple[str, str]]]) -> dict[str, Any]:
    """A MemoryBank file of one person."""
    history = {
        date: [{"query": query, "response": response} for query, response in turns]
        for date, turns in days
    }
    return {name: {"name": name, "summary": {}, "personality": {}, "history": history}}


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A file with Ada, who spoke on two days of March 2026."""
    content = bank_of(
        "Ada",
        (
            "2026-03-02",
            [
                ("My cat Biscuit ran away.", "I am sorry. How long is she gone?"),
                ("Since the storm.", "Cats often hide close by."),
            ],
        ),
        ("2026-03-10", [("Biscuit came home!", "What a relief!")]),
    )
    path = tmp_path / "bank.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.fixture
def model(loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> LoopbackServer:
    """A chat model on this machine that the settings name."""
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("SILICONFRIEND_MODEL", "small")
    monkeypatch.setenv("SILICONFRIEND_TIMEOUT", "1")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    return loopback
