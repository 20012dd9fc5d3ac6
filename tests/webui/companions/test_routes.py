"""Companions over the page's own addresses: read by whoever may open it, changed by whoever may."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient

from siliconfriend.cli.samples import SAMPLE_COMPANION
from siliconfriend.config import Settings
from siliconfriend.lore.character import Character
from siliconfriend.lore.companions import Companions
from siliconfriend.passwords import Authenticator, PasswordFile
from siliconfriend.testing import MovingClock
from tests.lore.test_pictures import picture
from webui.access.log_in import LogIn
from webui.companions.routes import CompanionRoutes

NOON = MovingClock("2026-11-21T12:00+00:00")
ENTRY = {"text": "The pump room is cold.", "keys": ["pump", "水泵"], "constant": False}


@pytest.fixture
def companions(settings: Settings) -> Companions:
    """Those of the data directory, as the command line reads them."""
    return Companions(settings.home)


@pytest.fixture
def page(settings: Settings) -> Iterator[TestClient]:
    """The addresses of a page where nobody logs in."""
    with TestClient(Starlette(routes=CompanionRoutes(settings, NOON, None).routes())) as client:
        yield client


class Doorman(LogIn):
    """Lets in without a form: whoever the header names is logged in."""

    def user(self, connection: HTTPConnection) -> str | None:
        """The name in the header."""
        return connection.headers.get("x-user")


def told(answer: Any, status: int = 200) -> Any:
    """The JSON of an answer that has this status."""
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_companion_is_made_and_written(page: TestClient, companions: Companions) -> None:
    """What the page writes is what the command line reads; a language not sent stays."""
    assert told(page.post("/companions/one", json={"name": " Robin "})) == {"name": "Robin"}
    texts = {
        "called": "知更",
        "persona": "有耐心。",
        "speaking_style": "",
        "greeting": "{person}好。",
    }
    english = {**texts, "called": "Rob", "other_greetings": ["Back again?"]}
    written = {"cn": {**texts, "other_greetings": []}}
    told(page.put("/companions/one?name=Robin", json=written))
    told(page.put("/companions/one?name=Robin", json={"en": english}))
    character = companions.character("Robin")
    assert character.called("cn") == "知更"
    assert character.texts_in("en").greetings == ("{person}好。", "Back again?")
    listed = told(page.get("/companions/all?language=cn"))
    assert [(it["name"], it["called"]) for it in listed["companions"]] == [
        ("default", "硅友"),
        ("Robin", "知更"),
    ]
    assert listed["may_edit"]
    assert listed["samples"] == [{"name": SAMPLE_COMPANION, "called": "小石"}]
    told(page.delete("/companions/one?name=Robin"))
    assert companions.names() == []


def test_the_sample_comes_whole(page: TestClient, companions: Companions) -> None:
    """With its character and its story, in both languages."""
    told(page.post("/companions/one", json={"name": SAMPLE_COMPANION, "sample": True}))
    lore = companions.lore(SAMPLE_COMPANION)
    assert lore is not None
    one = told(page.get(f"/companions/one?name={SAMPLE_COMPANION}"))
    assert len(one["lore"]) == len([*lore.facts(), *lore.events()]) > 0
    assert one["texts"]["cn"]["called"] == "小石"
    assert told(page.get("/companions/all"))["samples"] == []


def test_a_picture_is_shown_as_a_picture_alone(page: TestClient) -> None:
    """With its own type, never to be taken for another, and nothing in it can run."""
    page.post("/companions/one", json={"name": "Robin"})
    assert page.get("/companions/picture?name=Robin").status_code == 404
    one = told(page.put("/companions/picture?name=Robin", content=picture("JPEG")))
    shown = page.get(f"/companions/{one['picture']}")
    assert shown.content.startswith(b"\x89PNG")
    assert shown.headers["content-type"] == "image/png"
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    svg = page.put("/companions/picture?name=Robin", content=b"<svg onload='alert(1)'/>")
    assert "PNG, a JPEG or a WebP" in told(svg, 400)["error"]
    assert page.get(f"/companions/{one['picture']}").content == shown.content
    assert told(page.delete("/companions/picture?name=Robin"))["picture"] is None


def test_entries_of_the_story_have_keys(page: TestClient, companions: Companions) -> None:
    """Added, found again, changed and removed; the same words twice are one entry."""
    page.post("/companions/one", json={"name": "Robin"})
    address = "/companions/entry?name=Robin"
    added = told(page.post(address, json={**ENTRY, "language": None}))["entry"]
    assert told(page.post(address, json={**ENTRY, "language": None}))["entry"] is None
    assert (added["keys"], added["kind"], added["language"]) == (["pump", "水泵"], "fact", None)
    event = {**ENTRY, "text": "It flooded.", "language": "en", "kind": "event", "day": "2025-04-02"}
    assert told(page.post(address, json=event))["entry"]["date"] == "2025-04-02"
    changed = {**ENTRY, "text": "The pump room is warm.", "keys": [], "language": "en"}
    edited = told(page.put(f"{address}&id={added['id']}", json=changed))["entry"]
    assert (edited["id"], edited["text"], edited["keys"]) == (
        added["id"],
        "The pump room is warm.",
        [],
    )
    told(page.delete(f"{address}&id={added['id']}"))
    lore = companions.lore("Robin")
    assert lore is not None
    assert [it.text for it in lore.events()] == ["It flooded."]
    assert list(lore.facts()) == []


def test_what_an_entry_has_beside_the_form_stays(page: TestClient, settings: Settings) -> None:
    """The second keys and the settings that came with a lorebook survive an edit of the words."""
    book = {
        "entries": [
            {
                "keys": ["sea", "/mist/i"],
                "secondary_keys": ["night"],
                "content": "Fog comes at four.",
                "insertion_order": 7,
                "extensions": {"sticky": 2},
            }
        ]
    }
    done = told(page.post("/companions/import?name=Maud", content=json.dumps(book).encode()))
    assert done["created"]
    (entry,) = told(page.get("/companions/one?name=Maud"))["lore"]
    assert (entry["keys"], entry["secondary"]) == (["sea", "/mist/i"], ["night"])
    changed = {"text": "Fog comes at five.", "keys": entry["keys"], "constant": False}
    address = f"/companions/entry?name=Maud&id={entry['id']}"
    told(page.put(address, json={**changed, "language": None}))
    card = told(page.get("/companions/export?name=Maud"))
    (kept,) = card["data"]["character_book"]["entries"]
    assert kept["content"] == "Fog comes at five."
    assert (kept["secondary_keys"], kept["insertion_order"]) == (["night"], 7)
    assert kept["extensions"] == {"sticky": 2}


def test_a_card_is_taken_in_and_given_out(page: TestClient, companions: Companions) -> None:
    """What has no place is listed; one that is there is not touched unless that was meant."""
    data = {"name": "Maud", "first_mes": "Come in, {{user}}.", "system_prompt": "Obey."}
    card = json.dumps({"spec": "chara_card_v3", "data": {**data, "description": "A keeper."}})
    done = told(page.post("/companions/import?language=cn", content=card.encode()))
    assert any("system_prompt" in it for it in done["unused"])
    again = page.post("/companions/import", content=card.encode())
    assert told(again, 409)["name"] == "Maud"
    told(page.post("/companions/import?name=Maud&known=yes", content=card.encode()))
    told(page.post("/companions/import?name=%E6%B5%AA", content=card.encode()))
    assert companions.names() == ["Maud", "浪"]
    one = told(page.get("/companions/all"))["companions"][1]
    assert one["greeting"] == "Come in, …."
    told(page.put("/companions/picture?name=Maud", content=picture("WEBP")))
    inside = page.get("/companions/export?name=Maud&form=picture")
    assert inside.headers["content-type"] == "image/png"
    assert inside.headers["content-disposition"].endswith("Maud.png")
    told(page.post("/companions/import?name=Twin", content=inside.content))
    assert companions.character("Twin").texts_in("en").persona == "A keeper."


@pytest.mark.parametrize(
    ("method", "address", "body", "status", "words"),
    [
        ("POST", "one", b'{"name": "  "}', 400, "empty"),
        ("POST", "one", b'{"name": "a/b"}', 400, "slash"),
        ("POST", "one", b'{"name": "Robin"}', 409, "already"),
        ("POST", "one", b"{", 400, "Load the page again"),
        ("PUT", "one?name=Robin", b'{"en": {"called": 3}}', 400, "Load the page again"),
        ("PUT", "one?name=Nobody", b"{}", 404, "no companion called Nobody"),
        ("GET", "one?name=..%2Fpeople", b"", 400, "slash"),
        ("PUT", "picture?name=Robin", b"<svg/>", 400, "a PNG, a JPEG or a WebP"),
        ("POST", "import", b"no card", 400, "JSON"),
        ("POST", "import", b'{"entries": []}', 400, "names no companion"),
        ("GET", "export?name=Robin&form=picture", b"", 400, "no PNG picture"),
        ("DELETE", "entry?name=Robin&id=fact-x", b"", 404, "not there any more"),
        (
            "PUT",
            "entry?name=Robin&id=fact-x",
            json.dumps({**ENTRY, "language": None}).encode(),
            404,
            "not there",
        ),
        (
            "POST",
            "entry?name=Robin",
            json.dumps({**ENTRY, "text": " ", "language": "en"}).encode(),
            400,
            "needs words",
        ),
        (
            "POST",
            "entry?name=Robin",
            json.dumps({**ENTRY, "keys": ["k"] * 3, "language": "fr"}).encode(),
            400,
            "Load",
        ),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_bad_input_is_refused_in_plain_words(
    page: TestClient,
    companions: Companions,
    method: str,
    address: str,
    body: bytes,
    status: int,
    words: str,
) -> None:
    """With what was wrong, in words that name no command; nothing is changed."""
    companions.create(Character("Robin"))
    before = companions.character("Robin")
    refused = told(page.request(method, f"/companions/{address}", content=body), status)
    assert words in refused["error"]
    assert "siliconfriend" not in refused["error"]
    assert companions.character("Robin") == before
    assert companions.names() == ["Robin"]
    assert companions.lore("Robin") is None


def test_who_logs_in_chooses_and_the_operator_edits(
    settings: Settings, companions: Companions, auth: Path
) -> None:
    """Nobody may change what the others talk with, nor read what it was made from."""
    companions.create(Character("Robin").with_texts("en", {"persona": "A secret gardener."}))
    companions.replace_picture("Robin", ("png", picture("PNG")))
    own = replace(settings, companion_editors="Ben, 林晓")
    routes = CompanionRoutes(own, NOON, Doorman(Authenticator(PasswordFile(auth)), "en")).routes()
    with TestClient(Starlette(routes=routes)) as client:
        ada, ben = {"x-user": "Ada"}, {"x-user": "Ben"}
        listed = client.get("/companions/all", headers=ada)
        assert told(listed)["may_edit"] is False
        assert "secret" not in listed.text
        assert client.get("/companions/picture?name=Robin", headers=ada).status_code == 200
        for method, address in (
            ("GET", "one?name=Robin"),
            ("POST", "one"),
            ("PUT", "one?name=Robin"),
            ("DELETE", "one?name=Robin"),
            ("PUT", "picture?name=Robin"),
            ("DELETE", "picture?name=Robin"),
            ("POST", "entry?name=Robin"),
            ("PUT", "entry?name=Robin&id=x"),
            ("DELETE", "entry?name=Robin&id=x"),
            ("POST", "import"),
            ("GET", "export?name=Robin"),
        ):
            refused = told(client.request(method, f"/companions/{address}", headers=ada), 403)
            assert "Nothing was changed" in refused["error"]
        assert companions.character("Robin").texts_in("en").persona == "A secret gardener."
        assert told(client.get("/companions/all", headers=ben))["may_edit"] is True
        told(client.delete("/companions/one?name=Robin", headers=ben))
    assert companions.names() == []
