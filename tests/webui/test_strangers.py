"""Somebody who is logged in tries every event and every route to reach another's memory.

Each try is made twice: with what belongs to another, where nothing may come back or
change, and with one's own, which shows that the same try would have reached something.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from fastapi.routing import APIRoute

from siliconfriend.config import Settings
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import Message
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.webui.conftest import ADA, BEN, Serve, Served
from tests.webui.visitor import Visitor
from webui.access.json_routes import JsonRoutes, json_app
from webui.memories.import_export import ImportExportRoutes
from webui.memories.routes import MemoryRoutes
from webui.talk.line_routes import LineRoutes
from webui.talk.routes import TalkRoutes

WORD = {"Ada": "Zanzibar", "Ben": "Quartzite"}
"""A word that stands in every text of each person and nowhere else."""

TABS = count()
"""No tab is another's, also where two tests share a page."""

TOLD = ("first hour", "second hour")


def bank(name: str) -> dict[str, Any]:
    """A person in MemoryBank's form, whose every text holds their word."""
    word = WORD[name]
    history = {
        f"2026-11-{day}": [
            {"query": f"My {it} was in {word}.", "response": f"So {word} it was, {it}."}
            for it in TOLD
        ]
        for day in ("10", "12", "20")
    }
    return {
        name: {
            "name": name,
            "history": history,
            "summary": {it: {"content": f"A day in {word}."} for it in history},
            "personality": dict.fromkeys(history, f"Fond of {word}."),
            "overall_history": f"Days in {word}.",
            "overall_personality": f"Drawn to {word}.",
        }
    }


@dataclass
class Village:
    """A page with Ada and Ben, both of whom have a past.

    Attributes:
        served: the page.
        ada, ben: visitors who are logged in.
    """

    served: Served
    ada: Visitor
    ben: Visitor

    def file(self, name: str) -> Path:
        """Where a person's memory lies."""
        return self.served.store.folder(Scope.of(name)) / "memory.json"

    def everything(self, name: str) -> dict[Path, bytes]:
        """Each file of a person, but the index, which is a cache."""
        folder = self.file(name).parent
        paths = (it for it in folder.rglob("*") if it.is_file())
        return {it: it.read_bytes() for it in paths if not it.name.startswith("index.sqlite")}


Settle = Callable[..., Village]


@pytest.fixture
def settle(serve: Serve, auth: Path, settings: Settings, clock: MovingClock) -> Iterator[Settle]:
    """Let Ada and Ben move in."""
    here: list[Visitor] = []

    def start(chat: ScriptedChatModel | None = None) -> Village:
        served = serve(samples=False, auth=auth, chat=chat)
        zone = settings.zone
        for name in WORD:
            now = clock.now(zone)
            import_bank(served.store, bank(name), language="en", zone=zone, now=now)
        for name, password in (("Ada", ADA), ("Ben", BEN)):
            here.append(Visitor(served.url, f"tab-{next(TABS)}-of-{name}"))
            assert here[-1].log_in(name, password) == 303
        return Village(served, *here)

    yield start
    for visitor in here:
        visitor.http.close()


def tries(village: Village, name: str) -> Iterator[str]:
    """Words by which somebody might reach that person: names, ids and paths."""
    memory = village.served.memory(name)
    file = village.file(name)
    for turn in list(memory.turns())[:1]:  # taking back may have left none of one's own
        yield turn.id
    yield f"../{file.parent.name}/memory.json"
    yield str(file)
    yield name


def values(component: dict[str, Any], word: str, chosen: Sequence[str] = ()) -> Any:
    """The word, and memories to choose, in the form that a component takes."""
    match component["type"]:
        case "radio":
            return "en"
        case "checkbox":
            return False
        case "slider":
            return 5
        case "browserstate":
            return {"name": word, "language": "en"}
        case "dropdown":
            return list(chosen)
        case "textbox" | "state":
            return word
    return None


def try_events(village: Village, of: str) -> tuple[dict[str, str], int]:
    """Ada tries every event of the page with what is another's or her own.

    Returns:
        All that each event told her, by its name, and how many tries were made.
    """
    ada = village.ada
    config = ada.config()
    components = {it["id"]: it for it in config["components"]}
    heard: dict[str, str] = {"config": json.dumps(config)}
    tried, memory_id = 0, next(iter(village.served.memory(of).turns())).id
    words = list(tries(village, of))
    show, given = show_of(village)
    ada.call(show, given)  # Gradio takes no choice that was not offered in this tab before
    for event in config["dependencies"]:
        if not event["backend_fn"]:
            continue
        kinds = {components[it]["type"] for it in event["inputs"]}
        choices: list[list[str]] = [[], [memory_id]] if "dropdown" in kinds else [[]]
        for word in words:
            for chosen in choices:
                data = [values(components[it], word, chosen) for it in event["inputs"]]
                told = ada.call(event["id"], data)
                heard[event["api_name"]] = heard.get(event["api_name"], "") + told
                tried += 1
    return heard, tried


