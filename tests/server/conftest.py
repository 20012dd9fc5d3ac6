"""A server for the tests of this room: offline, words only, at a fixed moment."""

from collections.abc import Iterator

import httpx
import pytest

from siliconfriend.config import Settings
from siliconfriend.person.bank import MemoryBank
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.server.serving import Server, serving


@pytest.fixture
def model() -> ScriptedChatModel:
    """A model that says "Mm." to everything a test scripts no answer for."""
    return ScriptedChatModel(otherwise=lambda _messages: "Mm.")


@pytest.fixture
def server(settings: Settings, clock: MovingClock) -> Iterator[Server]:
    """A server with the offline companion."""
    with serving(MemoryBank(settings=settings, clock=clock)) as running:
        yield running


@pytest.fixture
def speaking(settings: Settings, clock: MovingClock, model: ScriptedChatModel) -> Iterator[Server]:
    """A server whose companion speaks through ``model``."""
    with serving(MemoryBank(settings=settings, clock=clock, chat=model)) as running:
        yield running


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
