"""A model's server that is asked and does not answer."""

import socket
import threading
from contextlib import suppress


class SilentModel:
    """A model's server that takes a request and says nothing.

    Attributes:
        asked, left: set when a request came, and when the client had left.
    """

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"
        self.asked, self.left = threading.Event(), threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._hear, args=(connection,), daemon=True).start()

    def _hear(self, connection: socket.socket) -> None:
        with connection:
            first = connection.recv(65536)
            if first.startswith(b"POST"):
                self.asked.set()
                with suppress(ConnectionError):
                    while connection.recv(65536):
                        pass
                self.left.set()

    def close(self) -> None:
        """Listen no more."""
        self._listening.close()
