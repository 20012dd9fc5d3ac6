"""Opens what takes facts and events out of a talk while it goes on, so that the night has less to do.

Only a model on a server is asked in between: one that runs in this process would answer the user
later for it. What is read here and at night is read by the same extractor, told the same of who
speaks; opened elsewhere, one talk would be understood in two ways.
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
    """The model that is asked in between; None to leave all to the night."""
    if isinstance(chat, FallbackModel):
        chat = chat.first  # where it fails the night reads, which pays for nothing twice
    return chat if isinstance(chat, OpenAICompatible) and not isinstance(chat, GGUFModel) else None


def open_worker(
    settings: Settings, clock: Clock, store: MemoryStore, chat: ChatModel, recaller: Recaller
) -> Worker:
    """Open the worker that reads behind a talk.

    Args:
        settings: name the prompts and bound an answer.
        clock: of the program.
        store: of the program.
        chat: as :func:`reading_model` gives it.
        recaller: over the store; what its indexes know already is not embedded once more.
    """

    def reader_of(scope: Scope) -> Reader:
        profile = store.load(scope).profile
        language = profile.language
        vectors = None
        if recaller.embedder is not None:
            vectors = CachedEmbedder(
                recaller.embedder,
                batch_size=BACKGROUND_BATCH,
                file=recaller.vector_file(scope),
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
