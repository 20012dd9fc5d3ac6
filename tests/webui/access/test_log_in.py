"""Logging in: who may try how often, and when a session ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from siliconfriend.errors import StoreError
from siliconfriend.passwords import Authenticator, PasswordFile
from siliconfriend.shared.login_limits import ADDRESS_TRIES, TRIES, WITHIN, LoginLimitsHere
from siliconfriend.shared.sessions import IDLE, SessionFile
from webui.access.log_in import LONGEST_FORM, LogIn

HOME, AWAY = "203.0.113.5", "198.51.100.7"


class Seconds:
    """A clock that is moved by hand."""

    at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


def started(tmp_path: Path, seconds: Seconds) -> TestClient:
    """A browser before a page that was just started; ``/`` says who is logged in."""
    sessions = SessionFile(tmp_path / "sessions.json", seconds)
    log_in = LogIn(
        Authenticator(PasswordFile(tmp_path / "passwords.json")),
        "en",
        sessions,
        LoginLimitsHere(seconds),
    )

    async def who(request: Request) -> Response:
        return PlainTextResponse(log_in.user(request) or "nobody")

    async def leave(request: Request) -> Response:
        log_in.log_out(request)
        return PlainTextResponse("")

    app: Any = Starlette(
        routes=[
            Route("/", who),
            Route("/logout", leave),
            Route("/login", log_in.answer, methods=["GET", "POST"]),
        ]
    )
    app.cookie_id, app.tokens = "x", {}
    return TestClient(app, follow_redirects=False)


@pytest.fixture
def client(tmp_path: Path, seconds: Seconds) -> Iterator[TestClient]:
    """A browser before the form, which lets Ada in."""
    PasswordFile(tmp_path / "passwords.json").set("Ada", "correct horse")
    with started(tmp_path, seconds) as client:
        yield client


def log_in(client: TestClient, name: str = "Ada", password: str = "correct horse") -> Any:
    return client.post("/login", data={"username": name, "password": password})


def test_a_session_ends_when_nothing_was_asked_for_half_a_day(
    client: TestClient, seconds: Seconds
) -> None:
    """Each request lengthens it; after the end the old cookie opens nothing."""
    answer = log_in(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "./")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=lax" in answer.headers["set-cookie"]
    for _ in range(3):
        seconds.at += IDLE - 1
        assert client.get("/").text == "Ada"
    seconds.at += IDLE
    assert client.get("/").text == "nobody"
    seconds.at -= IDLE
    assert client.get("/").text == "nobody"


def test_a_session_goes_on_after_a_new_start(
    client: TestClient, tmp_path: Path, seconds: Seconds
) -> None:
    """By the same cookie; the file holds neither it nor anything of the password."""
    log_in(client)
    (token,) = client.cookies.values()
    file = tmp_path / "sessions.json"
    kept = file.read_text(encoding="utf-8")
    assert token not in kept
    assert "scrypt" not in kept
    assert file.stat().st_mode & 0o777 == 0o600
    again = started(tmp_path, seconds)
    again.cookies = client.cookies
    assert again.get("/").text == "Ada"
    again.get("/logout")
    for it in (again, started(tmp_path, seconds)):
        it.cookies = client.cookies
        assert it.get("/").text == "nobody"


@pytest.mark.parametrize("what", ["password", "idle", "file", "forged"])
def test_what_ends_a_session_ends_it_over_a_new_start(
    client: TestClient, tmp_path: Path, seconds: Seconds, what: str
) -> None:
    """Another password, half a day, a file that is none, and a cookie made from the file."""
    log_in(client)
    assert client.get("/").text == "Ada"
    file = tmp_path / "sessions.json"
    again = started(tmp_path, seconds)
    again.cookies = client.cookies
    if what == "password":
        PasswordFile(tmp_path / "passwords.json").set("Ada", "another horse")
    elif what == "idle":
        seconds.at += IDLE
    elif what == "file":
        file.write_text('{"sessions": []}', encoding="utf-8")
        again = started(tmp_path, seconds)
        again.cookies = client.cookies
    else:
        (name,) = client.cookies
        (digest,) = json.loads(file.read_text(encoding="utf-8"))["sessions"]
        again.cookies = {name: digest}
    assert again.get("/").text == "nobody"


def test_a_refused_try_says_when_the_next_may_be(client: TestClient, seconds: Seconds) -> None:
    """In the header for programs and in words for people, and nothing is told of the name."""
    for name in ("Ada", "Nobody"):
        assert [log_in(client, name, "a guess").status_code for _ in range(TRIES)] == [400] * TRIES
        refused = log_in(client, name)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
        assert "Wait 60 seconds" in refused.text
    seconds.at += WITHIN
    assert log_in(client).status_code == 303


@pytest.mark.parametrize(
    "body",
    [b"", b"\xff\xfe", b"username=Ada", b"a=1&" * 20, b"username=" + b"x" * LONGEST_FORM],
)
def test_a_form_that_is_none_lets_nobody_in(client: TestClient, body: bytes) -> None:
    assert client.post("/login", content=body).status_code == 400


def test_what_was_typed_is_shown_as_text(client: TestClient) -> None:
    """A name is data, in the form too."""
    shown = log_in(client, '"><script>x</script>', "a guess").text
    assert "<script>x" not in shown
    assert "&lt;script&gt;x" in shown


def test_tries_count_for_a_name_at_an_address() -> None:
    """The sixth waits; elsewhere, and under another name, nobody does."""
    seconds = Seconds()
    limits = LoginLimitsHere(seconds)
    for _ in range(TRIES):
        assert limits.take("Ada", HOME) == 0
        seconds.at += 2
    assert limits.take("Ada", HOME) == WITHIN - 2 * TRIES
    assert limits.take("Ben", HOME) == 0
    assert limits.take("Ada", AWAY) == 0
    seconds.at += WITHIN - 2 * TRIES
    assert limits.take("Ada", HOME) == 0
    assert limits.take("Ada", HOME) == 2


def test_many_names_from_one_address_count_together() -> None:
    """Whoever goes through a list of names waits too; a network of 64 bits is one address."""
    limits = LoginLimitsHere(Seconds())
    for number in range(ADDRESS_TRIES):
        assert limits.take(f"name {number}", f"2001:db8::{number:x}") == 0
    assert limits.take("another", "2001:db8::ffff:1") == WITHIN
    assert limits.take("another", "2001:db8:0:1::1") == 0


def test_coming_in_forgives_the_slips() -> None:
    """Four slips and the right password, again and again, never shut anybody out."""
    limits = LoginLimitsHere(Seconds())
    for _ in range(ADDRESS_TRIES):
        for _ in range(TRIES):
            assert limits.take("Ada", HOME) == 0
        limits.forgive("Ada", HOME)


def test_many_at_once_do_not_pass_the_limit() -> None:
    """Tries count before their password is checked, which takes long."""
    limits = LoginLimitsHere(Seconds())
    with ThreadPoolExecutor(40) as threads:
        waits = sorted(threads.map(lambda _: limits.take("Ada", HOME), range(40)))
    assert waits == [0.0] * TRIES + [WITHIN] * (40 - TRIES)


@pytest.mark.parametrize(
    ("place", "location"),
    [
        ("?companion=Robin#/chat?line=t-1", "./?companion=Robin#/chat?line=t-1"),
        ("#/memories", "./#/memories"),
        ("", "./"),
        ("//evil.example/", "./"),
        ("https://evil.example/", "./"),
        ("/\\evil.example", "./"),
        ("?a\r\nSet-Cookie: x=1", "./"),
        ("?" + "a" * 1000, "./"),
    ],
    ids=["both", "panel", "none", "host", "site", "backslash", "header", "long"],
)
def test_a_log_in_leads_back_to_a_place_of_the_page_alone(
    client: TestClient, place: str, location: str
) -> None:
    """A slip in the password keeps it; what is not the page's own leads to its beginning."""
    typed = {"username": "Ada", "password": "wrong", "place": place}
    again = client.post("/login", data=typed)
    value = location.removeprefix("./")
    assert f'name="place" value="{value}"' in again.text
    answer = client.post("/login", data={**typed, "password": "correct horse"})
    assert (answer.status_code, answer.headers["location"]) == (303, location)
    assert "set-cookie" in answer.headers
    assert "x=1" not in answer.headers["set-cookie"]


