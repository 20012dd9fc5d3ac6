"""``openai:MODEL``: embeddings from an OpenAI-compatible server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, ModelUnavailable
from siliconfriend.models.server import host_of, translate
from siliconfriend.recall.embedders.base import Vectors

TEXTS_A_CALL = 128


class OpenAIEmbedder:
    """Embeddings by the official ``openai`` client, at ``OPENAI_BASE_URL`` or OpenAI itself.

    Raises:
        ConfigurationError: no key and no address.
        ModelUnavailable: the server cannot be had.
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
        self._server: dict[str, Any] = {"name": model, "address": address, "seconds": seconds}
        self.dimension = len(self.queries(["."])[0])

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed stored texts."""
        blocks = [
            self._block(texts[first : first + TEXTS_A_CALL])
            for first in range(0, len(texts), TEXTS_A_CALL)
        ]
        return np.concatenate(blocks) if blocks else np.empty((0, self.dimension), np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions."""
        return self.passages(texts)

    def _block(self, texts: Sequence[str]) -> Vectors:
        import openai

        # The service refuses an empty text.
        whole = [text.encode("utf-8", "replace").decode() or " " for text in texts]
        try:
            answer = self._client.embeddings.create(
                model=self._model, input=whole, encoding_format="float"
            )
        except openai.OpenAIError as error:
            raise translate(error, self._server) from error
        if len(answer.data) != len(whole):
            raise ModelUnavailable("model_broke_off", **self._server)
        found = np.array([item.embedding for item in answer.data], dtype=np.float32)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray(found / np.maximum(lengths, 1e-12), dtype=np.float32)
