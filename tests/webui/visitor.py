"""Somebody who speaks to the served page without a browser, and asks for what no browser would."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import httpx


@dataclass
class Visitor:
    """A client that may have logged in.

    Attributes:
        url: of the page.
        session: the number of this visitor's tab, as a browser would draw it.
    """

    url: str
    session: str
    http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.http = httpx.Client(base_url=self.url, timeout=30)

    def log_in(self, name: str, password: str) -> int:
        """Send the log-in's form; the status, 303 when it lets in."""
        form = {"username": name, "password": password}
        return self.http.post("/login", data=form).status_code

    def config(self) -> dict[str, Any]:
        """What the page is made of: its components and its events."""
        found: dict[str, Any] = self.http.get("/config").raise_for_status().json()
        return found

    def join(
        self, event: int, data: list[Any], event_data: Any = None, session: str | None = None
    ) -> httpx.Response:
        """Ask for an event of the page."""
        body = {
            "data": data,
            "fn_index": event,
            "event_data": event_data,
            "session_hash": self.session if session is None else session,
        }
        return self.http.post("/gradio_api/queue/join", json=body)

    def heard(self) -> str:
        """All that the own tab is told, until nothing is under way."""
        heard = []
        address = "/gradio_api/queue/data"
        with self.http.stream("GET", address, params={"session_hash": self.session}) as lines:
            for line in lines.iter_lines():
                if line.startswith("data: "):
                    heard.append(json.dumps(json.loads(line[6:]), ensure_ascii=False))
        return "\n".join(heard)

    def call(self, event: int, data: list[Any], event_data: Any = None) -> str:
        """Ask for an event and hear it to its end; a refusal is its words."""
        joined = self.join(event, data, event_data)
        return self.heard() if joined.status_code == 200 else joined.text
