"""The routes of the memories: what a page is given of a life, and what it may do to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from siliconfriend.config import Settings
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.creation import new_profile, new_turn
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import MovingClock
from webui.access.json_routes import json_app
from webui.backend import Backend
from webui.memories.routes import MemoryRoutes

NORA, BEN = Scope.of("Nora"), Scope.of("Ben")
BEANS, RACE = "I planted beans.", "I won the race on the lake."

Ask = Callable[..., Any]


@pytest.fixture
def backend(settings: Settings) -> Backend:
    """A page where Nora told of beans in March and of a race in May, and Ben of figs."""
    own = replace(settings, embedding="none", timezone="UTC")
    backend = Backend(own, MovingClock("2026-05-20T09:00+00:00"))
    for scope, words, day in (
        (NORA, BEANS, (3, 5)),
        (NORA, RACE, (5, 4)),
        (BEN, "I eat figs.", (5, 4)),
    ):
        now = datetime(2026, *day, 12, tzinfo=UTC)
        if not backend.store.exists(scope):
            backend.store.create(scope, new_profile(scope, language="en", timezone="UTC", now=now))
        with backend.store.edit(scope) as edit:
            edit.add(
                PutTurn(replace(new_turn(scope, edit.memory, words, now=now), response="Good."))
            )
    return backend


@pytest.fixture
def client(backend: Backend) -> TestClient:
    """Whoever asks."""
    return TestClient(json_app([MemoryRoutes(backend)], "en"), raise_server_exceptions=False)


def ids(backend: Backend, scope: Scope = NORA) -> list[str]:
    """The ids of somebody's lines, oldest first."""
    return [turn.id for turn in backend.store.load(scope).turns()]


def get(client: TestClient, path: str, person: str = "Nora", **query: str) -> Any:
    """What a page is given."""
    return client.get(path, params={"person": person, **query}).json()


def test_days_come_newest_first_and_by_themselves(client: TestClient) -> None:
    """First the list, with how much there is, then the words of the days that are asked for."""
    assert get(client, "/timeline")["days"] == ["2026-05-04", "2026-03-05"]
    told = get(client, "/counted")["words"]
    assert told == "2 memories: 1 vivid, 1 faded, 0 in the archive."
    days = get(client, "/days", days="2026-03-05,2026-03-06")["days"]
    assert BEANS in days["2026-03-05"]
    assert RACE not in days["2026-03-05"]
    assert days["2026-03-06"] == ""


def test_a_filter_narrows_the_list_of_days(client: TestClient) -> None:
    """After 76 days e^(-76 / 43.3) = 0.17 is left of March: faded; of May 0.69."""
    assert get(client, "/timeline", state="faded")["days"] == ["2026-03-05"]
    assert get(client, "/timeline", kind="fact")["days"] == []
    assert get(client, "/days", state="vivid", days="2026-03-05")["days"] == {"2026-03-05": ""}


def test_words_find_across_the_days(client: TestClient) -> None:
    """In a card with its day; what is nowhere says so, in the language of the page."""
    assert "4 May" in get(client, "/found", words="race")["html"]
    missing = get(client, "/found", words="race", state="archived", language="cn")["html"]
    assert "没有这样的记忆" in missing


def test_nobody_is_told_kindly(client: TestClient) -> None:
    """Whoever has said nothing yet, and whoever gave no name."""
    for person in ("Zoe", ""):
        assert get(client, "/timeline", person) == {"days": []}
        assert "Nothing is remembered yet" in get(client, "/counted", person)["words"]
        assert "no portrait" in get(client, "/portrait", person)["html"]


def test_an_act_tells_how_it_is_undone(client: TestClient, backend: Backend) -> None:
    """Forgetting archives, restoring brings back; both are said in the language of the page."""
    first, _ = ids(backend)
    for act, told, undo, archived in (
        ("forget", "Put away. It is in the archive, and you can restore it.", "restore", True),
        ("restore", "Back again, with fresh strength.", "forget", False),
    ):
        body = {"person": "Nora", "id": first, "act": act}
        assert client.post("/act", json=body).json() == {"told": told, "undo": undo}
        found = backend.store.load(NORA).find(first)
        assert found is not None
        assert (found.trace.archived is not None) == archived


def test_an_erased_line_is_nowhere(client: TestClient, backend: Backend) -> None:
    """The sentence proves it, and nothing is left of its day."""
    first, _ = ids(backend)
    told = client.post("/erase", json={"person": "Nora", "id": first}).json()["told"]
    assert "it is in none of them" in told
    assert get(client, "/days", days="2026-03-05")["days"] == {"2026-03-05": ""}


def test_words_are_corrected(client: TestClient, backend: Backend) -> None:
    """The dialog is given what stands there; nothing at all is refused and changes nothing."""
    first, _ = ids(backend)
    assert get(client, "/words", id=first) == {"words": BEANS, "response": "Good."}
    body = {"person": "Nora", "id": first, "words": "I planted peas.", "response": "Fine."}
    assert "Corrected" in client.post("/edit", json=body).json()["told"]
    assert get(client, "/words", id=first) == {"words": "I planted peas.", "response": "Fine."}
    refused = client.post("/edit", json={**body, "words": " "})
    assert refused.status_code == 409
    assert refused.json()["error"] == "edit_words"
    assert get(client, "/words", id=first)["words"] == "I planted peas."


@pytest.mark.parametrize("path", ["/act", "/erase", "/edit"])
def test_an_id_of_somebody_else_reaches_nothing(
    client: TestClient, backend: Backend, path: str
) -> None:
    """It is looked up in the memory of whoever asks; theirs stays as it was."""
    before, (stolen,) = backend.store.load(BEN), ids(backend, BEN)
    body = {"person": "Nora", "id": stolen, "act": "forget", "words": "x"}
    assert client.post(path, json=body).status_code == 409
    assert backend.store.load(BEN) == before
    assert client.get("/words", params={"person": "Nora", "id": stolen}).status_code == 409


@pytest.mark.parametrize(
    "body",
    [{}, {"id": "x"}, {"id": "x", "act": "destroy"}, {"id": "x" * 300, "act": "pin"}, []],
    ids=["nothing", "no act", "no such act", "a long id", "a list"],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(client: TestClient, body: Any) -> None:
    """And nothing happens."""
    refused = client.post("/act", json=body)
    assert refused.status_code == 422
    assert "load the page again" in refused.json()["message"]
