"""The worker of a talk: events and facts are taken out of it while it goes on.

Only a model on a server is asked in between. One that runs in this process would answer
the person later for it, so there, as without a model, the next night reads.
"""

from __future__ import annotations

from siliconfriend.clock import Clock
from siliconfriend.config import Settings
from siliconfriend.extraction.embedding import RememberedVectors
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.model_extractor import ModelExtractor
from siliconfriend.extraction.worker import Reader, Worker
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel
from siliconfriend.models.gguf import GGUFModel
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.prompts import Prompts
from siliconfriend.recall.recaller import Recaller


def open_worker(
    settings: Settings,
    store: MemoryStore,
    chat: ChatModel | None,
    recaller: Recaller,
    clock: Clock,
) -> Worker | None:
    """Who reads what leaves a talk; None where only the night does.

    What the recaller's index knows already is not embedded once more.
    """
    if not isinstance(chat, OpenAICompatible) or isinstance(chat, GGUFModel):
        return None

    def reader_for(scope: Scope) -> Reader:
        language = store.load(scope).profile.language
        name = companion_name(settings, scope.companion, language)
        prompts = Prompts(language, settings.prompts)
        extractor = ModelExtractor(chat, prompts, answer_tokens=settings.max_tokens)
        return Reader(extractor, Subject(scope.person, name, language))

    embedder = recaller.embedder
    embed = None if embedder is None else RememberedVectors(embedder)
    return Worker(store, reader_for, embed, clock, recaller.embed_passages)
