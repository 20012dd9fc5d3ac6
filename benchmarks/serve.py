"""What the door costs: the first token through `siliconfriend serve` against the model directly.

A tiny model on the loopback begins to answer at once, so that what is left is the way through the
server: its key, what the client's chat shows, the words on disk, recall with the bundled
embedder and the prompt. Prints both medians and their difference:
``python benchmarks/serve.py [TURNS]``. The texts of the old turns repeat every 500, which
changes nothing for a search and saves minutes of embedding.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

from siliconfriend.forgetting.trace import Trace
from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.creation import new_profile
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope

NORA = Scope.of("Nora")
DISTINCT = 500
TURNS_A_DAY = 20
PACE = 0.1
"""Seconds from piece to piece of the model."""
MESSAGES = 15
"""Fewer than leave the talk: what a model reads behind it is another matter."""
THINGS = ("beans", "chess", "the ferry", "my sister", "the garden", "a violin", "Porto", "bread")


class Model(BaseHTTPRequestHandler):
    """Begins to answer every request at once."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer as OpenAI's servers stream; whoever asks for JSON gets a form with nothing in it."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        schema = asked.get("response_format", {}).get("json_schema", {}).get("schema")
        words = "Well." if schema is None else json.dumps({key: [] for key in schema["required"]})
        deltas = [({"content": words}, None), ({}, "stop")]
        chunks = [
            {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
            for delta, reason in deltas
        ]
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for at, line in enumerate([*lines, "data: [DONE]\n\n"]):
            time.sleep(PACE if at else 0)
            self.wfile.write(line.encode())
        self.close_connection = True

    def log_message(self, *_words: object) -> None:
        """Say nothing."""


def remember(home: Path, turns: int) -> None:
    """Keep so many old turns of ordinary length, twenty a day."""
    began = datetime.now(UTC).replace(hour=8) - timedelta(days=turns // TURNS_A_DAY + 2)
    store = FileStore(home)
    store.create(NORA, new_profile(NORA, language="en", timezone="UTC", now=began))
    with store.edit(NORA) as edit:
        for number in range(turns):
            said = began + timedelta(days=number // TURNS_A_DAY, minutes=number % TURNS_A_DAY)
            date, position = said.date().isoformat(), number % TURNS_A_DAY
            kind = number % DISTINCT
            edit.add(
                PutTurn(
                    Turn(
                        memory_id(NORA, "turn", date, position),
                        date,
                        position,
                        query=f"Story {kind}: today it was about {THINGS[kind % 8]} and {THINGS[kind // 8 % 8]}.",
                        response=f"I like how you tell of {THINGS[kind % 8]}, number {kind}.",
                        time=said,
                        trace=Trace(said),
                        context="extracted",
                    )
                )
            )
    store.tidy(NORA)


@contextmanager
def serving(home: Path, model: str) -> Iterator[str]:
    """The server as a process of its own; its address."""
    environ = {
        **os.environ,
        "SILICONFRIEND_HOME": str(home),
        "SILICONFRIEND_LLM": "openai",
        "SILICONFRIEND_RATE_LIMIT": "none",
        "OPENAI_BASE_URL": model,
        "OPENAI_API_KEY": "k",
    }
    command = [sys.executable, "-m", "siliconfriend", "serve", "--port", "0"]
    with subprocess.Popen(command, env=environ, text=True, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        url = ""
        for line in process.stderr:
            if found := re.search(r"http://\S+?/v1", line):
                url = found[0]
                break
        yield url
        process.terminate()


def first_token(client: httpx.Client, url: str, model: str, words: str, chat: str) -> float:
    """Seconds until the first word of an answer, which is then heard to its end."""
    body = {"model": model, "messages": [{"role": "user", "content": words}], "stream": True}
    headers = {"X-SiliconFriend-Chat-Id": chat}
    began, seconds = time.perf_counter(), 0.0
    with client.stream("POST", f"{url}/chat/completions", json=body, headers=headers) as answer:
        for line in answer.iter_lines():
            if not seconds and re.search(r'"content": ?"W', line):
                seconds = time.perf_counter() - began
    return seconds


def main(turns: int) -> None:
    """Measure, one message through the door and one to the model in turns."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    model = f"http://127.0.0.1:{http.server_port}/v1"
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        remember(home, turns)
        key = installation_in(home).keys.make_for(NORA.person)
        headers = {"Authorization": f"Bearer {key}"}
        with (
            serving(home, model) as url,
            httpx.Client(headers=headers, timeout=1200, trust_env=False) as client,
        ):
            indexed = first_token(client, url, "default", "Hello there.", "warm")
            door, direct = [], []
            for number in range(MESSAGES):
                thing = THINGS[number % 8]
                words = f"What did I tell you about {thing}, and when was it, number {number}?"
                door.append(first_token(client, url, "default", words, f"chat{number}"))
                direct.append(first_token(client, model, "m", words, ""))
    ours, theirs = statistics.median(door) * 1000, statistics.median(direct) * 1000
    print(f"{turns:,} turns; the first message, which indexes them: {indexed:.1f} s")
    print(f"first token through the door: median {ours:.1f} ms, worst {max(door) * 1000:.1f} ms")
    print(f"first token from the model:   median {theirs:.1f} ms")
    print(f"overhead of the door:         median {ours - theirs:.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
