"""A talk with a model on a server is read while it goes on, and no reply waits for it."""

import json
import threading
from pathlib import Path
from typing import Any

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.recording import record_scene_end
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, confirming
from tests.extraction.world import a_fact, an_answer, settle
from tests.loopback import LoopbackServer, streamed

ADA = Scope.of("Ada")
NOTES = an_answer(facts=[a_fact("Ada owns a green boat.")], importance=[4])


def test_what_leaves_the_talk_is_read_in_between(
    home: Path, settings: Settings, clock: MovingClock, loopback: LoopbackServer
) -> None:
    """The second reply is given while the server still thinks about what to note of the first."""
    thinks, may_answer = threading.Event(), threading.Event()

    def answer(request: dict[str, Any]) -> Any:
        asked = request["messages"][-1]["content"]
        if "<talk>" not in asked:
            return streamed("I see.")
        if '"verdicts"' in asked:
            return streamed(json.dumps(confirming(asked)))
        thinks.set()
        assert may_answer.wait(30)
        return streamed(json.dumps(NOTES))

    loopback.answers_by(answer)
    store = FileStore(home)
    chat = OpenAICompatible("m", base_url=loopback.url, max_retries=0)
    chat.is_able = True  # type: ignore[attr-defined]  # as if it had been measured
    runtime = Runtime(settings, clock, store=store, chat=chat)
    worker, friend = runtime.worker, Companion("Ada", runtime=runtime)
    assert worker is not None
    friend.reply("I own a green boat.")
    assert record_scene_end(store, ADA) == 1
    worker.wake(ADA)
    assert thinks.wait(30)
    assert friend.reply("It leaks.").text == "I see."
    assert list(store.load(ADA).facts()) == []
    may_answer.set()
    settle()
    memory = store.load(ADA)
    assert [fact.text for fact in memory.facts()] == ["Ada owns a green boat."]
    assert [turn.context for turn in memory.turns()] == ["extracted", "live"]
    worker.close()


def test_a_friend_of_ones_own_leaves_the_reading_to_the_night(
    home: Path, settings: Settings, clock: MovingClock, loopback: LoopbackServer
) -> None:
    """A program that gave no runtime has no worker to close, so none is started for it."""
    loopback.answers([streamed("I see."), streamed("I see.")])
    chat = OpenAICompatible("m", base_url=loopback.url, max_retries=0)
    friend = Companion("Ada", settings=settings, chat=chat, clock=clock)
    friend.reply("I own a green boat.")
    clock.move(hours=1)
    friend.reply("It leaks.")
    assert [turn.context for turn in FileStore(home).load(ADA).turns()] == ["pending", "live"]
    assert len(loopback.asked) == 2
    assert "extraction" not in {thread.name for thread in threading.enumerate()}
