"""``openai:MODEL``: embeddings from an OpenAI-compatible server."""

import base64
import re
from collections.abc import Sequence
from functools import cached_property
from time import monotonic, sleep
from typing import Any

import numpy as np

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, ModelError, ModelUnavailable
from siliconfriend.models import connection
from siliconfriend.models.base import REST_SECONDS
from siliconfriend.models.failures import retry_wait, translate
from siliconfriend.recall.embedders.base import Vectors

TEXTS_A_CALL = 128
"""Texts per request; reduced when a server rejects the batch."""
LONGEST_TEXT = 8000
"""Characters of a text that are embedded; a refused longer text is halved."""
SHORTEST_CUT = 500
MAX_RETRIES = 2
_OPENAI, _PROBE = "https://api.openai.com/v1", "."
_REFUSED = frozenset(("model_too_long", "model_refused", "model_rejected"))
_BATCH = re.compile(r"batch|inputs|items|array", re.IGNORECASE)
_MOST = re.compile(r"(?:than|most|max\w*|limit|<=)\D{0,30}?(\d+)", re.IGNORECASE)


class OpenAIEmbedder:
    """Embeddings by the server at ``OPENAI_BASE_URL``, or by OpenAI itself.

    Servers take different numbers and lengths of texts: a refused batch is divided, and a refused text
    cut. A text that is refused alone has the vector 0, so it is found by its words. After a failure
    that a retry does not mend, the server is left alone for a minute.

    Raises:
        ConfigurationError: no key and no address.
        ModelUnavailable: the server cannot be reached, when texts are embedded.
    """

    revision = "1"

    def __init__(self, model: str, settings: Settings) -> None:
        if not (settings.openai_api_key or settings.openai_base_url):
            raise ConfigurationError("embedder_no_key")
        self.name = f"openai:{model}"
        self._model = model
        address = connection.without_path_of_request(settings.openai_base_url or _OPENAI)
        self._options = connection.client_options(
            address, settings.openai_api_key, settings.timeout
        )
        self._server: dict[str, Any] = {
            "name": model,
            "address": connection.host_of(address),
            "seconds": f"{settings.timeout:g}",
            "secret": settings.openai_api_key or "",
            "model_variable": "SILICONFRIEND_EMBEDDING",
        }
        self._texts_a_call = TEXTS_A_CALL
        self._failure: ModelUnavailable | None = None
        self._rests_until = 0.0

    @cached_property
    def dimension(self) -> int:
        """Return the length of a vector, for which the server is asked once."""
        return len(self._block([_PROBE])[0])

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed stored texts."""
        # The service refuses an empty text.
        whole = [text.encode("utf-8", "replace").decode()[:LONGEST_TEXT] or " " for text in texts]
        blocks, first = list[Vectors](), 0
        while first < len(whole):
            block = whole[first : first + self._texts_a_call]
            blocks.append(self._block(block))
            first += len(block)
        return np.concatenate(blocks) if blocks else np.empty((0, self.dimension), np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions."""
        return self.passages(texts)

    def _block(self, texts: Sequence[str]) -> Vectors:
        """Embed texts with as many requests as the server needs."""
        try:
            return self._ask(texts)
        except ModelError as failure:
            if failure.key not in _REFUSED:
                raise
            if len(texts) > 1:
                said = str(failure.details.get("said", ""))
                most = _MOST.search(said) if _BATCH.search(said) else None
                size = int(most[1]) if most and 0 < int(most[1]) < len(texts) else 0
                self._texts_a_call = size or self._texts_a_call
                size = size or len(texts) // 2
                parts = [texts[at : at + size] for at in range(0, len(texts), size)]
                return np.concatenate([self._block(part) for part in parts])
            if len(texts[0]) > SHORTEST_CUT:
                return self._block([texts[0][: len(texts[0]) // 2]])
            if texts[0] != _PROBE:
                self._block([_PROBE])  # raises where the server refuses every text
                return np.zeros((1, self.dimension), np.float32)
            told = {"status": 400, **failure.details, **self._details()}
            raise ModelUnavailable("model_rejected", **told) from failure

    def _ask(self, texts: Sequence[str]) -> Vectors:
        """Embed texts with one request; ModelError: the server refused them, or failed."""
        if self._failure is not None and monotonic() < self._rests_until:
            raise self._failure
        retries = MAX_RETRIES
        while True:
            try:
                return self._vectors(self._post(texts), len(texts))
            except connection.failures() as error:
                failure = translate(error, self._server)
                wait = retry_wait(failure)
                if retries and wait is not None:
                    retries -= 1
                    sleep(wait)
                    continue
                if isinstance(failure, ModelUnavailable) and failure.key not in _REFUSED:
                    self._failure, self._rests_until = failure, monotonic() + REST_SECONDS
                raise failure from error

    def _post(self, texts: Sequence[str]) -> Any:
        import httpx2

        sent = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        with httpx2.Client(**self._options) as client:
            return connection.parsed(client.post("embeddings", json=sent))["data"]

    def _vectors(self, rows: Sequence[Any], count: int) -> Vectors:
        """Put the answer's vectors in the order of the texts, each at length 1 or 0.

        Some servers send null or NaN for a text that their model cannot read: its vector is 0.

        Raises:
            ModelUnavailable: one is missing, or none is a vector of the usual length.
        """
        try:
            by_index = {row.get("index", at): row["embedding"] for at, row in enumerate(rows)}
            vectors = [_numbers(by_index[at]) for at in range(count)]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ModelUnavailable("embedder_vectors", **self._details()) from error
        sizes = {len(vector) for vector in vectors if vector.ndim == 1}
        if len(by_index) != count or len(sizes) != 1 or any(one.ndim > 1 for one in vectors):
            raise ModelUnavailable("embedder_vectors", **self._details())
        (size,) = sizes
        # The first answer tells the dimension, unless it was asked for before.
        if size != self.__dict__.setdefault("dimension", size):
            raise ModelUnavailable("embedder_vectors", **self._details())
        found = np.array([np.broadcast_to(vector, (size,)) for vector in vectors], np.float32)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray(found / np.where(lengths == 0, 1, lengths), dtype=np.float32)

    def _details(self) -> dict[str, Any]:
        return {name: value for name, value in self._server.items() if name != "secret"}


def _numbers(vector: Any) -> Vectors:
    """Return the numbers of a vector, also of one in base64; a single 0 if there are none."""
    if isinstance(vector, str):
        vector = np.frombuffer(base64.b64decode(vector), "<f4")
    found = np.array(np.nan if vector is None else vector, np.float32)
    return found if np.isfinite(found).all() else np.zeros((), np.float32)
