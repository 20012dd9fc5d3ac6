"""The doors of the program as targets: HTTP with every path and body, MCP, and long messages.

A request is one line, ``METHOD path?query``, and then its body, so that all of them are varied.
It goes into the application as a server would pass it on, without a socket.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.drafts import new_turn
from siliconfriend.memory.records import Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.models.tokens import estimate_message_tokens
from siliconfriend.person.bank import MemoryBank
from siliconfriend.runtime import Runtime
from siliconfriend.server import app as server
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.memory.temporary import TemporaryStore

LIVES = 200
"""After so many requests a server begins anew with nobody in it, or it would grow with the run."""
PATIENCE = 2.0
"""Seconds until a client leaves: a stream of MCP that nobody ends would stay open."""
LONGEST = 60.0
"""Seconds until an answer must be there."""
_ADA = Scope.of("Ada")


def runtime_of(home: Path, **settings: Any) -> Runtime:
    """A memory that is kept nowhere, offline and without vectors."""
    read = load_settings(home=home, environ={}, embedding="none", timezone="UTC", **settings)
    return Runtime(read, MovingClock(), store=TemporaryStore())


class HttpDoor:
    """The HTTP application with one person in it, begun anew now and then.

    Opened with the first request, for an event loop does not outlive a fork.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._asked = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._app: Any = None
        self._life: asyncio.Task[None] | None = None
        self._over = asyncio.Event()

    def __call__(self, data: bytes) -> None:
        """Send one request; its answer is one of those that are documented.

        Raises:
            AssertionError: it is a fault of the server, or no form that a client can read.
        """
        status, headers, answer = self.answer(data)
        assert status < 500, (data[:100], status, answer[:300])
        kind = headers.get(b"content-type", b"")
        if b"json" in kind and answer:
            json.loads(answer)
        elif b"event-stream" in kind:
            for event in answer.decode().splitlines():
                if event.startswith("data: {"):
                    json.loads(event.removeprefix("data: "))

    def answer(self, data: bytes) -> tuple[int, dict[bytes, bytes], bytes]:
        """Send one request; the status, the headers and the body of its answer."""
        if self._asked % LIVES == 0:
            self._begin_anew()
        self._asked += 1
        assert self._loop is not None
        line, _, body = data.partition(b"\n")
        asked = asyncio.wait_for(self._ask(line, body), LONGEST)
        return self._loop.run_until_complete(asked)

    def _begin_anew(self) -> None:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        if self._life is not None:
            self._over.set()
            self._loop.run_until_complete(self._life)
        self._over = asyncio.Event()
        self._app = self.make_application()
        begun = self._loop.create_future()
        self._life = self._loop.create_task(self._live(begun))
        self._loop.run_until_complete(begun)

    def make_application(self) -> Any:
        """The application of HTTP with Ada, who has said something."""
        settings = load_settings(home=self._home, environ={}, embedding="none", timezone="UTC")
        bank = MemoryBank(settings=settings, clock=MovingClock(), store=TemporaryStore())
        bank.person("Ada").reply("I planted beans on 3 May with my sister Nora.")
        return server.create_app(bank, None)

    async def _live(self, begun: asyncio.Future[None]) -> None:
        async with self._app.router.lifespan_context(self._app):
            begun.set_result(None)
            await self._over.wait()

    async def _ask(self, line: bytes, body: bytes) -> tuple[int, dict[bytes, bytes], bytes]:
        method, _, target = line.partition(b" ")
        path, _, query = target.partition(b"?")
        form = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method.decode("latin-1") if method.isalpha() else "POST",
            "scheme": "http",
            "path": unquote_to_bytes(path).decode("utf-8", "replace"),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": [
                (b"host", b"127.0.0.1"),
                (b"content-type", b"application/json"),
                (b"accept", b"application/json, text/event-stream"),
            ],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self._app(form, _receiving(body), send)
        answer = b"".join(one.get("body", b"") for one in sent)
        return sent[0]["status"], dict(sent[0]["headers"]), answer


def _receiving(body: bytes) -> Callable[[], Awaitable[dict[str, Any]]]:
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if left:
            return left.pop()
        await asyncio.sleep(PATIENCE)  # a client that waits for its answer, and then leaves
        return {"type": "http.disconnect"}

    return receive


def request(line: str, **body: Any) -> bytes:
    """One request as bytes."""
    return f"{line}\n".encode() + (json.dumps(body).encode() if body else b"")


def http_seeds(bank: bytes) -> tuple[bytes, ...]:
    """Every path and method of the server's own document, with the body it shows as its example."""
    settings = load_settings(home=Path("nowhere"), environ={}, embedding="none")
    people = MemoryBank(settings=settings, store=TemporaryStore())
    document = server.create_app(people, None).openapi()
    seeds = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            line = f"{method.upper()} {_filled(path)}{_query(operation)}"
            seeds.append(request(line, **_example(document, operation)))
    seeds += [b"POST /v1/people/Ada/import\n" + bank, b"POST /v1/import\n" + bank]
    return (*seeds, *_more_talk())


