"""Two processes of the page over one database, as behind a proxy."""

import json
import os
import re
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

from siliconfriend.installation.installation import Installation
from siliconfriend.installation.tables import COUNTS, INSTALLATION
from siliconfriend.memory.postgresql import PostgresDatabase
from tests.loopback import Answered, LoopbackServer, chunk, streamed
from tests.postgres_server import PostgresServer
from tests.waiting import PATIENCE, free_ports, until, until_listens

pytestmark = pytest.mark.slow

PASSWORD = "correct horse battery"
KEYS = count()
EXCHANGE = re.compile(
    r'data-state="(?P<state>\w+)" data-id="(?P<id>[^"]*)".*<p class="user">(?P<query>[^<]*)</p>'
    r'(?:.*<div class="md-block"><p>(?P<response>[^<]*)</p>)?',
    re.DOTALL,
)


@dataclass
class Fleet:
    """The addresses of all that answer, and what is behind them.

    Attributes:
        web: two of them.
        page: the process of the first page.
    """

    web: tuple[str, str]
    page: subprocess.Popen[bytes]
    model: LoopbackServer
    shared: Installation
    let_time_pass: Callable[[], None]


class Browser:
    """Somebody who logs in once and then asks either page."""

    def __init__(self, at: str, name: str) -> None:
        self.name, self.http = name, httpx.Client(timeout=30)
        self.http.post(f"{at}/login", data={"username": name, "password": PASSWORD})

    def events(self, at: str) -> Any:
        """Follow the talk as a tab does."""
        params = {"person": self.name, "tab": "t"}
        return self.http.stream("GET", f"{at}/talk/events", params=params, timeout=PATIENCE)

    def lines(self, at: str) -> list[dict[str, str]]:
        """Return what a tab is told first of each exchange: its id, state, query and response."""
        with self.events(at) as events:
            events.raise_for_status()
            told = next(line for line in events.iter_lines() if line.startswith("data: "))
        drawn = [html for _, html in json.loads(told[6:])["lines"] if "<article" in html]
        return [found.groupdict("") for html in drawn if (found := EXCHANGE.search(html))]

    def said(self, at: str) -> list[tuple[str, str, str]]:
        """Return what was said, and how each reply ended or that it runs."""
        return [(each["query"], each["response"], each["state"]) for each in self.lines(at)]

    def say(self, at: str, words: str, **more: Any) -> None:
        """Send a message."""
        key = f"key-{next(KEYS)}"
        body = {"person": self.name, "tab": "t", "key": key, "words": words, **more}
        self.http.post(f"{at}/talk/say", json=body).raise_for_status()


@pytest.fixture
def browse() -> Iterator[Callable[..., Browser]]:
    """Opens browsers."""
    opened: list[Browser] = []

    def open_one(at: str, name: str) -> Browser:
        opened.append(Browser(at, name))
        return opened[-1]

    yield open_one
    for page in opened:
        page.http.close()


@pytest.fixture(scope="module")
def fleet(
    postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    name, model = postgres_server.fresh(), LoopbackServer()
    address = postgres_server.address(name)
    database = PostgresDatabase(address, INSTALLATION, COUNTS)
    shared = Installation(database)
    shared.passwords.set("Ada", PASSWORD)
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
        for url in (here, there):
            until_listens(int(url.rpartition(":")[2]))

        def let_time_pass() -> None:
            shared.tables.change("UPDATE lease SET until = until - 10")

        yield Fleet((here, there), page, model, shared, let_time_pass)


def _environ(home: Path, address: str, model: str) -> Mapping[str, str]:
    given = {
        each: value for each, value in os.environ.items() if not each.startswith("SILICONFRIEND_")
    }
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


def test_what_is_said_at_one_page_is_seen_at_the_other(
    fleet: Fleet, browse: Callable[..., Browser]
) -> None:
    here, there = fleet.web
    fleet.model.answers([streamed("In ", "Porto.")])
    ada = browse(here, "Ada")
    ada.say(here, "Hello")
    until(lambda: ada.said(there) == [("Hello", "In Porto.", "whole")])
    with ada.events(there) as events:
        heard = events.iter_lines()
        next(heard)
        ada.say(here, "And the boat?")
        assert any("And the boat?" in line for line in heard)
    until(lambda: [each[2] for each in ada.said(there)] == ["whole", "whole"])


def test_a_reply_of_a_page_that_is_killed_goes_on_at_the_other(
    fleet: Fleet, browse: Callable[..., Browser]
) -> None:
    """The message stands, runs until the dead process's turn is over, and is answered again."""
    here, there = fleet.web
    fleet.model.answers([Answered([chunk("Half of ")], hangs=True)])
    ada = browse(here, "Ada")
    before = len(ada.said(there))
    ada.say(here, "Which colour was it?")
    until(lambda: ("Which colour was it?", "", "running") in ada.said(there))
    fleet.page.kill()
    fleet.page.wait()
    assert ada.said(there)[before][2] == "running"
    fleet.let_time_pass()
    line = ada.lines(there)[before]
    assert (line["query"], line["state"]) == ("Which colour was it?", "unanswered")
    fleet.model.answers([streamed("Blue.")])
    ada.say(there, "", id=line["id"])
    until(lambda: ada.said(there)[before] == ("Which colour was it?", "Blue.", "whole"))
