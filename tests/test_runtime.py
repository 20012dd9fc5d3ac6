"""The composition root: each part is opened once, when it is needed, and tried again after a failure."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import Companions
from siliconfriend.config import Settings
from siliconfriend.errors import ModelUnavailable, RefusedName
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.file_store import FileStore
from siliconfriend.models.gguf import GGUFModel
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.embedding import WordEmbedder
from tests.memory.people import NORA
from tests.recall.people import GARDEN, remember, turns

DAY = "2026-03-02"
SERVER: dict[str, Any] = {"llm": "openai", "openai_base_url": "http://127.0.0.1:9/v1", "model": "m"}


def test_a_part_is_opened_once_by_however_many_threads(
    settings: Settings, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight threads that need the embedder at once wait for the one that loads it."""
    opened: list[Embedder] = []
    may_open = threading.Event()

    def open_embedder(_settings: Settings) -> Embedder:
        assert may_open.wait(30)
        opened.append(WordEmbedder())
        return opened[-1]

    monkeypatch.setattr("siliconfriend.recall.embedders.factory.open_embedder", open_embedder)
    runtime = Runtime(settings, clock)
    with ThreadPoolExecutor(8) as threads:
        found = [threads.submit(lambda: runtime.recaller) for _ in range(8)]
        may_open.set()
        assert {id(one.result()) for one in found} == {id(runtime.recaller)}
    assert len(opened) == 1


def test_a_part_that_failed_to_open_is_tried_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An embedder that was down for a moment serves the next call."""
    answers: list[Exception | Embedder] = [
        ModelUnavailable("model_empty", name="x"),
        WordEmbedder(),
    ]

    def open_embedder(_settings: Settings) -> Embedder:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr("siliconfriend.recall.embedders.factory.open_embedder", open_embedder)
    runtime = Runtime(settings)
    with pytest.raises(ModelUnavailable):
        _ = runtime.recaller
    assert runtime.recaller.embedder is runtime.embedder
    assert answers == []


def test_the_night_asks_again_by_itself(settings: Settings) -> None:
    """Its client of a server does not repeat a call unseen; that of a reply does."""
    runtime = Runtime(replace(settings, **SERVER))
    assert isinstance(runtime.chat, OpenAICompatible)
    assert isinstance(runtime.night_chat, OpenAICompatible)
    assert runtime.night_chat is not runtime.chat
    assert Runtime(settings).night_chat is None


def test_only_a_model_on_a_server_is_asked_in_between(
    settings: Settings, tmp_path: Path, clock: MovingClock
) -> None:
    """Neither offline nor with a model of this machine's own does anything read in between."""
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    assert Runtime(settings, clock).worker is None
    assert Runtime(settings, clock, chat=ScriptedChatModel()).worker is None
    assert Runtime(settings, clock, chat=GGUFModel(path)).worker is None
    served = Runtime(replace(settings, **SERVER), clock)
    assert served.worker is served.worker
    assert served.worker is not None
    served.close()
    assert served.worker.is_closed


def test_the_memory_of_somebody_not_met_yet_is_not_stored(
    settings: Settings, clock: MovingClock
) -> None:
    """It is empty, in the language of the first words, and leaves no file."""
    runtime = Runtime(settings, clock)
    memory = runtime.memory(NORA, "你好")
    assert memory.profile.name == "Nora"
    assert memory.profile.language == "cn"
    assert memory.profile.created == runtime.now(memory)
    assert runtime.memory(NORA).profile.language == settings.language
    assert not runtime.store.exists(NORA)
    remember(runtime.store, turns(GARDEN))
    assert len([*runtime.memory(NORA, "你好").turns()]) == len(GARDEN)


def test_a_companion_is_known_as_soon_as_somebody_describes_it(
    settings: Settings, home: Path
) -> None:
    """And no longer when it is deleted; in between its index stays open."""
    runtime, companions = Runtime(settings), Companions(home)
    assert runtime.lore("Pebble") is None
    assert not home.exists()
    companions.create(Character("Pebble"))
    lore = runtime.lore("Pebble")
    assert lore is not None
    assert runtime.lore("Pebble") is lore
    companions.delete("Pebble")
    assert runtime.lore("Pebble") is None
    with pytest.raises(RefusedName):
        runtime.lore("../x")


def test_erased_words_leave_the_index(settings: Settings, home: Path) -> None:
    """Vectors and analyses of erased words go, also where the embedder cannot be asked."""
    store = FileStore(home)
    remember(store, turns([(DAY, "A zanzifrax parrot.", "Oh."), (DAY, "A kettle.", "Ah.")]))
    runtime = Runtime(settings, store=store, embedder=WordEmbedder())
    runtime.recaller.update_index(NORA)
    file = store.folder(NORA) / "memory.sqlite"
    assert b"zanzifrax" in file.read_bytes()
    first = next(store.load(NORA).turns())
    with store.edit(NORA) as edit:
        edit.add(Erase((first.id,)))
    Runtime(replace(settings, embedding="openai:nowhere"), store=store).rewrite_index(NORA)
    assert b"kettl oh" not in file.read_bytes()
    assert b"kettl" in file.read_bytes()
    assert b"zanzifrax" not in file.read_bytes()
