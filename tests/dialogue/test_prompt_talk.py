"""A talk that goes on is not written anew for each message, unless something in it changed."""

import pytest

from siliconfriend.config import Settings
from siliconfriend.control.edit import act
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.message_writer import MessageWriter
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import Message
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.dialogue.people import said

ADA = Scope.of("Ada")
WORDS = "My sister Ruth keeps bees behind the old mill."


@pytest.fixture
def model() -> ScriptedChatModel:
    """A model that always says the same."""
    return ScriptedChatModel(otherwise=lambda _messages: "I see.")


@pytest.fixture
def runtime(
    settings: Settings, clock: MovingClock, store: MemoryStore, model: ScriptedChatModel
) -> Runtime:
    """The parts that all requests of a server share."""
    return Runtime(settings, clock, store=store, chat=model)


@pytest.fixture
def talk(runtime: Runtime, clock: MovingClock, model: ScriptedChatModel) -> ScriptedChatModel:
    """A talk in which something older than a prompt holds whole was recalled for a message."""
    _reply(runtime, WORDS)
    for number in range(8):
        _reply(runtime, f"Day {number}: {'the grey weather goes on and on ' * 60}")
        clock.move(days=1)
    _reply(runtime, "What does Ruth keep behind the mill?")
    assert WORDS in model.calls[-1][-1].content
    return model


def _reply(runtime: Runtime, words: str) -> None:
    Companion("Ada", runtime=runtime).reply(words)


def _before(messages: list[Message]) -> str:
    return "\n".join(message.content for message in messages[1:-1])


def test_each_message_is_written_once(
    talk: ScriptedChatModel, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by the next request, which has a companion of its own."""
    write, written = MessageWriter.write, list[str]()

    def note(writer: MessageWriter, exchange: Exchange, *more: str) -> str:
        written.append(exchange.query)
        return write(writer, exchange, *more)

    monkeypatch.setattr(MessageWriter, "write", note)
    for number in range(4):
        _reply(runtime, f"Small talk {number}.")
    assert written.count("What does Ruth keep behind the mill?") == 1
    assert WORDS in _before(talk.calls[-1])
    assert [said(message) for message in talk.calls[-1][-3::2]] == [
        "Small talk 2.",
        "Small talk 3.",
    ]


def test_words_put_away_leave_the_talk(
    talk: ScriptedChatModel,
    runtime: Runtime,
    settings: Settings,
    store: MemoryStore,
    clock: MovingClock,
) -> None:
    """What was recalled for an earlier message is no longer before it."""
    _reply(runtime, "Good.")
    assert WORDS in _before(talk.calls[-1])
    (turn,) = (turn for turn in store.load(ADA).turns() if turn.query == WORDS)
    act(store, ADA, "forget", (turn.id,), clock.now(settings.zone))
    _reply(runtime, "And the weather?")
    assert WORDS not in _before(talk.calls[-1])


def test_a_reply_that_quoted_words_put_away_leaves_the_talk_too(
    talk: ScriptedChatModel,
    runtime: Runtime,
    settings: Settings,
    store: MemoryStore,
    clock: MovingClock,
) -> None:
    talk.enqueue(f"You told me: “{WORDS}” Shall I go on?")
    _reply(runtime, "Good.")
    _reply(runtime, "Go on.")
    assert f"“{WORDS}”" in str(talk.calls[-1])
    (turn,) = (turn for turn in store.load(ADA).turns() if turn.query == WORDS)
    act(store, ADA, "forget", (turn.id,), clock.now(settings.zone))
    _reply(runtime, "And the weather?")
    assert WORDS not in str(talk.calls[-1])
    assert "Go on." in str(talk.calls[-1])
