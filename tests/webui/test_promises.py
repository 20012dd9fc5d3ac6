"""Each promise of SECURITY.md about the page, kept by one line that a test here watches."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.characters.card_files import redraw_picture
from siliconfriend.characters.character import Character
from siliconfriend.person.companions import SAMPLE_COMPANION, create_companion
from tests.webui.conftest import ADA, Open, Tab
from webui.rendering import FILES

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@pytest.mark.parametrize("path", ["/session", "/page/any/style.css", "/nowhere"])
def test_other_sites_learn_and_frame_nothing_and_no_device_is_asked_for(
    open_tab: Open, path: str
) -> None:
    """And an answer is not taken for another kind of file."""
    assert HEADERS.items() <= dict(open_tab().http.get(path).headers).items()


def test_nothing_of_a_person_stays_in_a_browsers_cache(open_tab: Open) -> None:
    http = open_tab().http
    for path in ("/", "/session", "/export?form=native"):
        assert http.get(path).headers["cache-control"] == "no-store", path
    assert "immutable" in http.get("/page/any/style.css").headers["cache-control"]


@pytest.mark.parametrize("site", ["http://127.0.0.1", "https://127.0.0.1"])
def test_a_log_in_is_read_by_no_script_and_leaves_https_never(
    open_tab: Open, auth: Path, site: str
) -> None:
    form = {"username": "Ada", "password": ADA}
    told = open_tab(auth=auth).http.post(f"{site}/login", data=form).headers["set-cookie"].lower()
    assert "httponly" in told
    assert "samesite=lax" in told
    assert ("secure" in told) is site.startswith("https")


@pytest.fixture
def pictured(open_tab: Open, auth: Path) -> Tab:
    """A tab of Ada, who logged in, where there is a companion with a picture."""
    tab = open_tab(auth=auth)
    create_companion(tab.backend.bank, Character(SAMPLE_COMPANION), is_sample=True)
    picture = redraw_picture((FILES / "icon-192.png").read_bytes())
    tab.backend.companions.replace_picture(SAMPLE_COMPANION, picture)
    tab.http.post("/login", data={"username": "Ada", "password": ADA})
    return tab


def test_a_picture_that_somebody_uploaded_can_run_nothing(pictured: Tab) -> None:
    answer = pictured.http.get(f"/companions/picture?name={SAMPLE_COMPANION}")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["content-type"] == "image/png"


def test_only_who_edits_companions_takes_their_cards_along(pictured: Tab) -> None:
    path = f"/companions/export?name={SAMPLE_COMPANION}&form=json"
    refused = pictured.http.get(path)
    assert refused.status_code != 200
    assert "spec" not in refused.text
    pictured.backend.settings = replace(pictured.backend.settings, companion_editors="Ada")
    assert "spec" in pictured.http.get(path).text


def test_only_who_edits_companions_takes_cards_and_pictures_in(pictured: Tab) -> None:
    """And what they take in is a picture, whatever it calls itself."""

    def send(data: bytes, act: str = "picture") -> str:
        event = {"event": "submit", "act": act, "id": SAMPLE_COMPANION, "live": {}, "person": "Ada"}
        file = {"file": ("cat.png", data, "image/png")}
        answer = pictured.http.post("/views/card", data={"event": json.dumps(event)}, files=file)
        return str(answer.json()["status"])

    folder, icon = pictured.backend.companions, (FILES / "icon-512.png").read_bytes()
    kept = folder.card(SAMPLE_COMPANION)[1]
    assert kept is not None
    before = kept.read_bytes()
    assert "Only the operator" in send(icon)
    assert "Only the operator" in send(b"{}", "card")
    pictured.backend.settings = replace(pictured.backend.settings, companion_editors="Ada")
    for harmful in (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", b"<html>"):
        assert "picture" in send(harmful)
    assert kept.read_bytes() == before
    send(icon + b"<script>alert(1)</script>")
    assert kept.read_bytes() != before
    assert b"<script>" not in kept.read_bytes()


def test_an_address_names_no_companion_that_is_not_there(open_tab: Open) -> None:
    tab = open_tab()
    assert tab.http.get("/?companion=Nobody").status_code == 404
    assert tab.http.get("/export?companion=Nobody").status_code == 409


def test_a_log_in_that_is_blocked_tells_for_how_long_and_forgives_after_success(
    open_tab: Open, auth: Path
) -> None:
    http = open_tab(auth=auth).http

    def tried(password: str) -> Any:
        return http.post("/login", data={"username": "Ada", "password": password})

    for _ in range(2):
        assert [tried("wrong").status_code for _ in range(4)] == [400] * 4
        assert tried(ADA).status_code == 303
    blocked = [tried("wrong") for _ in range(6)][-1]
    assert (blocked.status_code, int(blocked.headers["retry-after"])) == (429, 60)


@pytest.mark.parametrize("path", ["/talk/say", "/views/model", "/views/import", "/views/card"])
def test_uploads_and_bodies_are_as_long_as_promised(open_tab: Open, path: str) -> None:
    most = 64 * 2**20 if path in ("/views/import", "/views/card") else 8 * 2**20
    http = open_tab().http
    for length, is_refused in ((most, False), (most + 1, True)):
        answer = http.post(path, content=b"{}", headers={"content-length": str(length)})
        assert (answer.status_code == 413) is is_refused


@pytest.mark.parametrize("path", ["/", "/login"])
def test_the_form_of_the_log_in_takes_no_more_than_it_needs(open_tab: Open, path: str) -> None:
    """Whoever it is from, whether or not its length is told before."""
    http, head = open_tab(person="").http, {"content-type": "application/x-www-form-urlencoded"}
    told = {**head, "content-length": str(8 * 2**10 + 1)}
    assert http.post(path, content=b"", headers=told).status_code == 413
    long = iter([b"username=", b"a" * 2**13])
    assert http.post(path, content=long, headers=head).status_code == 413
    many = "&".join(f"{place}=" for place in range(1001))
    assert http.post(path, content=many, headers=head).status_code == 400
