"""What leaves the talk is read behind the calls, where a model on a server is set."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.memory.file_store import FileStore
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.runtime import Runtime
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.tools import Tools
from siliconfriend.testing import MovingClock
from tests.dialogue.test_extraction_meanwhile import NOTES
from tests.loopback import LoopbackServer, streamed
from tests.service.conftest import ADA, kept
from tests.service.talking import talking

BOAT = {"user_input": "I own a green boat.", "agent_response": "I see."}


def settle(context: ServiceContext) -> None:
    """Wait until what left the talk is read."""
    assert context.runtime.worker is not None
    context.runtime.worker.settle()


def test_what_leaves_the_talk_is_read_before_the_night(
    home: Path, settings: Settings, clock: MovingClock, loopback: LoopbackServer
) -> None:
    """An hour later the boat is knowledge; until something leaves the talk nobody is asked."""
    loopback.answers([streamed(json.dumps(NOTES))])
    chat = OpenAICompatible("m", base_url=loopback.url, max_retries=0)
    context = ServiceContext(Runtime(replace(settings, user="Ada"), clock, chat=chat))
    tools = Tools(context)
    tools.call("add_memory", BOAT)
    assert loopback.asked == []
    clock.move(hours=1)
    tools.call("add_memory", {"user_input": "Hello again.", "agent_response": "Hi."})
    settle(context)
    found = tools.call("retrieve_memory", {"query": "What boat?"})
    assert [it["knowledge"] for it in found["retrieved_user_knowledge"]] == [
        "Ada owns a green boat."
    ]


def test_what_was_said_before_the_talk_is_read_too(
    settings: Settings, clock: MovingClock, loopback: LoopbackServer
) -> None:
    """An exchange of another day that is brought in later never enters the talk."""
    loopback.answers([streamed(json.dumps(NOTES))])
    chat = OpenAICompatible("m", base_url=loopback.url, max_retries=0)
    context = ServiceContext(Runtime(replace(settings, user="Ada"), clock, chat=chat))
    tools = Tools(context)
    tools.call("add_memory", {"user_input": "Hello.", "agent_response": "Hi."})
    tools.call("add_memory", {**BOAT, "timestamp": "2026-03-10 08:00:00"})
    settle(context)
    assert [it.context for it in kept(settings).turns()] == ["extracted", "live"]


def test_a_silent_model_costs_no_exchange(
    settings: Settings, clock: MovingClock, loopback: LoopbackServer
) -> None:
    """What could not be read stays pending for the next night, and the answer is a success."""
    loopback.close()
    chat = OpenAICompatible("m", base_url=loopback.url, max_retries=0)
    context = ServiceContext(Runtime(replace(settings, user="Ada"), clock, chat=chat))
    tools = Tools(context)
    tools.call("add_memory", BOAT)
    clock.move(hours=1)
    assert tools.call("add_memory", BOAT)["status"] == "success"
    settle(context)
    assert [it.context for it in kept(settings).turns()] == ["pending", "live"]


@pytest.mark.slow
def test_the_server_says_who_reads(home: Path, tmp_path: Path, loopback: LoopbackServer) -> None:
    """A real server names the model and its address aside, reads, and ends in good order."""
    asked = threading.Event()

    def answer(_asked: dict[str, Any]) -> Any:
        asked.set()
        return streamed(json.dumps(NOTES))

    loopback.answers_by(answer)
    log = tmp_path / "server.log"
    environ = {
        "SILICONFRIEND_LLM": "openai",
        "SILICONFRIEND_MODEL": "m",
        "OPENAI_BASE_URL": loopback.url,
    }
    with talking(home, "--user", "Ada", log=log, **environ) as call:
        call("add_memory", **BOAT, timestamp="2026-03-14 07:00:00")
        call("add_memory", user_input="Hello again.", agent_response="Hi.")
        assert asked.wait(30)
    said = log.read_text(encoding="utf-8")
    assert "What leaves the talk is read by openai:m" in said
    assert len(loopback.asked) == 1
    (fact,) = FileStore(home).load(ADA).facts()
    assert fact.text == "Ada owns a green boat."


def test_without_an_embedder_it_waits_for_the_night(
    settings: Settings, clock: MovingClock, loopback: LoopbackServer
) -> None:
    """Keeping needs no embedder; that nothing is read is only told aside."""
    chat = OpenAICompatible("m", base_url=loopback.url, max_retries=0)
    missing = replace(settings, user="Ada", embedding="openai:nowhere")
    tools = Tools(ServiceContext(Runtime(missing, clock, chat=chat)))
    tools.call("add_memory", BOAT)
    clock.move(hours=1)
    assert tools.call("add_memory", BOAT)["status"] == "success"
    assert loopback.asked == []