QUOTING = {"show"}
"""Events that tell words of a life to whoever's it is."""
NIGHTS = {"_run", "show_1", "show_2"}
"""Events that tell of a night, which names whose it was and quotes nobody."""


def quoting(heard: dict[str, str], word: str) -> set[str]:
    """The events that told a word."""
    return {name for name, told in heard.items() if word in told}


def test_no_event_reaches_another(settle: Settle) -> None:
    """Whatever Ada sends to any event, no word of Ben comes back and no byte of his changes."""
    village = settle()
    before = village.everything("Ben")
    heard, tried = try_events(village, "Ben")
    assert tried >= 4 * (len(heard) - 1) > 4 * len(QUOTING | NIGHTS)
    assert quoting(heard, WORD["Ben"]) == quoting(heard, "Ben:") == set()
    assert village.everything("Ben") == before
    # With his name she got her own: what refuses everything would prove nothing.
    assert quoting(heard, WORD["Ada"]) >= QUOTING
    assert quoting(heard, "Ada:") >= NIGHTS


def test_the_same_events_reach_ones_own(settle: Settle) -> None:
    """Each tells Ada of herself, also of a memory by its id, and the night changes her files."""
    village = settle()
    before = village.everything("Ada")
    heard, _ = try_events(village, "Ada")
    assert quoting(heard, WORD["Ada"]) >= QUOTING | {"draw"}
    assert quoting(heard, "Ada:") >= NIGHTS
    assert quoting(heard, '"success": false') == set()
    assert village.everything("Ada") != before


def json_routes() -> list[tuple[str, str]]:
    """Every route of our own that is somebody's: what reads first, what erases last."""
    backend: Any = Mock()  # only the addresses are asked for
    last = ["/talk/say", "/talk/choose", "/talk/undo", "/memories/erase"]
    talk = TalkRoutes(backend)
    of_prefix: dict[str, tuple[JsonRoutes, ...]] = {
        "/talk": (talk, LineRoutes(backend, talk.scope_of)),
        "/memories": (MemoryRoutes(backend), ImportExportRoutes(backend)),
    }
    found = [
        (method, prefix + route.path)
        for prefix, given in of_prefix.items()
        for route in json_app(given, "en").routes
        if isinstance(route, APIRoute) and route.path != "/events"  # which never ends
        for method in route.methods
    ]
    return sorted(found, key=lambda it: (it[0], last.index(it[1]) if it[1] in last else -1))


BY_ID = {f"/talk/{it}" for it in ("cards", "around", "say", "undo", "choose")} | {
    f"/memories/{it}" for it in ("words", "act", "erase", "edit")
}
"""Routes that must refuse an id that is none of one's own."""


def ask(visitor: Visitor, method: str, path: str, name: str, line: str) -> httpx.Response:
    """Ask a route for all that any of them takes: a person's name, and the id of a line."""
    of_line = {"id": line, "again": line, "since": line, "before": line}
    asked = {
        "person": name,
        "name": name,
        "user": name,
        "language": "en",
        "tab": "x",
        "key": "k",
        "act": "pin",
        "words": "hour",
        "response": "Other words.",
        "version": 0,
        "form": "native",
        "days": "2026-11-10,2026-11-12,2026-11-20",
        **(of_line if path != "/talk/search" else {}),
    }
    if method == "GET":
        return visitor.http.get(path, params=asked)
    if path == "/memories/import":
        held = json.dumps(bank(name)).encode()
        return visitor.http.post(path, params={"person": name}, content=held)
    return visitor.http.request(method, path, json={**asked, "ids": [line]}, params={"name": name})


def test_no_route_of_our_own_reaches_another(settle: Settle) -> None:
    """With Ben's name, and each of his ids or paths, Ada reads nothing and changes nothing."""
    village = settle()
    before, own = village.everything("Ben"), village.everything("Ada")
    answered: dict[str, str] = {}
    for line in (*(it.id for it in village.served.memory("Ben").turns()), *tries(village, "Ben")):
        for method, path in json_routes():
            answer = ask(village.ada, method, path, "Ben", line)
            assert WORD["Ben"] not in answer.text, (path, line)
            assert "Ben" not in answer.text.replace(line, ""), (path, line)
            assert path not in BY_ID or answer.status_code in (409, 400), (path, line)
            answered[path] = answered.get(path, "") + answer.text
    for path in ("/talk/state", "/talk/search", "/memories/days", "/memories/portrait"):
        assert WORD["Ada"] in answered[path], path
    assert village.everything("Ben") == before
    assert village.everything("Ada").keys() >= own.keys()


