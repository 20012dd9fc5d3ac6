"""Whatever a model's server does: what the person reads, and what is kept."""

from __future__ import annotations

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import ModelError
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.loopback import LoopbackServer
from tests.models.failures import FAILURES, Failure


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.name)
def test_each_failure_is_told_and_none_is_remembered(
    settings: Settings, clock: MovingClock, loopback: LoopbackServer, failure: Failure
) -> None:
    """The person's words stay; of the reply what was said, marked as broken off, or nothing."""
    loopback.answers([failure.answered])
    timeout = 0.3 if failure.answered.hangs else 10.0
    chat = OpenAICompatible("tiny", base_url=loopback.url, timeout=timeout, max_retries=0)
    runtime = Runtime(settings, clock, store=InMemoryStore(), chat=chat)
    friend = Companion("Ada", runtime=runtime)
    told: list[ModelError] = []
    try:
        told += friend.reply("I planted a lemon tree.").troubles
    except ModelError as error:
        assert not failure.is_told
        told.append(error)
    assert [error.key for error in told] == [failure.key.removesuffix("_30")] * bool(failure.key)
    for error in told:
        sentence = error.message("en")
        assert "tiny" in sentence
        assert ("30 seconds" in sentence) == failure.key.endswith("_30")
    (turn,) = runtime.store.load(friend.scope).turns()
    assert (turn.query, turn.response) == ("I planted a lemon tree.", failure.words)
    assert turn.interrupted == (bool(failure.key and failure.words))
