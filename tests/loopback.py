"""A tiny server on this machine that answers as it is told, well or badly.

It speaks just enough HTTP for a chat client to meet every way a real server fails: a
status, an empty body, half a document, a stream that is cut, a line that goes silent.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from select import select
from typing import Any

THREAD = "loopback"
"""The name of the threads that answer: nobody needs to wait for one that hangs."""


@dataclass(frozen=True)
class Answered:
    """One answer of the server.

    Attributes:
        body: what is sent; a text in one go, a list in pieces.
        status: the HTTP status; 0 sends nothing at all.
        kind: the content type.
        hangs: after the body the connection stays open and silent.
        cut: the line closes although more was announced.
    """

    body: str | list[str] = ""
    status: int = 200
    kind: str = "text/event-stream"
    hangs: bool = False
    cut: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)


def chunk(words: str | None = None, finish: str | None = None, **delta: Any) -> str:
    """One chunk of a stream."""
    said = {"content": words, **delta} if words is not None else delta
    choice = {"index": 0, "delta": said, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n"


def streamed(*words: str, finish: str = "stop", tokens: tuple[int, int] = (7, 3)) -> Answered:
    """A whole answer as servers stream it."""
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    counted = f"data: {json.dumps({'choices': [], 'usage': usage})}\n\n"
    pieces = [chunk(word) for word in words]
    return Answered([*pieces, chunk(finish=finish), counted, "data: [DONE]\n\n"])


def document(said: Any) -> Answered:
    """One JSON document."""
    return Answered(json.dumps(said), kind="application/json")


def refused(status: int, said: str = "no", **headers: str) -> Answered:
    """An error as OpenAI's servers put it."""
    body = json.dumps({"error": {"message": said, "type": "x", "param": None, "code": None}})
    return Answered(body, status, "application/json", headers=headers)


class LoopbackServer:
    """Gives its answers in order, the last one again and again.

    Attributes:
        asked: the bodies of the requests so far.
        pages: what it answers at other paths, by path without the query; 404 elsewhere. A
            function is asked with the headers of the request.
        keys: the keys they came with.
        paths: the paths they came at.
        left: set when a client has closed a silent connection.
    """

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.paths: list[str] = []
        self.pages: dict[str, Answered | Callable[[Mapping[str, str]], Answered]] = {}
        self._answers: deque[Answered] = deque()
        self._answer: Callable[[dict[str, Any]], Answered] = lambda _asked: self._next()
        self._closing, self.left = threading.Event(), threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def answers(self, answers: Iterable[Answered]) -> None:
        """What to say from now on."""
        self._answers = deque(answers)

    def answers_by(self, answer: Callable[[dict[str, Any]], Answered]) -> None:
        """Ask ``answer`` what to say to each request, in a thread of its own."""
        self._answer = answer

    def close(self) -> None:
        """End, hanging lines and all."""
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()

    def _next(self) -> Answered:
        return self._answers.popleft() if len(self._answers) > 1 else self._answers[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                threading.current_thread().name = THREAD
                self._send_page()

            def do_HEAD(self) -> None:
                self.do_GET()

            def do_POST(self) -> None:
                threading.current_thread().name = THREAD
                length = int(self.headers["Content-Length"])
                asked = json.loads(self.rfile.read(length))
                if self.path.startswith("/api/"):
                    self._send_page()
                    return
                server.asked.append(asked)
                server.keys.append(self.headers["Authorization"])
                server.paths.append(self.path)
                self._send(server._answer(asked))

            def _send_page(self) -> None:
                page = server.pages.get(self.path.partition("?")[0], Answered(status=404))
                self._send(page if isinstance(page, Answered) else page(dict(self.headers)))

            def _send(self, answered: Answered) -> None:
                if answered.status:
                    self._send_words(answered)
                while answered.hangs and not server._closing.wait(0.02):
                    if select([self.connection], [], [], 0)[0]:
                        server.left.set()
                        return

            def _send_words(self, answered: Answered) -> None:
                pieces = [answered.body] if isinstance(answered.body, str) else answered.body
                self.send_response(answered.status)
                self.send_header("Content-Type", answered.kind)
                for name, value in answered.headers.items():
                    self.send_header(name.replace("_", "-"), value)
                if answered.cut or answered.hangs:
                    self.send_header("Content-Length", "100000")
                self.end_headers()
                for piece in pieces if self.command != "HEAD" else ():
                    self.wfile.write(piece.encode("utf-8", "surrogatepass"))
                    self.wfile.flush()

            def log_message(self, *words: Any) -> None:
                """Say nothing."""

        return Handler
