"""A real server on the loopback, in a thread of the test's own process."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from siliconfriend.config import prepare_home
from siliconfriend.http_server import http_server, listen, url_of
from siliconfriend.installation.accounts import Keys
from siliconfriend.installation.installation import open_installation
from siliconfriend.person.bank import MemoryBank
from siliconfriend.runtime import Runtime
from siliconfriend.server.app import create_app
from siliconfriend.server.replies import Replies

OPERATOR = "operator-key-of-the-tests"


@dataclass(frozen=True)
class Server:
    """A server that is running.

    Attributes:
        url: its address, without a slash at the end.
        bank: what it works with.
        keys: its keys.
        replies: those under way.
    """

    url: str
    bank: MemoryBank
    keys: Keys
    replies: Replies

    @property
    def runtime(self) -> Runtime:
        """The opened parts of the bank."""
        return self.bank.runtime

    def client(self, key: str | None = OPERATOR) -> httpx.Client:
        """A client with a key, or with none."""
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=120, trust_env=False)

    def client_of(self, person: str) -> httpx.Client:
        """A client with a person's key, made now."""
        return self.client(self.keys.make_for(person))

    def said(self, person: str = "Ada") -> list[tuple[str, str]]:
        """What is kept of a person, as they said it and as it was answered; nothing of nobody."""
        with self.client() as client:
            answer = client.get(f"/v1/people/{person}/turns")
        turns = answer.json()["turns"] if answer.status_code != 404 else ()
        return [(each["said"], each["replied"]) for each in turns]


def run_night(client: httpx.Client, path: str) -> dict[str, Any]:
    """Start the night of a person, or of everyone, and give how it is when it is over."""
    night: dict[str, Any] = client.post(f"{path}/nights").json()
    for _ in range(600):
        if night["state"] in ("done", "failed"):
            break
        time.sleep(0.05)
        night = client.get(f"{path}/nights/{night['id']}").json()
    return night


@contextmanager
def serving(bank: MemoryBank) -> Iterator[Server]:
    """Serve until the block ends."""
    settings = bank.settings
    prepare_home(settings.home)
    keys = open_installation(replace(settings, operator_key=OPERATOR)).keys
    app, listening = create_app(bank, keys), listen("127.0.0.1", 0)
    server = http_server(app)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield Server(url_of(listening, "127.0.0.1"), bank, keys, app.state.replies)
    finally:
        server.should_exit = True
        thread.join(30)


@contextmanager
def serving_process(
    home: Path, *words: str, **environ: str
) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """Serve in a process of its own: its address, what it printed until then, and itself."""
    own = {"SILICONFRIEND_HOME": str(home), "SILICONFRIEND_EMBEDDING": "none", **environ}
    command = [sys.executable, "-m", "siliconfriend", "serve", "--port", "0", *words]
    with subprocess.Popen(
        command, env={**os.environ, **own}, text=True, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        printed, url = "", ""
        for line in process.stderr:
            printed += line
            if found := re.search(r"http://\S+?(?=/v1)", line):
                url = found[0]
                break
        try:
            yield url, printed, process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
