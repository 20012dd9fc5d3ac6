"""What happens when many chats come at once, and when a person has used their tokens."""

import socket
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import httpx
import pytest

from siliconfriend.config import Settings
from siliconfriend.models.base import Message, Usage
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.recaller import Recaller
from siliconfriend.server import replies
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.loopback import Answered, LoopbackServer
from tests.server.serving import Server, serving
from tests.waiting import until


class CountingChatModel(ScriptedChatModel):
    """A model whose every answer takes as many tokens."""

    last_usage = Usage(1, 90, 20)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The event that lets recalls go on."""
    let, recall = threading.Event(), Recaller.recall

    def wait(*given: object, **named: object) -> object:
        assert let.wait(20)
        return recall(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Recaller, "recall", wait)
    yield let
    let.set()


def _chat(server: Server, name: str) -> httpx.Response:
    with server.client() as client:
        return client.post(f"/v1/people/{name}/chat", json={"message": "Hello, how are you?"})


def test_who_would_wait_too_long_is_refused_at_once(
    settings: Settings, clock: MovingClock, held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the seconds after which to come again; the others are answered in their turn."""
    monkeypatch.setattr(replies, "AT_ONCE", 1)
    monkeypatch.setattr(replies, "MOST_WAITING", 1)
    with serving(MemoryBank(settings=settings, clock=clock)) as server:
        running = server.replies
        with ThreadPoolExecutor(2) as threads:
            first = threads.submit(_chat, server, "Ada")
            until(lambda: len(running) == 1 and running.waiting == 0)
            second = threads.submit(_chat, server, "Ben")
            until(lambda: running.waiting == 1)
            refused = _chat(server, "Cai")
            assert (refused.status_code, refused.json()["code"]) == (503, "busy")
            assert int(refused.headers["Retry-After"]) >= 1
            held.set()
            assert [first.result().status_code, second.result().status_code] == [200, 200]


def test_a_slow_model_keeps_nobody_from_recalling(
    settings: Settings, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what a server itself does is done in turn."""
    monkeypatch.setattr(replies, "AT_ONCE", 1)
    let = threading.Event()

    def answer(messages: Sequence[Message]) -> str:
        assert "Ada" not in messages[0].content or let.wait(20)
        return "Mm."

    model = ScriptedChatModel(otherwise=answer)
    bank = MemoryBank(settings=settings, clock=clock, chat=model)
    with serving(bank) as server, ThreadPoolExecutor(1) as threads:
        first = threads.submit(_chat, server, "Ada")
        until(lambda: len(model.calls) == 1)
        assert _chat(server, "Ben").status_code == 200
        let.set()
        assert first.result().status_code == 200


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", ["/v1/people/Ada/chat", "/v1/chat/completions"])
def test_a_client_that_leaves_ends_the_call_of_the_model(
    settings: Settings, clock: MovingClock, loopback: LoopbackServer, path: str, stream: bool
) -> None:
    """Before its first word too, and whether or not the answer is streamed."""
    loopback.answers([Answered(status=0, hangs=True)])
    chat = OpenAICompatible("tiny", base_url=loopback.url, context=8192)
    body: dict[str, Any] = {"message": "Hello.", "stream": stream}
    if path.endswith("completions"):
        messages = [{"role": "user", "content": "Hello."}]
        body = {"model": "default", "messages": messages, "stream": stream}
    with serving(MemoryBank(settings=settings, clock=clock, chat=chat)) as server:
        url = httpx.URL(server.url).join(path)
        headers = {"Authorization": f"Bearer {server.keys.make_for('Ada')}"}
        request = httpx.Request("POST", url, json=body, headers=headers)
        head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
        with socket.create_connection((url.host, url.port or 80)) as client:
            client.sendall(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + request.content)
            until(lambda: bool(loopback.asked))
        assert loopback.left.wait(20)
        until(lambda: len(server.replies) == 0)
        assert server.said() == [("Hello.", "")]


def test_a_person_has_tokens_for_a_day(settings: Settings, clock: MovingClock) -> None:
    """Then they are told so, with when the next day begins; others are answered."""
    model = CountingChatModel(otherwise=lambda _messages: "Mm.")
    limited = replace(settings, tokens_a_day=200)
    with serving(MemoryBank(settings=limited, clock=clock, chat=model)) as server:
        assert [_chat(server, "Ada").status_code for _ in range(3)] == [200, 200, 429]
        refused = _chat(server, "Ada")
        assert (refused.json()["code"], "200 tokens" in refused.json()["detail"]) == (
            *("tokens_spent",),
            True,
        )
        assert 0 < int(refused.headers["Retry-After"]) <= 86_400
        assert len(server.said()) == 2
        assert _chat(server, "Ben").status_code == 200
        with server.client_of("Ada") as ada:
            shown = ada.get("/v1/people/Ada/tokens").json()
            task = {"model": "default", "messages": [{"role": "user", "content": "A title."}]}
            headers = {"X-SiliconFriend-Task": "title_generation"}
            answer = ada.post("/v1/chat/completions", json=task, headers=headers)
            assert answer.status_code == 429
        (day,) = shown["days"]
        assert (shown["limit"], day["requests"], day["input_tokens"], day["output_tokens"]) == (
            *(200, 2, 180),
            40,
        )
