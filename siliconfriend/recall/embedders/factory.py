"""Open the embedder of the settings; none replaces another, since their vectors differ."""

from siliconfriend.config import Settings
from siliconfriend.recall.embedders.base import Embedder


def open_embedder(settings: Settings) -> Embedder | None:
    """Return the embedder of ``settings.embedding``; None for ``none``, which ranks by words alone.

    Raises:
        ConfigurationError: it cannot be loaded.
        ModelUnavailable: its service is unreachable.
    """
    kind, _, model = settings.embedding.partition(":")
    if kind == "none":
        return None
    if kind == "sentence-transformers":
        from siliconfriend.recall.embedders.sentence_transformer import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(model)
    if kind == "openai":
        from siliconfriend.recall.embedders.openai_embeddings import OpenAIEmbedder

        return OpenAIEmbedder(model, settings)
    from siliconfriend.recall.embedders.bundled import BundledEmbedder

    return BundledEmbedder()
