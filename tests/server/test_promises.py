"""Promises of SECURITY.md about the HTTP server that one line keeps each."""

from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

from siliconfriend.config import Settings, prepare_home
from siliconfriend.http_server import http_server
from siliconfriend.installation.installation import open_installation
from siliconfriend.origins import is_own_origin
from siliconfriend.person.bank import MemoryBank
from siliconfriend.server.app import create_app
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


def test_a_query_that_is_no_ascii_is_refused(settings: Settings, clock: MovingClock) -> None:
    """HTTP knows none, and what reads it differs from server to server: some pass it on."""
    app, sent = create_app(MemoryBank(settings=settings, clock=clock), None), list[Any]()
    asked = {"type": "http", "method": "GET", "path": "/health", "query_string": "a=é".encode()}

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    anyio.run(app, {**asked, "headers": []}, receive, send)
    assert sent[0]["status"] == 400
