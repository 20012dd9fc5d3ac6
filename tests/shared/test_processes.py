"""Two processes each of page and ``serve`` over one database, as behind a proxy.

One ``serve`` is this process; whichever can be killed is a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from siliconfriend.config import load_settings
from siliconfriend.memory.postgres.database import Database
from siliconfriend.runtime import Runtime
from siliconfriend.server.access import Access
from siliconfriend.server.app import create_app
from siliconfriend.server.context import ServerContext
from siliconfriend.shared.factory import state_in_postgres
from siliconfriend.shared.login_limits import TRIES
from siliconfriend.shared.state import SharedState
from tests.loopback import Answered, LoopbackServer, chunk, streamed
from tests.postgres_server import PostgresServer
from tests.server.serving import listening_to
from tests.waiting import PATIENCE, free_ports, until, until_listens

pytestmark = pytest.mark.slow

PASSWORD = "correct horse battery"
KEYS = count()


@dataclass
class Fleet:
    """The addresses of all that answer, and what is behind them.

    Attributes:
        web, serve: two of each.
        page: the process of the first page.
    """

    web: tuple[str, str]
    serve: tuple[str, str]
    page: subprocess.Popen[bytes]
    model: LoopbackServer
    shared: SharedState
    let_time_pass: Callable[[], None]


class Browser:
    """Somebody who logs in once and then asks either page."""

    def __init__(self, at: str, name: str, password: str) -> None:
        self.http = httpx.Client(timeout=30)
        form = {"username": name, "password": password}
        self.answer = self.http.post(f"{at}/login", data=form)

    def state(self, at: str) -> dict[str, Any]:
        """The talk, as a tab is shown it."""
        found: dict[str, Any] = self.http.get(f"{at}/talk/state").raise_for_status().json()
        return found

    def say(self, at: str, words: str, **more: Any) -> None:
        """Send a message."""
        body = {"key": f"key-{next(KEYS)}", "words": words, **more}
        self.http.post(f"{at}/talk/say", json=body).raise_for_status()


@pytest.fixture
def browse() -> Iterator[Callable[..., Browser]]:
    """Opens browsers."""
    opened: list[Browser] = []

    def open_one(at: str, name: str, password: str = PASSWORD) -> Browser:
        opened.append(Browser(at, name, password))
        return opened[-1]

    yield open_one
    for it in opened:
        it.http.close()


@pytest.fixture(scope="module")
def fleet(
    postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    name, model = postgres_server.fresh(), LoopbackServer()
    address = postgres_server.address(name)
    database = Database(address)
    shared = state_in_postgres(database)
    for person in ("Ada", "Ben"):
        shared.passwords.set(person, PASSWORD)
    with ExitStack() as stack:
        stack.callback(postgres_server.drop, name)
        stack.callback(database.close)
        stack.callback(model.close)

        def start(command: str) -> tuple[str, subprocess.Popen[bytes]]:
            (port,) = free_ports(1)
            words = [sys.executable, "-m", "siliconfriend", command, "--port", str(port)]
            environ = _environ(tmp_path_factory.mktemp("host"), address, model.url)
            process = subprocess.Popen(words, env=environ, stdout=-3, stderr=-3)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return f"http://127.0.0.1:{port}", process

        (here, page), (there, _) = start("web"), start("web")
        serve, _ = start("serve")
        environ = _environ(tmp_path_factory.mktemp("host"), address, model.url)
        settings = load_settings(environ=environ)
        runtime = Runtime(settings)
        access = Access.of(settings, "127.0.0.1", runtime.shared.keys)
        app = create_app(ServerContext(runtime, access), access.origins)
        own_serve = stack.enter_context(listening_to(app))
        for url in (here, there, serve):
            until_listens(int(url.rpartition(":")[2]))

        def let_time_pass() -> None:
            past = "UPDATE siliconfriend.reply SET until = until - interval '10 seconds'"
            postgres_server.run(past, name)

        yield Fleet((here, there), (serve, own_serve), page, model, shared, let_time_pass)


def _environ(home: Path, address: str, model: str) -> Mapping[str, str]:
    given = {it: value for it, value in os.environ.items() if not it.startswith("SILICONFRIEND_")}
    return {
        **given,
        "SILICONFRIEND_HOME": str(home),
        "SILICONFRIEND_STORE": address,
        "SILICONFRIEND_EMBEDDING": "none",
        "SILICONFRIEND_LLM": "openai",
        "SILICONFRIEND_RATE_LIMIT": "6/minute",
        "OPENAI_API_KEY": "key",
        "OPENAI_BASE_URL": model,
    }


def test_a_log_in_at_one_page_holds_at_the_other(
    fleet: Fleet, browse: Callable[..., Browser]
) -> None:
    here, there = fleet.web
    ada = browse(here, "Ada")
    assert ada.answer.status_code == 303
    assert ada.state(there)["person"] == "Ada"
    ada.http.get(f"{there}/logout")
    assert ada.http.get(f"{here}/talk/state").status_code == 401


def test_tries_to_log_in_are_counted_over_both_pages(
    fleet: Fleet, browse: Callable[..., Browser]
) -> None:
    tried = [browse(fleet.web[it % 2], "Ben", "wrong").answer.status_code for it in range(TRIES)]
    assert tried == [400] * TRIES
    for at in fleet.web:
        assert browse(at, "Ben").answer.status_code == 429


def test_what_is_said_at_one_page_is_seen_at_the_other(
    fleet: Fleet, browse: Callable[..., Browser]
) -> None:
    """A tab that is open there hears of it, and what it asks for then holds the reply."""
    here, there = fleet.web
    fleet.model.answers([streamed("In ", "Porto.")])
    ada = browse(here, "Ada")
    ada.say(here, "Hello")
    until(lambda: _said(ada.state(there)) == [("Hello", "In Porto.", "whole")])
    at = ada.state(there)["at"]
    headers, address = {"last-event-id": at}, f"{there}/talk/events"
    with ada.http.stream("GET", address, headers=headers, timeout=PATIENCE) as events:
        ada.say(here, "And the boat?")
        assert "event: changed" in events.iter_lines()
    until(lambda: len(_said(ada.state(there))) == 2)
    until(lambda: not _under_way(ada.state(there)))


def test_keys_rates_and_memories_are_the_same_at_both_apis(fleet: Fleet) -> None:
    here, there = fleet.serve
    key = fleet.shared.keys.make_for("Cleo")
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    fleet.model.answers([streamed("Good.")])
    with httpx.Client(headers=headers, timeout=30) as cleo:
        cleo.post(
            f"{here}/v1/people/Cleo/chat", json={"message": "I planted beans."}
        ).raise_for_status()
        found = cleo.get(f"{there}/v1/people/Cleo/memories").raise_for_status()
        assert "I planted beans." in found.text
        said = {"user_input": "I sold the cello.", "agent_response": "To whom?"}
        assert "error" not in _call(cleo, here, "add_memory", said)
        assert "cello" in json.dumps(_call(cleo, there, "search_memories", {"query": "cello"}))
        more = [cleo.get(f"{it}/v1/people/Cleo/memories") for it in (here, there, here, there)]
    assert [it.status_code for it in more] == [200, 200, 429, 429]
    assert httpx.get(f"{there}/v1/people", headers={"Authorization": "Bearer x"}).is_error


def test_a_reply_of_a_page_that_is_killed_goes_on_at_the_other(
    fleet: Fleet, browse: Callable[..., Browser]
) -> None:
    """The message stands, runs until the dead process's turn is over, and is answered again."""
    here, there = fleet.web
    fleet.model.answers([Answered([chunk("Half of ")], hangs=True)])
    ada = browse(here, "Ada")
    before = len(_said(ada.state(there)))
    ada.say(here, "Which colour was it?")
    until(lambda: _under_way(ada.state(there)))
    assert ada.state(there)["running"]["words"] == "Which colour was it?"
    fleet.page.kill()
    fleet.page.wait()
    assert _under_way(ada.state(there))
    fleet.let_time_pass()
    line = ada.state(there)["lines"][before]
    assert (line["query"], line["end"]) == ("Which colour was it?", "unanswered")
    fleet.model.answers([streamed("Blue.")])
    ada.say(there, "", again=line["id"])
    until(lambda: _said(ada.state(there))[before] == ("Which colour was it?", "Blue.", "whole"))


def _said(state: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(it["query"], it["response"], it["end"]) for it in state["lines"]]


def _under_way(state: Mapping[str, Any]) -> bool:
    return state["running"] is not None


def _call(client: httpx.Client, at: str, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Call a tool over MCP."""
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": given},
    }
    found: dict[str, Any] = client.post(f"{at}/mcp", json=body).raise_for_status().json()
    return found
