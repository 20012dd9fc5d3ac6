"""A talk with a model on a server is read while it goes on, and no reply waits for it."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.reading import open_worker
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.models.gguf import GGUFModel
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.recall.recaller import Recaller
from siliconfriend.testing import MovingClock, ScriptedChatModel, WordEmbedder
from tests.loopback import LoopbackServer, streamed

ADA = Scope.of("Ada")
NOTES = {
    "events": [],
    "facts": [
        {
            "entity": "Ada",
            "entity_type": "object",
            "aspect": "attribute",
            "key_word": "boat",
            "description": "Ada owns a green boat.",
            "said_by": "person",
            "turns": [1],
            "corrects": None,
            "repeats": None,
        }
    ],
    "themes": [{"summary": "Ada's boat.", "key_words": ["boat"], "turns": [1], "continues": False}],
    "importance": [4],
}


def test_what_leaves_the_talk_is_read_in_between(
    home: Path, settings: Settings, clock: MovingClock, loopback: LoopbackServer
) -> None:
    """The second reply is given while the server still thinks about what to note of the first."""
    thinks, may_answer = threading.Event(), threading.Event()

    def answer(request: dict[str, Any]) -> Any:
        if "<talk>" not in request["messages"][-1]["content"]:
            return streamed("I see.")
        thinks.set()
        assert may_answer.wait(30)
        return streamed(json.dumps(NOTES))

    loopback.answers_by(answer)
    store = FileStore(home)
    chat = OpenAICompatible("m", base_url=loopback.url, max_retries=0)
    worker = open_worker(
        settings, store, chat, Recaller(store, None, policy=ForgettingPolicy.of(settings)), clock
    )
    assert worker is not None
    friend = Companion("Ada", settings=settings, store=store, chat=chat, clock=clock, worker=worker)
    friend.reply("I own a green boat.")
    friend.change_scene()
    assert thinks.wait(30)
    assert friend.reply("It leaks.").text == "I see."
    assert list(store.load(ADA).facts()) == []
    may_answer.set()
    worker.settle()
    memory = store.load(ADA)
    assert [it.text for it in memory.facts()] == ["Ada owns a green boat."]
    assert [turn.context for turn in memory.turns()] == ["extracted", "live"]
    worker.close()


def test_what_the_index_knows_is_not_embedded_once_more(
    home: Path, settings: Settings, clock: MovingClock, loopback: LoopbackServer
) -> None:
    """A topic of the first scene is compared with the second by the vector it has there."""
    loopback.answers_by(
        lambda request: streamed(
            json.dumps({**NOTES, "facts": []})
            if "<talk>" in request["messages"][-1]["content"]
            else "I see."
        )
    )
    store, embedder = FileStore(home), WordEmbedder()
    chat = OpenAICompatible("m", base_url=loopback.url, max_retries=0)
    recaller = Recaller(store, embedder, policy=ForgettingPolicy.of(settings))
    before = 0
    for words in ("I own a green boat.", "My boat leaks."):
        worker = open_worker(settings, store, chat, recaller, clock)
        assert worker is not None
        friend = Companion(
            "Ada",
            settings=settings,
            store=store,
            chat=chat,
            recaller=recaller,
            clock=clock,
            worker=worker,
        )
        friend.reply(words)
        before = len(embedder.embedded)
        friend.change_scene()
        worker.settle()
        worker.close()
    (topic,) = store.load(ADA).topics()
    assert len(topic.pages) == 2
    assert topic.text not in embedder.embedded[before:]


def test_without_a_server_the_night_reads(
    home: Path, settings: Settings, clock: MovingClock, tmp_path: Path
) -> None:
    """Neither offline nor with a model of this machine's own does anything read in between."""
    store = FileStore(home)
    words = Recaller(store, None, policy=ForgettingPolicy.of(settings))
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    assert open_worker(settings, store, None, words, clock) is None
    assert open_worker(settings, store, ScriptedChatModel(), words, clock) is None
    assert open_worker(settings, store, GGUFModel(path), words, clock) is None
