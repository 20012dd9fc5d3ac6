"""A model on the loopback for the benchmarks of doors, and work in processes of its own."""

import json
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any, TypeVar

TOKENS = 20
Result = TypeVar("Result")


def serve_model(delay: float, pace: float, pipe: Connection) -> None:
    """Serve a model that begins after ``delay`` seconds and says a token every ``pace`` seconds.

    It begins with ``heard`` and the message's last word.
    Whoever asks for JSON gets a form with nothing in it.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            schema = asked.get("response_format", {}).get("json_schema", {}).get("schema")
            word = asked["messages"][-1]["content"].split()[-1].rstrip(".?")
            words = [f"heard{word} ", *(f"word{at} " for at in range(1, TOKENS))]
            if schema is not None:
                words = [json.dumps({key: [] for key in schema["required"]})]
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            with suppress(ConnectionError):  # the client has disconnected
                for at, piece in enumerate(words):
                    time.sleep(pace if at else delay)
                    self._say({"content": piece}, None)
                self._say({}, "stop")
                self.wfile.write(b"data: [DONE]\n\n")

        def _say(self, delta: dict[str, str], finish: str | None) -> None:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
            self.wfile.flush()

        def log_message(self, *words: Any) -> None:
            """Say nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    pipe.send(f"http://127.0.0.1:{http.server_port}/v1")
    http.serve_forever()


@contextmanager
def served(work: Callable[..., None], *given: Any) -> Iterator[str]:
    """A server in a process of its own, so that nobody waits for another's Python; its address."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    child = spawn.Process(target=work, args=(*given, there), daemon=True)
    child.start()
    try:
        yield here.recv()
    finally:
        child.kill()
        child.join()


def alone(work: Callable[..., Result], *given: Any) -> Result:
    """Work in a process of its own, so that the memory of one is not counted for the next."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, given)
