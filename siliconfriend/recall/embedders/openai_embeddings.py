"""``openai:MODEL``: embeddings from an OpenAI-compatible server."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, ModelUnavailable
from siliconfriend.models.failures import translate
from siliconfriend.models.server import host_of
from siliconfriend.recall.embedders.base import Vectors

TEXTS_A_CALL = 128
"""Texts per request; reduced when a server rejects the batch."""
LONGEST_TEXT = 8000
"""Characters of a text that are embedded; a refused longer text is halved."""
SHORTEST_CUT = 500


class OpenAIEmbedder:
    """Embeddings by the official ``openai`` client, at ``OPENAI_BASE_URL`` or OpenAI itself.

    Servers take different numbers and lengths of texts; what one takes is learned when it refuses.

    Raises:
        ConfigurationError: no key and no address.
        ModelUnavailable: the server cannot be reached, when texts are embedded.
    """

    revision = "1"

    def __init__(self, model: str, settings: Settings) -> None:
        import openai

        if not (settings.openai_api_key or settings.openai_base_url):
            raise ConfigurationError("embedder_no_key")
        self.name = f"openai:{model}"
        self._model = model
        self._client = openai.OpenAI(
            api_key=settings.openai_api_key or "none",
            base_url=settings.openai_base_url,
            timeout=settings.timeout,
        )
        address, seconds = host_of(str(self._client.base_url)), f"{settings.timeout:g}"
        secret = settings.openai_api_key or ""
        self._server: dict[str, Any] = {
            "name": model,
            "address": address,
            "seconds": seconds,
            "secret": secret,
        }
        self._texts_a_call = TEXTS_A_CALL

    @cached_property
    def dimension(self) -> int:
        """Return the length of a vector, for which the server is asked once."""
        return len(self.queries(["."])[0])

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed stored texts."""
        # The service refuses an empty text.
        whole = [text.encode("utf-8", "replace").decode()[:LONGEST_TEXT] or " " for text in texts]
        blocks, first = list[Vectors](), 0
        while first < len(whole):
            block = self._block(whole[first : first + self._texts_a_call])
            blocks.append(block)
            first += len(block)
        return np.concatenate(blocks) if blocks else np.empty((0, self.dimension), np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions."""
        return self.passages(texts)

    def _block(self, texts: Sequence[str]) -> Vectors:
        """Embed the first texts, as many as the server accepts in one request."""
        import openai

        try:
            answer = self._client.embeddings.create(
                model=self._model, input=list(texts), encoding_format="float"
            )
        except openai.OpenAIError as error:
            failure = translate(error, self._server)
            status = getattr(error, "status_code", 0)
            # Fewer or shorter texts may be accepted.
            if failure.key != "model_too_long" and status not in (400, 413, 422):
                raise failure from error
            if len(texts) > 1:
                self._texts_a_call = max(1, len(texts) // 2)
                return self._block(texts[: self._texts_a_call])
            if len(texts[0]) > SHORTEST_CUT:
                return self._block([texts[0][: len(texts[0]) // 2]])
            raise failure from error
        return self._vectors(answer.data, len(texts))

    def _vectors(self, rows: Sequence[Any], count: int) -> Vectors:
        """Put the answer's vectors in the order of the texts, each at length 1.

        Raises:
            ModelUnavailable: one is missing, or is no vector of numbers.
        """
        by_index = {row.index: row.embedding for row in rows}
        if sorted(by_index) != list(range(count)):
            raise ModelUnavailable("model_broke_off", **self._details())
        try:
            found = np.array([by_index[at] for at in range(count)], dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise ModelUnavailable("model_broke_off", **self._details()) from error
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise ModelUnavailable("model_broke_off", **self._details())
        return np.asarray(found / lengths, dtype=np.float32)

    def _details(self) -> dict[str, Any]:
        return {name: value for name, value in self._server.items() if name != "secret"}