def _filled(path: str) -> str:
    turn = "turn-2026-03-14-0-00000000"
    names = {"person": "Ada", "memory_id": turn, "action": "pin", "part": "overall_history"}
    for name, value in {**names, "night": "n", "model": "default"}.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def _query(operation: dict[str, Any]) -> str:
    names = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
    values = {"limit": "5", "offset": "1", "query": "beans", "kind": "turn", "day": "2026-03-14"}
    return "?" + "&".join(f"{name}={values[name]}" for name in names if name in values)


def _example(document: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = content.get("schema", {})
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    examples = schema.get("examples") or [{}]
    found: dict[str, Any] = examples[0]
    return found


def _more_talk() -> Iterator[bytes]:
    """What clients of OpenAI's door and of MCP send beside the examples."""
    talk = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "I planted beans."}]},
        {"role": "assistant", "content": "Oh!", "tool_calls": [{"id": "1", "type": "function"}]},
        {"role": "tool", "content": "{}", "tool_call_id": "1"},
        {"role": "user", "content": "What did I plant?\u0000\ud83c\udf31"},
    ]
    door = "POST /v1/chat/completions"
    yield request(door, model="default", messages=talk, stream=True, user="Ada")
    tool = {"type": "function", "function": {"name": "f", "parameters": {}}}
    more = {"metadata": {"chat_id": "c", "message_id": "m"}, "stop": ["x"], "seed": 1}
    more |= {"response_format": {"type": "json_object"}}
    yield request(door, model="default", messages=talk[:2], tools=[tool], **more)
    yield request("POST /v1/people/Ada/chat", message="Hi", stream=True, metadata={"a": 1})
    for message in mcp_seeds():
        yield b"POST /mcp?user=Ada\n" + message


def mcp_seeds() -> tuple[bytes, ...]:
    """One message of MCP for each method, and one call of each tool."""
    methods: tuple[tuple[str, dict[str, Any]], ...] = (
        ("tools/list", {}),
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("resources/read", {"uri": "memory://Ada/profile"}),
        ("prompts/list", {}),
        ("prompts/get", {"name": "companion_en"}),
        ("ping", {}),
        *(("tools/call", {"name": name, "arguments": given}) for name, given in _CALLS),
    )
    return tuple(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
        for number, (method, params) in enumerate(methods)
    )


_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("add_memory", {"user_input": "Hi", "agent_response": "Oh"}),
    ("retrieve_memory", {"query": "beans"}),
    ("get_user_profile", {}),
    ("search_memories", {"query": "beans"}),
    ("forget_memory", {"memory_id": "turn-1"}),
    ("pin_memory", {"memory_id": "turn-1"}),
    ("change_scene", {}),
)


class LongMessages:
    """Messages of up to a million characters, before small contexts and large memories."""

    def __init__(self, home: Path, longest: int) -> None:
        self._home = home
        self._longest = longest

    def __call__(self, data: bytes) -> None:
        """Say it: the prompt fits the context or is refused plainly, and the words are kept.

        Raises:
            AssertionError: a model was sent more than it takes, or the words are gone.
        """
        words = data.decode("utf-8", "surrogateescape")
        message = words * (1 + self._longest // (len(words) + 1)) if len(data) % 3 else words
        context = (512, 2048, 8192, 32_768)[len(data) % 4]
        runtime = runtime_of(self._home, language="cn" if len(data) % 2 else "en")
        _remember_much(runtime, message)
        model = None
        if len(data) % 5:
            model = ScriptedChatModel(otherwise=lambda _all: "Oh!", context_tokens=context)
        companion = Companion("Ada", runtime=runtime, chat=model)
        before = sum(1 for _ in runtime.store.load(_ADA).turns())
        try:
            companion.reply(message)
        finally:
            after = sum(1 for _ in runtime.store.load(_ADA).turns())
            assert after == before + 1 or not message.strip() or after == before, after
            for call in () if model is None else model.calls:
                assert estimate_message_tokens(call) <= context, context


@cache
def _much(words: str) -> tuple[str, ...]:
    return tuple(f"{number} {words[: 2000 * number]}" for number in range(1, 6))


def _remember_much(runtime: Runtime, message: str) -> None:
    """Remember five turns, the longest of ten thousand characters of the same kind."""
    store, now = runtime.store, MovingClock().moment
    language = runtime.settings.language
    store.create(_ADA, Profile("Ada", language=language, timezone="UTC", created=now))
    for said in _much(message[:10_000]):
        with store.edit(_ADA) as edit:
            turn = new_turn(_ADA, edit.memory, said.encode("utf-8", "replace").decode(), now=now)
            edit.add(PutTurn(replace(turn, response="Oh!")))
