"""A server for the tests of this room: offline, words only, at a fixed moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from siliconfriend.config import Settings, prepare_home
from siliconfriend.keys import KeyFile
from siliconfriend.runtime import Runtime
from siliconfriend.server.access import Access
from siliconfriend.server.app import create_app
from siliconfriend.server.context import ServerContext
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.server.serving import OPERATOR, Server, listening_to


@pytest.fixture
def model() -> ScriptedChatModel:
    """A model that says "Mm." to everything a test scripts no answer for."""
    return ScriptedChatModel(otherwise=lambda _messages: "Mm.")


@pytest.fixture(scope="session")
def listening() -> Iterator[tuple[FastAPI, str]]:
    """One server for all tests, and its address; each test gives it a context of its own."""
    nobody = Runtime(Settings(home=Path("nowhere")))
    app = create_app(ServerContext(nobody, Access(None)))
    with listening_to(app) as url:
        yield app, url


@pytest.fixture
def server(
    listening: tuple[FastAPI, str], settings: Settings, clock: MovingClock
) -> Iterator[Server]:
    """A server with the offline companion."""
    with with_context(listening, Runtime(settings, clock)) as running:
        yield running


@pytest.fixture
def speaking(
    listening: tuple[FastAPI, str],
    settings: Settings,
    clock: MovingClock,
    model: ScriptedChatModel,
) -> Iterator[Server]:
    """A server whose companion speaks through ``model``."""
    with with_context(listening, Runtime(settings, clock, chat=model)) as running:
        yield running


@contextmanager
def with_context(listening: tuple[FastAPI, str], runtime: Runtime) -> Iterator[Server]:
    """The one server with these parts until the block ends."""
    app, url = listening
    prepare_home(runtime.settings.home)
    keys = KeyFile(runtime.settings.home, OPERATOR)
    before = app.state.context
    context = ServerContext(runtime, Access.of(runtime.settings, "127.0.0.1", keys))
    app.state.context = context
    yield Server(url, runtime, keys)
    app.state.context = before
    context.close()


@pytest.fixture
def operator(server: Server) -> Iterator[httpx.Client]:
    """A client with the operator's key."""
    with server.client() as client:
        yield client


@pytest.fixture
def ada(server: Server) -> Iterator[httpx.Client]:
    """A client with Ada's key."""
    with server.client_of("Ada") as client:
        yield client
