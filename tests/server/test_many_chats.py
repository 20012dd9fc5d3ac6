"""Many chats at once, in one process and in several on one data directory: each word once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from siliconfriend.config import prepare_home
from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.loopback import Answered, LoopbackServer, streamed
from tests.server.serving import serving_process

MESSAGES = 3
"""Messages of each chat."""


def _echo(asked: dict[str, Any]) -> Answered:
    """Answer with the words of the last message, so that a reply shows whose it is."""
    words = asked["messages"][-1]["content"].splitlines()[-1]
    return streamed("Heard: ", words)


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
            body = {"model": "default", "messages": [*history, {"role": "user", "content": words}]}
            url = urls[number % len(urls)]
            answer = client.post(f"{url}/v1/chat/completions", json=body)
            assert answer.status_code == 200, answer.text
            held.append((words, answer.json()["choices"][0]["message"]["content"]))
    return held


@pytest.mark.parametrize(
    ("processes", "people", "chats"),
    [
        pytest.param(2, 4, 8, marks=pytest.mark.slow),
        *(pytest.param(processes, 32, 64, marks=pytest.mark.long) for processes in (1, 4)),
    ],
)
def test_no_turn_is_lost_doubled_or_crossed(
    home: Path, loopback: LoopbackServer, processes: int, people: int, chats: int
) -> None:
    """Two chats of each person at once, without ids of the client."""
    loopback.answers_by(_echo)
    prepare_home(home)
    keys = {
        f"Person {number}": installation_in(home).keys.make_for(f"Person {number}")
        for number in range(people)
    }
    names = list(keys)
    environ = {
        "SILICONFRIEND_LLM": "openai",
        "SILICONFRIEND_RATE_LIMIT": "none",
        "OPENAI_BASE_URL": loopback.url,
        "OPENAI_API_KEY": "k",
    }
    with ExitStack() as stack, ThreadPoolExecutor(chats) as threads:
        servers = [serving_process(home, **environ) for _ in range(processes)]
        urls = [stack.enter_context(server)[0] for server in servers]
        running = [
            (names[at % people], threads.submit(_chat, urls, keys[names[at % people]], f"chat{at}"))
            for at in range(chats)
        ]
        held = [(person, chat.result()) for person, chat in running]
    store = FileStore(home)
    for person in names:
        kept = sorted((each.query, each.response) for each in store.load(Scope.of(person)).turns())
        said = sorted(exchange for name, chat in held if name == person for exchange in chat)
        assert kept == said
        assert all(replied.endswith(words) for words, replied in kept)
    assert len(store.scopes()) == people
