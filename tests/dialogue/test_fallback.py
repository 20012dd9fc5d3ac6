"""Whatever a model does: what the person reads, what is kept, and when the second answers."""

from dataclasses import replace
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import ModelError, ModelUnavailable, UnusableAnswer
from siliconfriend.models.base import FallbackModel, Message
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.recall.embedders import openai_embeddings
from siliconfriend.recall.embedders.openai_embeddings import OpenAIEmbedder
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, Scripted, ScriptedChatModel
from tests.loopback import Answered, LoopbackServer, document, refused
from tests.memory.temporary import TemporaryStore
from tests.models.failures import FAILURES, Failure

GONE = ModelUnavailable("model_unreachable", name="first", address="http://first")


def _friend(
    settings: Settings, clock: MovingClock, first: Scripted, *second: Scripted
) -> tuple[Companion, FallbackModel]:
    pair = FallbackModel(
        ScriptedChatModel([first], name="first", address="http://first"),
        ScriptedChatModel(second, name="second", address="http://second", context_tokens=3000),
    )
    return Companion(
        "Ada", runtime=Runtime(settings, clock, store=TemporaryStore(), chat=pair)
    ), pair


def test_the_second_model_answers_and_it_is_said(settings: Settings, clock: MovingClock) -> None:
    """The turn names who answered; the sentence names who did not, and why."""
    friend, _ = _friend(settings, clock, GONE, "Hello Ada.")
    reply = friend.reply("Hello")
    assert (reply.text, reply.replied_by, reply.interrupted) == ("Hello Ada.", "second", False)
    assert reply.turn is not None
    assert (reply.turn.response, reply.turn.replied_by) == ("Hello Ada.", "second")
    (said,) = friend.troubles
    assert said.startswith("http://first cannot be reached.")
    assert said.endswith("second at http://second answered instead.")


def test_its_prompt_is_made_for_its_own_context(settings: Settings, clock: MovingClock) -> None:
    """Words that the first has room for are not cut at the second: they are left out."""
    friend, pair = _friend(settings, clock, "Yes.", *["Yes."] * 2)
    friend.reply("The long beginning of it all. " * 200)
    first, second = pair.first, pair.second
    assert isinstance(first, ScriptedChatModel)
    assert isinstance(second, ScriptedChatModel)
    first.enqueue(GONE)
    friend.reply("And then?")
    assert _length(first.calls[1]) > _length(second.calls[0])


def test_thinking_that_was_heard_is_not_kept(settings: Settings, clock: MovingClock) -> None:
    """Thinking that looked like words until it ended is no reply."""
    aloud = UnusableAnswer("model_thought_aloud", name="first")
    friend, _ = _friend(settings, clock, ["I should greet her.", aloud])
    with pytest.raises(UnusableAnswer):
        friend.reply("Hello")
    (turn,) = friend.store.load(friend.scope).turns()
    assert turn.response == ""


def _length(messages: list[Message]) -> int:
    return sum(len(message.content) for message in messages)


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.name)
def test_each_failure_is_told_and_none_is_remembered(
    settings: Settings, clock: MovingClock, loopback: LoopbackServer, failure: Failure
) -> None:
    """The person's words stay; of the reply what was said, marked as broken off, or nothing."""
    loopback.answers([failure.answered])
    timeout = 0.3 if failure.answered.hangs else 10.0
    chat = OpenAICompatible("tiny", base_url=loopback.url, timeout=timeout, max_retries=0)
    runtime = Runtime(settings, clock, store=TemporaryStore(), chat=chat)
    friend = Companion("Ada", runtime=runtime)
    told: list[ModelError] = []
    try:
        told += friend.reply("I planted a lemon tree.").troubles
    except ModelError as error:
        assert not failure.is_told
        told.append(error)
    assert [one.key for one in told] == [failure.key.removesuffix("_30")] * bool(failure.key)
    for one in told:
        sentence = one.message("en")
        assert "tiny" in sentence
        assert ("30 seconds" in sentence) == failure.key.endswith("_30")
    (turn,) = runtime.store.load(friend.scope).turns()
    assert (turn.query, turn.response) == ("I planted a lemon tree.", failure.words)
    assert turn.interrupted == (bool(failure.key and failure.words))


def test_a_reply_comes_where_the_embedder_fails(
    settings: Settings,
    clock: MovingClock,
    loopback: LoopbackServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is ranked by words alone and says so; the vectors are made when the server is back."""
    embedded: list[str] = []
    is_down, minutes = [False], [0.0]

    def answer(asked: dict[str, Any]) -> Answered:
        if is_down[0]:
            return refused(503)
        embedded.extend(asked["input"])
        rows = [{"index": at, "embedding": [1.0, len(t)]} for at, t in enumerate(asked["input"])]
        return document({"data": rows})

    loopback.answers_by(answer)
    monkeypatch.setattr(openai_embeddings, "sleep", lambda _seconds: None)
    monkeypatch.setattr(openai_embeddings, "monotonic", lambda: 60.0 * minutes[0])
    embedder = OpenAIEmbedder("m", replace(settings, openai_base_url=loopback.url))
    runtime = Runtime(settings, clock, store=TemporaryStore(), embedder=embedder)
    companion = Companion("Ada", runtime=runtime)
    companion.reply("I planted a lemon tree.")
    is_down[0] = True
    companion.reply("My sister Anna moved to Oslo.")
    clock.move(days=2)
    reply = companion.reply("What did I plant?")
    assert "lemon tree" in reply.text
    assert [trouble.key for trouble in reply.troubles] == ["embedder_failed"]
    assert not [text for text in embedded if "Oslo" in text]
    is_down[0], minutes[0] = False, 2.0
    assert companion.reply("Where does Anna live?").troubles == ()
    assert [text for text in embedded if "Oslo" in text]
