"""Open what reads a talk for facts and events: at night, and in the background while it goes on."""

from siliconfriend.characters.companions import companion_name
from siliconfriend.config import Settings
from siliconfriend.extraction.extractor import Extractor, Subject
from siliconfriend.extraction.model_extractor import ModelExtractor
from siliconfriend.extraction.offline_extractor import OfflineExtractor
from siliconfriend.extraction.worker import Reader
from siliconfriend.memory.records import Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel, CompletionModel, FallbackModel
from siliconfriend.models.gguf import GGUFModel
from siliconfriend.models.openai_compatible import WRITTEN_TOKENS, OpenAICompatible
from siliconfriend.prompts.loader import Prompts


def reading_model(chat: ChatModel | None) -> ChatModel | None:
    """Return the model to ask during a talk; None to leave all to the night.

    Only one on a server is asked: one in this process would delay the replies.
    """
    if isinstance(chat, FallbackModel):
        chat = chat.first  # where it fails, the night reads
    return chat if isinstance(chat, OpenAICompatible) and not isinstance(chat, GGUFModel) else None


def subject_of(settings: Settings, scope: Scope, profile: Profile) -> Subject:
    """Return the names in the talks of a scope, and their language."""
    companion = companion_name(settings, scope.companion, profile.language)
    return Subject(profile.called, companion, profile.language)


def open_reader(settings: Settings, chat: CompletionModel | None, subject: Subject) -> Reader:
    """Open the reader of a person's talks: a model that is able to write, or the rules."""
    extractor: Extractor = OfflineExtractor()
    if chat is not None:
        prompts = Prompts(subject.language, settings.prompts)
        tokens = max(settings.max_tokens, WRITTEN_TOKENS)
        extractor = ModelExtractor(chat, prompts, answer_tokens=tokens)
    return Reader(extractor, subject)
