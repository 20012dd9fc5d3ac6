"""A local model file: llama.cpp's server inside this process, asked by the usual client.

The server listens on a free loopback port with a random key, and ends with this process.
"""

from __future__ import annotations

import os
import secrets
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from siliconfriend.errors import ConfigurationError, ModelUnavailable
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.models.server import Served

CONTEXT_TOKENS = 8192
"""Context size in tokens; a larger one uses more memory."""


class GGUFModel(OpenAICompatible):
    """A model in a ``.gguf`` file; it is loaded when it is first asked something.

    ``options`` are as for :class:`OpenAICompatible`; loading does not count as silence.
    ConfigurationError: the extra ``gguf`` is not installed, or there is no such file.
    """

    def __init__(self, path: Path, *, context: int | None = None, **options: Any) -> None:
        require_package()
        if not path.is_file():
            raise ConfigurationError("gguf_missing", path=path)
        super().__init__(
            path.stem,
            base_url="http://127.0.0.1/v1",
            api_key=secrets.token_urlsafe(32),
            name=f"gguf:{path.stem}",
            context=context or CONTEXT_TOKENS,
            **options,
        )
        self.path = path
        self._starting = threading.Lock()
        self._started: list[Any] = []
        """The server, once it runs; copies of this model share it."""

    def _options(self) -> dict[str, Any]:
        with self._starting:
            if not self._started:
                self._started.append(self._start())
            self.base_url = f"{self._started[0].listening_address}/v1"
        return super()._options()

    def served(self) -> Served:
        """Return the configured context size, without a request."""
        return Served("llamacpp", self.context, models=(self.model,))

    def _start(self) -> Any:
        import xllamacpp

        asked = xllamacpp.CommonParams()
        asked.model.path = str(self.path)
        asked.n_ctx, asked.n_parallel = self.context, 1
        asked.hostnames, asked.port = ["127.0.0.1"], 0
        asked.api_keys = [self.api_key]
        asked.ui = asked.endpoint_slots = asked.warmup = False
        asked.verbosity = -1
        # Half of the cores, without polling: on busy ones waiting threads stall each other.
        threads = max(1, (os.cpu_count() or 2) // 2)
        for processors in (asked.cpuparams, asked.cpuparams_batch):
            processors.n_threads, processors.poll = threads, 0
        try:
            return xllamacpp.Server(asked)
        except RuntimeError as error:
            raise ModelUnavailable("gguf_unreadable", path=self.path) from error


def require_package() -> None:
    """Raise ConfigurationError if the extra ``gguf`` is not installed."""
    if find_spec("xllamacpp") is None:
        raise ConfigurationError("gguf_package")