def test_the_form_keeps_what_was_asked_for(client: TestClient) -> None:
    """The companion of the address, also when the form's language is switched, and escaped."""
    form = client.get("/login?companion=Robin&language=cn").text
    assert 'name="place" value="?companion=Robin"' in form
    assert 'href="login?language=en&amp;place=%3Fcompanion%3DRobin"' in form
    assert "?companion=Robin" in client.get("/login?language=en&place=%3Fcompanion%3DRobin").text
    assert "<b>" not in client.get("/login?place=%3F%22%3E%3Cb%3E").text


def test_two_servers_on_one_directory_share_who_is_logged_in(tmp_path: Path) -> None:
    """Each knows who logged in at the other, who logged out there, and overwrites neither."""
    path = tmp_path / "sessions.json"
    here, there = SessionFile(path), SessionFile(path)
    known = {"Ada": "a", "Ben": "b"}
    ada, ben = here.open("Ada", "a"), there.open("Ben", "b")
    for sessions in (here, there, SessionFile(path)):
        assert [sessions.user(it, known.get) for it in (ada, ben)] == ["Ada", "Ben"]
    there.close(ada)
    for sessions in (here, there, SessionFile(path)):
        assert [sessions.user(it, known.get) for it in (ada, ben)] == [None, "Ben"]
    here.close_all("Ben")
    assert there.user(ben, known.get) is None


def test_passwords_that_cannot_be_looked_up_are_told(tmp_path: Path) -> None:
    """In the form, as a failure that passes, and nobody is let in."""

    class Lost(LoginLimitsHere):
        def take(self, name: str, address: str) -> float:
            raise StoreError("database_unreachable", place="db/companions", cause="gone")

    PasswordFile(tmp_path / "passwords.json").set("Ada", "correct horse")
    guard = Authenticator(PasswordFile(tmp_path / "passwords.json"))
    log_in = LogIn(guard, "en", limits=Lost())
    app: Any = Starlette(routes=[Route("/login", log_in.answer, methods=["POST"])])
    app.cookie_id, app.tokens = "x", {}
    form = {"username": "Ada", "password": "correct horse"}
    answer = TestClient(app).post("/login", data=form, follow_redirects=False)
    assert answer.status_code == 503
    assert "db/companions" in answer.text
    assert "set-cookie" not in answer.headers
