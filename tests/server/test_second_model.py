"""A server whose first model is down: who answered, why, and what it took, over both doors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from siliconfriend.config import Settings
from siliconfriend.models.fallback import FallbackModel
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.person.bank import MemoryBank
from siliconfriend.testing import MovingClock
from tests.loopback import LoopbackServer, streamed
from tests.server.serving import Server, serving


@pytest.fixture
def falling_back(
    settings: Settings,
    clock: MovingClock,
    loopback: LoopbackServer,
) -> Iterator[Server]:
    """A first model that nobody serves, and a second that says "Mm."."""
    loopback.answers([streamed("Mm.")])
    pair = FallbackModel(
        OpenAICompatible("first", base_url="http://127.0.0.1:9/v1", max_retries=0),
        OpenAICompatible("second", base_url=loopback.url, max_retries=0),
    )
    with serving(MemoryBank(settings=settings, clock=clock, chat=pair)) as running:
        yield running


def test_the_reply_says_who_gave_it_and_what_it_took(falling_back: Server) -> None:
    """The second model's name, one sentence, its tokens; at OpenAI's door in our part of the answer."""
    with falling_back.client() as client:
        said = client.post("/v1/people/Ada/chat", json={"message": "Hello."}).json()
        message = {"role": "user", "content": "Hello."}
        asked = {"model": "default", "messages": [message], "user": "Ada"}
        other = client.post("/v1/chat/completions", json=asked).json()
    assert (said["reply"], said["replied_by"]) == ("Mm.", "openai:second")
    (trouble,) = said["troubles"]
    assert trouble.startswith("http://127.0.0.1:9 cannot be reached.")
    assert trouble.endswith("answered instead.")
    assert said["usage"] == {"input_tokens": 7, "output_tokens": 3}
    assert other["siliconfriend"]["troubles"] == [trouble]
    assert (other["usage"]["prompt_tokens"], other["usage"]["completion_tokens"]) == (7, 3)
