"""``sentence-transformers:NAME``: any model of that library, from a hub or a folder."""

import hashlib
import threading
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from siliconfriend.errors import ConfigurationError
from siliconfriend.recall.embedders.base import Vectors


class SentenceTransformerEmbedder:
    """A model that runs here by ``sentence-transformers``.

    A model's own prompts for queries and passages are used where it has them; E5 models,
    which need them and often do not say so, get theirs by their name.

    Args:
        model: a name on the hub or a folder.

    Raises:
        ConfigurationError: it cannot be loaded, or its package is not installed.
    """

    def __init__(self, model: str) -> None:
        self.name = f"sentence-transformers:{model}"
        # Fast tokenizers refuse to be used by two threads at once.
        self._lock = threading.Lock()
        try:
            from sentence_transformers import SentenceTransformer

            self._model: Any = SentenceTransformer(model, device="cpu")
        except ModuleNotFoundError as error:
            # A light installation leaves it out, and torch with it.
            raise ConfigurationError("embedder_package", name=model) from error
        except (ImportError, OSError, ValueError) as error:
            raise ConfigurationError("embedder_unloadable", name=model) from error
        prompts = {key: text for key, text in (self._model.prompts or {}).items() if text}
        is_e5 = "e5" in Path(model).name.lower()
        self._query = prompts.get("query", "query: " if is_e5 else "")
        self._passage = prompts.get(
            "passage", prompts.get("document", "passage: " if is_e5 else "")
        )
        self.dimension = len(self.queries(["."])[0])
        self.revision = _revision(model)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed stored texts."""
        return self._encode([self._passage + text for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions."""
        return self._encode([self._query + text for text in texts])

    def _encode(self, texts: Sequence[str]) -> Vectors:
        whole = [text.encode("utf-8", "replace").decode() for text in texts]
        with self._lock:
            found = self._model.encode(whole, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(found, dtype=np.float32).reshape(
            len(whole), -1 if whole else self.dimension
        )


def _revision(model: str) -> str:
    """The library's version; of a folder also a hash of its files' names, sizes and times."""
    version = metadata.version("sentence-transformers")
    folder = Path(model)
    if not folder.is_dir():
        return version
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            status = path.stat()
            line = f"{path.relative_to(folder)} {status.st_size} {status.st_mtime_ns}\n"
            digest.update(line.encode())
    return f"{version} {digest.hexdigest()[:16]}"