def test_every_route_of_our_own_reaches_ones_own(settle: Settle) -> None:
    """The same requests with Ada's own line are all done, and what was erased is gone."""
    village = settle()
    before, first = village.everything("Ada"), len(list(village.served.memory("Ada").turns()))
    tried = set()
    for method, path in json_routes():
        line = list(village.served.memory("Ada").turns())[-1].id
        heard = {"last-event-id": village.ada.http.get("/talk/state").json()["at"]}
        answer = ask(village.ada, method, path, "Ada", line)
        assert answer.status_code == 200, (path, answer.text)
        tried.add(path)
        if path == "/talk/say":
            with village.ada.http.stream("GET", "/talk/events", headers=heard) as lines:
                assert any('"end": "whole"' in it for it in lines.iter_lines())
        if path in ("/talk/undo", "/memories/erase"):
            assert village.served.memory("Ada").find(line) is None
    assert tried > BY_ID
    assert len(list(village.served.memory("Ada").turns())) == first - 2
    assert village.everything("Ada") != before


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_no_companion_is_changed_by_who_may_not(settle: Settle, method: str) -> None:
    """Companions are everybody's: who was not named by the operator reads the list alone."""
    village = settle()
    home = village.served.home
    before = {it: it.read_bytes() for it in home.glob("companions/**/*") if it.is_file()}
    for word in tries(village, "Ben"):
        for path in ("one", "picture", "entry", "import", "export"):
            answer = village.ada.http.request(
                method, f"/companions/{path}", params={"name": word, "id": word, "person": "Ben"}
            )
            assert answer.status_code in (400, 403, 404, 405), (path, word)
            assert WORD["Ben"] not in answer.text
    for path in ("/companions/all", "/beginning/questions"):
        answer = village.ada.http.get(path, params={"person": "Ben", "name": "Ben"})
        assert answer.status_code == 200
        assert WORD["Ben"] not in answer.text
    after = {it: it.read_bytes() for it in home.glob("companions/**/*") if it.is_file()}
    assert after == before


def test_anothers_tab_is_closed_to_reading_acting_and_ending(settle: Settle) -> None:
    """With the number of Ben's tab Ada hears nothing of what it is told and cannot end it.

    Nor with the number of what his tab asked for, in the name of a tab of her own.
    """
    village = settle()
    ada, ben = village.ada, village.ben
    show, given = show_of(village)
    joined = ben.join(show, given)
    tab, number = ben.session, joined.json()["event_id"]
    own = ada.join(show, given).json()["event_id"]
    stop = {"session_hash": tab, "fn_index": show, "event_id": number}
    answers = [
        ada.http.get("/gradio_api/queue/data", params={"session_hash": tab}),
        ada.http.get(f"/gradio_api/queue/data?session_hash={ada.session}&session_hash={tab}"),
        ada.http.get(f"/gradio_api/heartbeat/{tab}"),
        ada.http.post("/gradio_api/cancel", json=stop),
        ada.http.post("/gradio_api/cancel", json={**stop, "event_id": own}),
        ada.http.post("/gradio_api/cancel", json={**stop, "session_hash": ada.session}),
        ada.http.post("/gradio_api/cancel", json={**stop, "session_hash": ""}),
        ada.http.post("/gradio_api/reset", json={"event_id": number, "session_hash": tab}),
        ada.http.post("/gradio_api/reset", json={"event_id": number}),
        ada.join(show, given, session=tab),
    ]
    assert [it.status_code for it in answers] == [403] * len(answers)
    assert all(WORD["Ben"] not in it.text for it in answers)
    assert WORD["Ben"] in ben.heard()
    assert WORD["Ada"] in ada.heard()
    ends = {"session_hash": ada.session, "fn_index": show, "event_id": own}
    assert ada.http.post("/gradio_api/cancel", json=ends).status_code == 200


