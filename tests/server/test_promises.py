"""Promises of SECURITY.md about the HTTP server that one line keeps each."""

from __future__ import annotations

import socket

import pytest
from starlette.testclient import TestClient

from siliconfriend.config import Settings, prepare_home
from siliconfriend.installation.installation import open_installation
from siliconfriend.person.bank import MemoryBank
from siliconfriend.server.app import create_app
from siliconfriend.testing import MovingClock
from tests.server.serving import Server


@pytest.mark.parametrize(("host", "is_there"), [("127.0.0.1", True), ("0.0.0.0", False)])
def test_the_page_of_the_documents_is_for_this_machine_alone(
    settings: Settings, clock: MovingClock, host: str, is_there: bool
) -> None:
    prepare_home(settings.home)
    bank = MemoryBank(settings=settings, clock=clock)
    app = create_app(bank, open_installation(settings).keys, host=host)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert (client.get("/docs").status_code == 200) is is_there


def test_a_query_that_is_no_ascii_is_refused(server: Server) -> None:
    """HTTP knows none, and what reads it differs from server to server."""
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        request = f"GET /health?a=é HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
        connection.sendall(request.encode())
        assert b" 400 " in connection.recv(100)
