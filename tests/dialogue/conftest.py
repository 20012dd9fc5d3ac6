"""Ada with a companion that says what each test writes, and with one without a model."""

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.file_store import FileStore
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel


@pytest.fixture
def store(settings: Settings) -> FileStore:
    """An empty store."""
    return FileStore(settings.home)


@pytest.fixture
def model() -> ScriptedChatModel:
    """A model whose words each test writes."""
    return ScriptedChatModel()


@pytest.fixture
def friend(
    store: FileStore, settings: Settings, clock: MovingClock, model: ScriptedChatModel
) -> Companion:
    """Ada's companion, who speaks as the model does."""
    return Companion("Ada", runtime=Runtime(settings, clock, store=store, chat=model))


@pytest.fixture(scope="session")
def embedder() -> CachedEmbedder:
    """The bundled embedder, for which acts, wishes and corrections are learned."""
    return CachedEmbedder(BundledEmbedder())


@pytest.fixture
def diary(settings: Settings, clock: MovingClock, embedder: CachedEmbedder) -> Companion:
    """Ada's companion without a model."""
    return Companion("Ada", runtime=Runtime(settings, clock, embedder=embedder))
