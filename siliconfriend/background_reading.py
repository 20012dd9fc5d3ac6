"""Open the worker that extracts facts and events during a talk, with the night's extractor.

Only a model on a server is asked: one in this process would delay the replies.
"""

from __future__ import annotations

from siliconfriend.characters.companions import companion_name
from siliconfriend.clock import Clock
from siliconfriend.config import Settings
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.model_extractor import ModelExtractor
from siliconfriend.extraction.support import meaning_of
from siliconfriend.extraction.worker import Reader, Worker
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel
from siliconfriend.models.fallback import FallbackModel
from siliconfriend.models.gguf import GGUFModel
from siliconfriend.models.openai_compatible import WRITTEN_TOKENS, OpenAICompatible
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.cached import BACKGROUND_BATCH, CachedEmbedder
from siliconfriend.recall.recaller import Recaller


def reading_model(chat: ChatModel | None) -> ChatModel | None:
    """Return the model to ask during a talk; None to leave all to the night."""
    if isinstance(chat, FallbackModel):
        chat = chat.first  # where it fails, the night reads
    return chat if isinstance(chat, OpenAICompatible) and not isinstance(chat, GGUFModel) else None


def open_worker(
    settings: Settings, clock: Clock, store: MemoryStore, chat: ChatModel, recaller: Recaller
) -> Worker:
    """Open the worker that extracts in the background.

    Args:
        settings: of the program, like clock and store.
        clock: as above.
        store: as above.
        chat: the model of :func:`reading_model`.
        recaller: over the store; the vectors of its indexes are reused.
    """

    def reader_of(scope: Scope) -> Reader:
        profile = store.load(scope).profile
        language = profile.language
        vectors = None
        if recaller.embedder is not None:
            vectors = CachedEmbedder(
                recaller.embedder, batch_size=BACKGROUND_BATCH, file=recaller.vector_file(scope)
            )
        extractor = ModelExtractor(
            chat,
            Prompts(language, settings.prompts),
            answer_tokens=max(settings.max_tokens, WRITTEN_TOKENS),
            embed=meaning_of(vectors),
        )
        name = companion_name(settings, scope.companion, language)
        return Reader(extractor, Subject(profile.called, name, language), vectors)

    return Worker(store, reader_of, clock)
