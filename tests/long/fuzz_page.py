"""The web page's own routes and its uploads as targets, as :mod:`tests.long.fuzz_doors` does HTTP.

A request goes through the guard that stands before everything, as one of a browser on this
machine. Replies are made in threads of their own; each request waits for those that it began,
and what ends one of them by an error is a fault of the request.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.applications import Starlette
from starlette.middleware import Middleware

from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.lore.companions import Companions
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import MovingClock
from tests.long.fuzz_doors import HttpDoor
from webui.backend import Backend
from webui.companions.edits import CompanionEdits, NameForm
from webui.memories.import_export import own_part
from webui.own_routes import own_routes
from webui.request_guard import RequestGuard

REPLY_SECONDS = 20.0
"""How long a reply may take until a request that began it is a fault."""


class PageDoor(HttpDoor):
    """The page's own routes over a data directory that begins anew now and then."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._failed: list[BaseException] = []

    def make_application(self) -> Any:
        """A page with Ada, who has said something."""
        threading.excepthook = lambda it: self._failed.append(it.exc_value or RuntimeError())
        shutil.rmtree(self._home, ignore_errors=True)
        self._home.mkdir(parents=True)
        settings = load_settings(home=self._home, environ={}, embedding="none", timezone="UTC")
        backend = Backend(settings, MovingClock())
        said = "I planted beans on 3 May with my sister Nora."
        Companion("Ada", runtime=backend.runtime).reply(said)
        companions = Companions(self._home)
        CompanionEdits(companions, settings, MovingClock()).create(NameForm(name="Wren"))
        guard = Middleware(RequestGuard, language=settings.language, log_in=None)
        return Starlette(routes=own_routes(backend, None), middleware=[guard])

    def answer(self, data: bytes) -> tuple[int, dict[bytes, bytes], bytes]:
        """Send one request and wait for the replies it began.

        Raises:
            AssertionError: a reply does not end.
        """
        found = super().answer(data)
        for thread in threading.enumerate():
            if thread.name == "page reply":
                thread.join(REPLY_SECONDS)
                assert not thread.is_alive(), data[:200]
        if self._failed:
            raise self._failed.pop()
        return found


def read_upload(data: bytes) -> None:
    """What is uploaded on the page is one's own part of a file, taken in as the page does."""
    settings = load_settings(home=Path("nowhere"), environ={}, timezone="UTC")
    own, now = own_part("Ada", data), MovingClock().moment
    store = InMemoryStore()
    import_bank(store, own, language=settings.language, zone=ZoneInfo("UTC"), now=now)
    assert {it.person for it in store.scopes()} <= {Scope.of("Ada").person}


_TURN = memory_id(Scope.of("Ada"), "turn", "2026-03-14", 0)
_ASKED = {"person": "Ada", "language": "en", "tab": "t"}
_READ = (
    *(f"/talk/{it}" for it in ("state", "cards", "earlier", "later", "around")),
    *(f"/memories/{it}" for it in ("timeline", "counted", "days", "found", "words", "portrait")),
    *(f"/companions/{it}" for it in ("all", "one", "picture", "export")),
    *(f"/beginning/{it}" for it in ("people", "name", "questions")),
)
_ACTS = (
    *(f"/talk/{it}" for it in ("open", "say", "stop", "withdraw", "undo", "unkeep", "rekeep")),
    *("/talk/search", "/talk/choose"),
    *(f"/memories/{it}" for it in ("act", "erase", "edit")),
)


def page_seeds(card: bytes, picture: bytes) -> tuple[bytes, ...]:
    """Each route with all that any of them takes, and uploads of companions.

    Args:
        card: a character card as JSON.
        picture: one in a PNG.
    """
    of_line = {"id": _TURN, "since": _TURN, "name": "Wren", "query": "beans", "most": "5"}
    days = {"days": "2026-03-14", "form": "picture"}
    query = urlencode({**_ASKED, **of_line, **days})
    body = {
        **_ASKED,
        "id": _TURN,
        "ids": [_TURN],
        "key": "k",
        "words": "I planted beans.",
        "act": "pin",
        "version": 0,
        "response": "Oh!",
        "off_record": False,
        "again": "",
        "before": "",
    }
    acts = json.dumps(body).encode()
    name = json.dumps({"name": "Robin"}).encode()
    return (
        *(f"GET {path}?{query}\n".encode() for path in _READ),
        *(f"POST {path}\n".encode() + acts for path in _ACTS),
        b"POST /companions/one\n" + name,
        b"PUT /companions/one?name=Wren\n" + name,
        b"DELETE /companions/one?name=Wren\n",
        b'POST /companions/entry?name=Wren\n{"text":"Wren sings.","keys":["rain"],"constant":false,'
        b'"language":null}',
        b"PUT /companions/picture?name=Wren\n" + picture,
        b"POST /companions/import?name=Wren\n" + card,
        b"POST /companions/import?known=yes&name=Wren\n" + picture,
    )


def page_home() -> Path:
    """A folder in memory where there is one: each request writes and flushes files."""
    fast = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="fuzz-page-", dir=fast if fast.is_dir() else None)) / "home"