def test_anothers_reply_is_neither_heard_nor_stopped(settle: Settle) -> None:
    """Ada names Ben in every request of the talk and gets her own; his reply is said to its end."""
    begun, may_end = threading.Event(), threading.Event()

    def answer(_: Sequence[Message]) -> Iterable[str]:
        yield f"It was {WORD['Ben']}, "
        begun.set()
        assert may_end.wait(20)
        yield "as you said."

    village = settle(ScriptedChatModel(otherwise=answer))
    ada, ben = village.ada.http, village.ben.http
    asked = {"person": "Ben", "language": "en", "tab": "x"}
    ben.post("/talk/say", json={**asked, "key": "k", "words": "Where was it?"})
    assert begun.wait(20)
    turn = list(village.served.memory("Ben").turns())[-1].id
    told = [
        ada.get("/talk/state", params=asked),
        ada.post("/talk/open", json=asked),
        ada.get("/talk/earlier", params={**asked, "id": turn}),
        ada.get("/talk/cards", params={**asked, "id": turn}),
        ada.post("/talk/stop", json=asked),
        ada.post("/talk/withdraw", json={**asked, "key": "k"}),
        ada.post("/talk/undo", json={**asked, "id": turn}),
        ada.post("/talk/unkeep", json={**asked, "ids": [turn]}),
        ada.post("/talk/say", json={**asked, "key": "a", "words": "Other words.", "again": turn}),
    ]
    assert all(WORD["Ben"] not in it.text for it in told)
    assert WORD["Ada"] in told[0].text
    heard = {"last-event-id": ben.get("/talk/state", params=asked).json()["at"]}
    with ada.stream("GET", "/talk/events", params=asked, headers=heard) as lines:
        assert WORD["Ben"] not in next(lines.iter_text())
    may_end.set()
    with ben.stream("GET", "/talk/events", params=asked, headers=heard) as lines:
        assert any('"end": "whole"' in it for it in lines.iter_lines())
    last = list(village.served.memory("Ben").turns())[-1]
    assert (last.response, last.unkept) == (f"It was {WORD['Ben']}, as you said.", False)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_another_site_says_nothing_in_a_talk(settle: Settle, origin: str) -> None:
    """With Ada's cookie, whatever it sends; the page's own request is answered."""
    village = settle()
    body = {"language": "en", "tab": "x", "key": "k", "words": "I never said this."}
    before = village.everything("Ada")
    for path in ("say", "undo", "stop", "open"):
        sent = village.ada.http.post(f"/talk/{path}", json=body, headers={"Origin": origin})
        assert sent.status_code == 403, path
    for path in ("state", "events", "cards"):
        sent = village.ada.http.get(f"/talk/{path}", headers={"Origin": origin})
        assert sent.status_code == 403, path
    assert village.everything("Ada") == before


def test_a_tab_is_closed_to_who_has_not_logged_in(settle: Settle) -> None:
    """Also where Gradio itself asks for no log-in: hearing of a tab, and ending it."""
    village = settle()
    tab = village.ben.session
    with httpx.Client(base_url=village.served.url) as nobody:
        answers = [
            nobody.get("/config"),
            nobody.get("/gradio_api/queue/data", params={"session_hash": tab}),
            nobody.get(f"/gradio_api/heartbeat/{tab}"),
            nobody.post("/gradio_api/cancel", json={"session_hash": tab, "fn_index": 1}),
            nobody.post("/gradio_api/queue/join", json={"data": [], "session_hash": tab}),
            nobody.post("/memories/import", content=b"{}"),
        ]
        assert [it.status_code for it in answers] == [401] * len(answers)
        form = nobody.get("/")
    assert form.status_code == 200
    assert "Quartzite" not in form.text
    assert "chat-notice" not in form.text


def show_of(village: Village) -> tuple[int, list[Any]]:
    """The event that shows what is remembered, and what it is asked with."""
    config = village.ben.config()
    components = {it["id"]: it for it in config["components"]}
    shows = (it for it in config["dependencies"] if it["api_name"] == "show")
    event = next(shows)
    return int(event["id"]), [values(components[it], "Ben") for it in event["inputs"]]


def flat(found: Iterable[Any]) -> Iterator[Any]:
    """Routes, and those of routers among them."""
    for route in found:
        router = getattr(route, "original_router", None)
        yield from [route] if router is None else flat(router.routes)


def routes(village: Village) -> Iterator[tuple[str, str]]:
    """Every route that Gradio has, with what is Ben's in the place of each variable."""
    file = village.file("Ben")
    for route in flat(village.served.blocks.app.routes):
        for word in (str(file), f"../{file.parent.name}/memory.json", "show", village.ben.session):
            path = re.sub(r"{[^}]*}", word, route.path)
            for method in sorted(getattr(route, "methods", None) or {"GET"}):
                yield method, path


