"""A stand-in for the Hugging Face Hub on this machine: one file, with ranges and broken lines."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from siliconfriend.config.presets import LocalModel, local_models


@dataclass
class Hub:
    """What the stand-in serves and what it was asked.

    Attributes:
        content: the file.
        breaks_after: so many bytes a response, then the line is cut; None to serve it whole.
        ranges: the ``Range`` headers of the requests for the file.
    """

    content: bytes
    breaks_after: int | None = None
    ranges: list[str] = field(default_factory=list)
    url: str = ""

    def model(self) -> LocalModel:
        """The smallest local model with this file in its place."""
        digest = hashlib.sha256(self.content).hexdigest()
        return replace(local_models()[0], size=len(self.content), sha256=digest)


@contextmanager
def serve_hub(content: bytes) -> Iterator[Hub]:
    """Serve a file at a free port of the loopback address."""
    hub = Hub(content)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._begin(200, len(hub.content))

        def do_GET(self) -> None:
            asked = self.headers.get("Range", "")
            hub.ranges.append(asked)
            start = int(asked.removeprefix("bytes=").partition("-")[0] or 0) if asked else 0
            body = hub.content[start:]
            self._begin(206 if asked else 200, len(body))
            if hub.breaks_after is not None:
                body = body[: hub.breaks_after]
                self.close_connection = True
            self.wfile.write(body)

        def _begin(self, status: int, length: int) -> None:
            self.send_response(status)
            self.send_header("ETag", f'"{hashlib.sha256(hub.content).hexdigest()}"')
            self.send_header("X-Repo-Commit", "0" * 40)
            self.send_header("Content-Length", str(length))
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, name="loopback", daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
