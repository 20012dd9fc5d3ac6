"""Promises of SECURITY.md about the HTTP server that one line keeps each."""

from dataclasses import replace
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

from siliconfriend.config import Settings, prepare_home
from siliconfriend.http_server import http_server
from siliconfriend.installation.installation import open_installation
from siliconfriend.origins import is_own_origin
from siliconfriend.person.bank import MemoryBank
from siliconfriend.server import access, replies
from siliconfriend.server.app import _keys, create_app
from siliconfriend.testing import MovingClock


@pytest.mark.parametrize(("host", "is_there"), [("127.0.0.1", True), ("0.0.0.0", False)])
def test_the_page_of_the_documents_is_for_this_machine_alone(
    settings: Settings, clock: MovingClock, host: str, is_there: bool
) -> None:
    prepare_home(settings.home)
    bank = MemoryBank(settings=settings, clock=clock)
    app = create_app(bank, open_installation(settings).keys, host=host)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert (client.get("/docs").status_code == 200) is is_there


def test_a_server_for_others_answers_to_the_names_it_was_given(
    settings: Settings, clock: MovingClock
) -> None:
    """Where none was given, to any, as a proxy in front may have any."""
    prepare_home(settings.home)
    keys = open_installation(settings).keys
    for names, status in (("friend.example", 403), (None, 200)):
        named = replace(settings, serve_hosts=names)
        app = create_app(MemoryBank(settings=named, clock=clock), keys, host="0.0.0.0")
        with TestClient(app, base_url="http://evil.example") as client:
            assert client.get("/health").status_code == status
            assert client.get("/health", headers={"host": "friend.example"}).status_code == 200


@pytest.mark.parametrize("path", ["/v1/people?whoo=1", "/mcp?persn=Ada"])
def test_a_parameter_that_a_path_does_not_have_is_refused(
    settings: Settings, clock: MovingClock, path: str
) -> None:
    """Not taken for one that was left out."""
    app = create_app(MemoryBank(settings=settings, clock=clock), None)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        answer = client.post(path, json={}) if "mcp" in path else client.get(path)
    assert answer.status_code == 422


def test_guesses_and_requests_are_as_many_as_promised(settings: Settings) -> None:
    assert (access.WRONG_KEYS, settings.rate_limit) == ("60/minute", "600/minute")
    assert (replies.AT_ONCE, replies.MOST_WAITING, replies.MOST_REPLIES) == (4, 128, 256)


@pytest.mark.parametrize(("key", "is_told"), [("tiny-k3y", True), ("x" * 16, False)])
def test_an_operators_key_that_can_be_guessed_is_told(
    settings: Settings, clock: MovingClock, key: str, is_told: bool
) -> None:
    bank, told = MemoryBank(settings=replace(settings, operator_key=key), clock=clock), list[str]()
    prepare_home(settings.home)
    _keys(bank, told.append)
    assert bool(told) is is_told
    assert not any(key in words for words in told)


def test_a_page_of_no_site_is_never_of_this_server() -> None:
    """Nor where a request names no host, or an address cannot be read."""
    assert not any(is_own_origin(origin, "") for origin in ("null", "", "file://", "http://["))
    assert is_own_origin("http://a", "b", forwarded_host="a")


def test_forwarded_headers_count_from_named_proxies_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody on this machine could send them."""
    plain = http_server(None).config
    assert (plain.proxy_headers, plain.server_header, plain.access_log) == (False, False, False)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.1")
    behind = http_server(None).config
    assert (behind.proxy_headers, behind.forwarded_allow_ips) == (True, "10.0.0.1")


def status_of(settings: Settings, clock: MovingClock, path: str, **asked: Any) -> Any:
    """Ask without a client, which would refuse to send this; return the status."""
    app, sent = create_app(MemoryBank(settings=settings, clock=clock), None), list[Any]()
    given = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": []}

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    anyio.run(app, given | asked, receive, send)
    return sent[0]["status"]


def test_a_query_that_is_no_ascii_is_refused(settings: Settings, clock: MovingClock) -> None:
    """HTTP knows none, and what reads it differs from server to server: some pass it on."""
    assert status_of(settings, clock, "/health", query_string="a=é".encode()) == 400


@pytest.mark.parametrize(
    ("path", "most"), [("/v1/people/Ada/chat", 8), ("/v1/people/Ada/import", 256), ("/mcp", 8)]
)
def test_bodies_are_as_long_as_promised(
    settings: Settings, clock: MovingClock, path: str, most: int
) -> None:
    """By what a request says of itself, which is known before it is read."""
    for length, is_refused in ((most << 20, False), ((most << 20) + 1, True)):
        headers = [(b"host", b"127.0.0.1"), (b"content-length", str(length).encode())]
        found = status_of(settings, clock, path, headers=headers)
        assert (found == 413) is is_refused