def test_no_route_reaches_another(settle: Settle) -> None:
    """Of all that Gradio serves only the page's own parts answer, and none with Ben's words."""
    village = settle()
    before = village.everything("Ben")
    body = {"data": ["Ben", "en", None, None], "session_hash": village.ben.session}
    village.ben.call(*show_of(village))
    open_ones: set[str] = set()
    asked = 0
    for method, path in routes(village):
        if path.startswith(("/logout", "/gradio_api/queue/data", "/gradio_api/heartbeat")):
            continue  # the first ends the visit; the others, which do not end, are tried above
        document = None if method in ("GET", "HEAD") else body
        answer = village.ada.http.request(method, path, json=document)
        asked += 1
        assert WORD["Ben"] not in answer.text, path
        if answer.status_code < 400:
            open_ones.add(path)
    assert asked > 100
    assert open_ones <= {
        "/",
        "/config",
        "/theme.css",
        "/favicon.ico",
        "/manifest.json",
        "/robots.txt",
        "/gradio_api/app_id",
        "/gradio_api/startup-events",
        "/beginning/questions",
        "/companions/all",
    }
    assert village.everything("Ben") == before


@pytest.mark.parametrize("door", ["file=", "file/", "proxy=", "stream/", "deep_link?session_hash="])
def test_no_file_is_served(settle: Settle, door: str) -> None:
    """Neither memories, settings nor passwords, by whatever path; Gradio itself blocks them too."""
    village = settle()
    home = village.served.home
    file = village.file("Ben")
    for path in (file, home / "config.toml", home, file.relative_to(home), f"..%2f..{file}"):
        answer = village.ada.http.get(f"/gradio_api/{door}{path}")
        assert answer.status_code == 404
        assert WORD["Ben"] not in answer.text
    assert village.served.blocks.blocked_paths == [str(home.resolve())]


def test_a_file_of_another_is_not_taken_for_an_upload(settle: Settle) -> None:
    """An import of Ben's people changes nothing of his, and no path can be named for a file.

    Gradio would keep an upload in a folder of all until it is read, where whoever knows its
    words knows its path, and could have it read and removed.
    """
    village = settle()
    before = village.everything("Ben")
    both = json.dumps(bank("Ben") | bank("Ada") | {" Ben": bank("Ben")["Ben"]}).encode()
    asked = {"person": "Ben", "language": "en"}
    heard = village.ada.http.post("/memories/import", params=asked, content=both)
    assert "0 turns are new" in heard.text
    alone = json.dumps(bank("Ben")).encode()
    heard = village.ada.http.post("/memories/import", params=asked, content=alone)
    assert heard.status_code == 409
    assert WORD["Ben"] not in heard.text
    assert village.everything("Ben") == before
    for door in ("upload", "upload_progress"):
        sent = village.ada.http.post(f"/gradio_api/{door}", files={"files": ("x.json", both)})
        assert sent.status_code == 404
    kinds = {it["type"] for it in village.ada.config()["components"]}
    assert not kinds & {"file", "uploadbutton", "image", "audio", "video"}


def test_another_site_cannot_ask_in_a_persons_name(settle: Settle) -> None:
    """A request that a site elsewhere makes with Ada's cookie does nothing; the page's own does."""
    village = settle()
    own = village.served.url.rstrip("/")
    show, given = show_of(village)
    body = {"data": given, "fn_index": show, "session_hash": village.ada.session}
    for origin in ("https://evil.example", "null", f"{own}.evil.example", "http://127.0.0.1:1"):
        headers = {"Origin": origin}
        answer = village.ada.http.post("/gradio_api/queue/join", json=body, headers=headers)
        assert answer.status_code == 403, origin
        assert village.ada.http.get("/config", headers=headers).status_code == 403
    headers = {"Origin": own}
    assert (
        village.ada.http.post("/gradio_api/queue/join", json=body, headers=headers).status_code
        == 200
    )
    assert WORD["Ada"] in village.ada.heard()


def test_without_log_in_only_this_machines_names_are_answered(serve: Serve) -> None:
    """A site whose name is made to lead to this machine does not get the page."""
    served = serve(samples=False)
    port = served.url.rstrip("/").rpartition(":")[2]
    with httpx.Client(base_url=served.url) as anyone:
        status = {
            host: anyone.get("/", headers={"Host": host}).status_code
            for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "", "[")
        }
        assert set(status.values()) <= {400, 403}, status
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
            assert anyone.get("/", headers={"Host": host}).status_code == 200
