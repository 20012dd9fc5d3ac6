"""Many chats at once, in one process and in several on one data directory: each word once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from siliconfriend.config import prepare_home
from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.loopback import Answered, LoopbackServer, streamed

MESSAGES = 3
"""Messages of each chat."""


def _echo(asked: dict[str, Any]) -> Answered:
    """Answer with the words of the last message, so that a reply shows whose it is."""
    words = asked["messages"][-1]["content"].splitlines()[-1]
    return streamed("Heard: ", words)


@contextmanager
def _serving(home: Path, model: str, processes: int) -> Iterator[list[str]]:
    """Servers on one data directory, in processes of their own; their addresses."""
    environ = {
        **os.environ,
        "SILICONFRIEND_HOME": str(home),
        "SILICONFRIEND_EMBEDDING": "none",
        "SILICONFRIEND_LLM": "openai",
        "SILICONFRIEND_RATE_LIMIT": "none",
        "OPENAI_BASE_URL": model,
        "OPENAI_API_KEY": "k",
    }
    command = [sys.executable, "-m", "siliconfriend", "serve", "--port", "0"]
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen(command, env=environ, text=True, stderr=subprocess.PIPE)
            )
            for _ in range(processes)
        ]
        try:
            yield [_address(process) for process in started]
        finally:
            for process in started:
                process.send_signal(signal.SIGTERM)
            for process in started:
                process.wait(60)


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"http://\S+?(?=/v1)", line):
            return found[0]
    raise AssertionError("the server does not start")


def _chat(urls: Sequence[str], key: str, chat: str) -> list[tuple[str, str]]:
    """Hold one chat, each message at another server; what was said and answered in it."""
    held: list[tuple[str, str]] = []
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(headers=headers, timeout=120, trust_env=False) as client:
        for number in range(MESSAGES):
            words = f"Message {number} of {chat} is about {chat}."
            history = [
                {"role": role, "content": content}
                for exchange in held
                for role, content in zip(("user", "assistant"), exchange, strict=True)
            ]
            body = {
                "model": "default",
                "messages": [*history, {"role": "user", "content": words}],
            }
            url = urls[number % len(urls)]
            answer = client.post(f"{url}/v1/chat/completions", json=body)
            assert answer.status_code == 200, answer.text
            held.append((words, answer.json()["choices"][0]["message"]["content"]))
    return held


def _hold_and_check(home: Path, model: str, *, processes: int, people: int, chats: int) -> None:
    """Hold ``chats`` chats at once and compare what is kept with what was said."""
    prepare_home(home)
    keys = {
        f"Person {number}": installation_in(home).keys.make_for(f"Person {number}")
        for number in range(people)
    }
    names = list(keys)
    with _serving(home, model, processes) as urls, ThreadPoolExecutor(chats) as threads:
        running = [
            (names[at % people], threads.submit(_chat, urls, keys[names[at % people]], f"chat{at}"))
            for at in range(chats)
        ]
        held = [(person, chat.result()) for person, chat in running]
    store = FileStore(home)
    for person in names:
        kept = sorted((it.query, it.response) for it in store.load(Scope.of(person)).turns())
        said = sorted(exchange for name, chat in held if name == person for exchange in chat)
        assert kept == said
        assert all(replied.endswith(words) for words, replied in kept)
    assert len(store.scopes()) == people


@pytest.mark.slow
def test_no_turn_is_lost_doubled_or_crossed(home: Path, loopback: LoopbackServer) -> None:
    """Two chats of each person at once, without ids of the client."""
    loopback.answers_by(_echo)
    _hold_and_check(home, loopback.url, processes=2, people=4, chats=8)


@pytest.mark.long
@pytest.mark.parametrize("processes", [1, 4])
def test_no_turn_of_sixty_four_chats_is_lost_doubled_or_crossed(
    home: Path, loopback: LoopbackServer, processes: int
) -> None:
    """Thirty-two people, in one process and in four."""
    loopback.answers_by(_echo)
    _hold_and_check(home, loopback.url, processes=processes, people=32, chats=64)
