"""The operator begins nobody whose name only looks like a known one; a key's owner may talk."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.server.serving import Server

TWIN = "\u0410da"
PATH = f"/v1/people/{TWIN}"
TALK = {"model": "default", "user": TWIN, "messages": [{"role": "user", "content": "Hello."}]}
DOORS: list[tuple[str, dict[str, Any]]] = [
    ("/v1/people", {"name": TWIN}),
    (f"{PATH}/chat", {"message": "Hello."}),
    (f"{PATH}/chat", {"message": "Hello.", "stream": True}),
    (f"{PATH}/turns", {"said": "Hello.", "replied": "Hi."}),
    ("/v1/chat/completions", TALK),
    ("/v1/chat/completions", {**TALK, "stream": True}),
]


def _people(client: httpx.Client) -> list[str]:
    return [it["user"] for it in client.get("/v1/people").json()["users"]]


@pytest.mark.parametrize(("path", "body"), DOORS)
@pytest.mark.parametrize(("language", "words"), [("en", "looks like Ada"), ("zh", "Ada 一样")])
def test_a_twin_for_the_eye_does_not_begin(
    operator: httpx.Client, path: str, body: dict[str, Any], language: str, words: str
) -> None:
    """The answer says what differs, in the client's language, and nobody is stored."""
    assert operator.post("/v1/people", json={"name": "Ada"}).status_code == 201
    answer = operator.post(path, json=body, headers={"Accept-Language": language})
    assert answer.status_code in (400, 422)
    assert words in answer.text
    assert "U+0410" in answer.text
    assert _people(operator) == ["Ada"]


def test_whoever_has_a_key_was_named_when_it_was_made(
    server: Server, operator: httpx.Client
) -> None:
    """With their own key they begin, and the operator talks to them from then on."""
    operator.post("/v1/people", json={"name": "Ada"})
    with server.client_of(TWIN) as twin:
        assert twin.post(f"{PATH}/chat", json={"message": "Hello."}).status_code == 200
    assert operator.post(f"{PATH}/chat", json={"message": "Hello."}).status_code == 200
    assert sorted(_people(operator)) == ["Ada", TWIN]
