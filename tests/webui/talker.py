"""A tab that talks over the page's own addresses, without a browser."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import httpx
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient

from siliconfriend.memory.scope import Scope
from webui.access.log_in import LogIn
from webui.backend import Backend

KEYS = count()


class Doorman(LogIn):
    """Lets in without a form: whoever the header names is logged in."""

    def user(self, connection: HTTPConnection) -> str | None:
        """The name in the header."""
        return connection.headers.get("x-user")


class Visitor:
    """A tab without a browser.

    Attributes:
        backend: of the page.
        http: the client.
        person: the name that is sent with each request.
    """

    def __init__(self, backend: Backend, http: TestClient, person: str = "Ada") -> None:
        self.backend, self.http, self.person, self.tab = backend, http, person, "tab"

    def get(self, path: str, **params: Any) -> httpx.Response:
        """Read something."""
        return self.http.get(f"/talk/{path}", params=self.asked(params))

    def post(self, path: str, **body: Any) -> httpx.Response:
        """Do something."""
        return self.http.post(f"/talk/{path}", json=self.asked(body))

    def asked(self, more: dict[str, Any]) -> dict[str, Any]:
        return {"person": self.person, "language": "en", "tab": self.tab, **more}

    def say(self, words: str, **more: Any) -> None:
        """Send a message and wait until no reply is under way."""
        answer = self.post("say", key=f"k-{next(KEYS)}", words=words, **more)
        assert answer.status_code == 200, answer.text
        self.wait()

    def wait(self) -> None:
        """Wait until no reply is under way."""
        talk = self.backend.replies.talk(Scope.of(self.person))
        over = threading.Event()
        with talk.events.waking(lambda: talk.running is None and over.set()):
            assert talk.running is None or over.wait(20)

    def state(self) -> dict[str, Any]:
        """What the tab shows."""
        found: dict[str, Any] = self.get("state").raise_for_status().json()
        return found

    def versions(self, identifier: str) -> list[str]:
        """The answers to the last message that the page could show."""
        scope = Scope.of(self.person)
        memory = self.backend.store.load(scope)
        turns, _ = self.backend.replies.talk(scope).versions.of(memory, identifier)
        return [it.response for it in turns]

    def lines(self) -> list[tuple[str, str, str]]:
        """What was said, and how each reply ended."""
        return [(it["query"], it["response"], it["end"]) for it in self.state()["lines"]]


Open = Callable[..., Visitor]


def ended_of(visitor: Visitor) -> dict[str, Any]:
    """What the last reply's end told."""
    events = visitor.backend.replies.talk(Scope.of(visitor.person)).events
    ended = [it for it in events.since(max(0, events.last - 3)) or [] if it.name == "ended"]
    return dict(ended[-1].data)
