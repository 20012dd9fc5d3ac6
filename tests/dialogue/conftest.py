"""Ada and a companion that says what each test writes."""

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.file_store import FileStore
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
