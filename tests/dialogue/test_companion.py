"""The whole reply flow, over files."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import ModelUnavailable, UnusableAnswer, UsageError
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import Message
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.dialogue.people import holds, said
from tests.memory.stored import put

ADA = Scope.of("Ada")
DOWN = ModelUnavailable("model_unreachable", name="x", address="y")


@pytest.fixture
def offline(store: MemoryStore, settings: Settings, clock: MovingClock) -> Companion:
    """Ada's companion without a model."""
    return Companion("Ada", runtime=Runtime(settings, clock, store=store))


def _turns(store: MemoryStore, scope: Scope = ADA) -> list[Turn]:
    return list(store.load(scope).turns())


def test_a_turn_is_kept_with_its_reply(
    friend: Companion, store: MemoryStore, model: ScriptedChatModel, clock: MovingClock
) -> None:
    """Words, reply, day, moment and who replied are stored as they were."""
    model.enqueue("How lovely!")
    reply = friend.reply("  I planted a lemon tree. ")
    (turn,) = _turns(store)
    assert reply.text == "How lovely!"
    assert reply.turn == turn
    assert (turn.query, turn.response) == ("I planted a lemon tree.", "How lovely!")
    assert (turn.date, turn.position, turn.replied_by) == ("2026-03-14", 0, "scripted")
    assert turn.time == clock.moment
    assert not turn.interrupted


def test_a_model_that_repeats_the_message_is_given_it_alone(
    friend: Companion, model: ScriptedChatModel
) -> None:
    """Asked once more without what stood before it; what it says then stands, even the same again."""
    words = "I found a stamp from 1911 today."
    model.enqueue(words, "Where was it?")
    assert friend.reply(words).text == "Where was it?"
    first, second = model.calls
    assert first[-1].content.endswith(f":\n\n{words}")
    assert second == [*first[:-1], Message("user", words)]
    model.enqueue("Ada: Sleep well tonight!", "Sleep well tonight!")
    assert friend.reply("Sleep well tonight!").text == "Sleep well tonight!"


def test_memories_reach_the_model_by_date(
    friend: Companion, store: MemoryStore, model: ScriptedChatModel, clock: MovingClock
) -> None:
    """What was said days ago stands in the prompt with its date; it is used and strengthened."""
    model.enqueue("How lovely!", "Yellow.")
    friend.reply("I planted a lemon tree on my balcony.")
    clock.move(days=5)
    reply = friend.reply("What did I plant on my balcony?")
    prompt = model.calls[1][0].content
    assert "I planted a lemon tree on my balcony." in prompt
    assert "14 Mar 2026, 5 days ago" in prompt
    assert [message.role for message in model.calls[1]] == ["system", "user"]
    first, second = _turns(store)
    assert [used.id for used in second.used] == [first.id]
    assert reply.used == second.used
    assert first.trace.recalls == (clock.moment,)
    assert first.trace.strength == 2


def test_the_live_talk_is_read_from_the_store(
    friend: Companion,
    store: MemoryStore,
    settings: Settings,
    model: ScriptedChatModel,
    clock: MovingClock,
) -> None:
    """A chat that is opened again goes on from the last turns, and recalls none of them twice."""
    model.enqueue("How lovely!", "Every week.")
    friend.reply("I planted a lemon tree.")
    clock.move(minutes=5)
    again = Companion("Ada", runtime=Runtime(settings, clock, store=store, chat=model))
    reply = again.reply("How often does the lemon tree want water?")
    assert [said(sent) for sent in model.calls[1][1:]] == [
        "I planted a lemon tree.",
        "How lovely!",
        "How often does the lemon tree want water?",
    ]
    assert str(model.calls[1]).count("I planted a lemon tree.") == 1
    assert reply.used == ()


def test_a_reply_that_breaks_off_is_kept_so_far(
    friend: Companion, store: MemoryStore, model: ScriptedChatModel
) -> None:
    """The error is raised, and what was heard until then is stored as interrupted."""
    model.enqueue(["How ", "love", DOWN])
    with pytest.raises(ModelUnavailable):
        friend.reply("I planted a lemon tree.")
    (turn,) = _turns(store)
    assert (turn.response, turn.interrupted, turn.replied_by) == ("How love", True, "scripted")
    assert friend.last_reply is not None
    assert friend.last_reply.interrupted


def test_a_reader_who_leaves_keeps_what_was_heard(
    friend: Companion, store: MemoryStore, model: ScriptedChatModel
) -> None:
    """Closing the stream stores the words so far; the next reply sees them."""
    model.enqueue("How lovely that is!", "I was stopped.")
    pieces = friend.stream("I planted a lemon tree.")
    assert [next(pieces), next(pieces)] == ["How ", "lovely "]
    pieces.close()
    (turn,) = _turns(store)
    assert (turn.response, turn.interrupted) == ("How lovely ", True)
    friend.reply("Why did you stop?")
    assert Message("assistant", "How lovely ") in model.calls[1]


@pytest.mark.parametrize("answer", [DOWN, "", UnusableAnswer("model_refused", name="x")])
def test_no_reply_is_made_up(
    friend: Companion, store: MemoryStore, model: ScriptedChatModel, answer: Any
) -> None:
    """A model that fails before a word leaves the person's turn alone, with no reply."""
    model.enqueue(answer, "Hello.")
    with pytest.raises((ModelUnavailable, UnusableAnswer)):
        friend.reply("I planted a lemon tree.")
    (turn,) = _turns(store)
    assert (turn.query, turn.response, turn.replied_by) == ("I planted a lemon tree.", "", "")
    assert friend.last_reply is None
    friend.reply("Are you there?")
    (asked,) = model.calls[1][1:]
    assert re.findall(r"writes:\n\n(.+)", asked.content) == [
        "I planted a lemon tree.",
        "Are you there?",
    ]


def test_off_the_record_nothing_is_written(
    friend: Companion, store: MemoryStore, model: ScriptedChatModel, clock: MovingClock
) -> None:
    """Memories are recalled, nothing is stored or strengthened, and a later reply knows nothing."""
    model.enqueue("Hi.", "How lovely!", "A lemon tree.", "I hear you.", "It is 4711.", "No idea.")
    friend.reply("Hello, I am Ada.", off_record=True)
    assert not store.exists(ADA)
    friend.reply("I planted a lemon tree.")
    clock.move(days=2)
    before = store.load(ADA)
    reply = friend.reply("What did I plant?", off_record=True)
    assert reply.turn is None
    assert "I planted a lemon tree." in model.calls[2][0].content
    friend.reply("My secret is 4711.", off_record=True)
    friend.reply("What was my secret?", off_record=True)
    assert "My secret is 4711." in map(said, model.calls[4])
    assert store.load(ADA) == before
    friend.reply("What was my secret?")
    assert "4711" not in str(model.calls[5])


def test_an_erased_turn_does_not_come_back(
    friend: Companion, store: MemoryStore, model: ScriptedChatModel
) -> None:
    """A turn that is erased while the model speaks stays erased when the reply ends."""
    model.enqueue("How lovely!")
    pieces = friend.stream("I planted a lemon tree.")
    next(pieces)
    (turn,) = _turns(store)
    put(store, ADA, Erase((turn.id,)))
    assert list(pieces) == ["lovely!"]
    assert _turns(store) == []
    assert friend.last_reply is not None
    assert friend.last_reply.turn is None


def test_a_day_is_the_persons_own(
    store: MemoryStore, settings: Settings, model: ScriptedChatModel
) -> None:
    """What is said at 17:00 in UTC belongs to the next day in Shanghai."""
    clock = MovingClock(datetime(2026, 3, 14, 17, tzinfo=UTC))
    model.enqueue("晚上好！")
    abroad = replace(settings, timezone="Asia/Shanghai", language="cn")
    friend = Companion("小雨", runtime=Runtime(abroad, clock, store=store, chat=model))
    friend.reply("我还没睡。")
    (turn,) = _turns(store, Scope.of("小雨"))
    assert turn.date == "2026-03-15"
    assert store.load(Scope.of("小雨")).profile.language == "cn"
    assert "硅友" in model.calls[0][0].content
    assert "星期日 01:00" in model.calls[0][-1].content


@pytest.mark.parametrize("said", ["", "  \n", "\udc00\0", "\u200b \ufeff"])
def test_nothing_said_is_no_turn(friend: Companion, store: MemoryStore, said: str) -> None:
    """A message without a word is refused and leaves nothing behind."""
    with pytest.raises(UsageError, match="nothing"):
        friend.reply(said)
    assert not store.exists(ADA)


def test_without_a_model_it_quotes(
    offline: Companion, store: MemoryStore, clock: MovingClock
) -> None:
    """Offline the reply quotes the person's words with their day, uses and strengthens them."""
    offline.reply("I planted a lemon tree on my balcony.")
    clock.move(days=20)
    reply = offline.reply("What did I plant on my balcony?")
    assert "on 14 March" in reply.text.lower() or "14 March" in reply.text
    assert holds(reply.text, "I planted a lemon tree on my balcony.")
    first, second = _turns(store)
    assert [used.id for used in second.used] == [first.id]
    assert second.replied_by == "offline"
    assert first.trace.strength == 2
    assert "Offline" in offline.label


def test_a_crash_after_the_words_loses_nothing(
    settings: Settings, clock: MovingClock, home: Path
) -> None:
    """A process that dies in the middle of a reply leaves the person's turn on disk."""

    class Died(BaseException):
        """The process is gone."""

    def die(_: Sequence[Message]) -> str:
        raise Died

    dying = ScriptedChatModel(otherwise=die)
    friend = Companion("Ada", runtime=Runtime(settings, clock, store=FileStore(home), chat=dying))
    with pytest.raises(Died):
        friend.reply("I planted a lemon tree.")
    (turn,) = _turns(FileStore(home))
    assert (turn.query, turn.response) == ("I planted a lemon tree.", "")


@pytest.fixture
def ada(friend: Companion, model: ScriptedChatModel) -> Companion:
    """Ada's companion, who has answered once."""
    model.enqueue("On the river?")
    friend.reply("I row at dawn.")
    return friend


def test_nothing_is_written_until_the_answer_is_whole(
    ada: Companion, model: ScriptedChatModel
) -> None:
    """Then words and answer change together, in the turn's own place; the moment stays."""
    (before,) = _turns(ada.store)
    model.enqueue(["At", " dawn!"])
    pieces = ada.stream("I row at dusk.", again=before.id)
    assert next(pieces) == "At"
    assert _turns(ada.store) == [before]
    assert list(pieces) == [" dawn!"]
    (after,) = _turns(ada.store)
    assert (after.query, after.response) == ("I row at dusk.", "At dawn!")
    assert (after.id, after.time, after.trace) == (before.id, before.time, before.trace)
    assert ada.last_turn == before.id


def test_an_answer_that_is_stopped_or_fails_leaves_what_stands(
    ada: Companion, model: ScriptedChatModel
) -> None:
    """Be it closed in the middle, cut or never begun."""
    before = _turns(ada.store)
    model.enqueue(["At", " dawn!"], ["At", DOWN], DOWN)
    pieces = ada.stream("I row at dawn.", again=before[0].id)
    next(pieces)
    pieces.close()
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            list(ada.stream("I row at dawn.", again=before[0].id))
    assert _turns(ada.store) == before


def test_the_first_answer_is_told_to_nobody(ada: Companion, model: ScriptedChatModel) -> None:
    """Neither as what was said just before nor as a memory."""
    model.enqueue("Where?")
    list(ada.stream("I row at dawn.", again=_turns(ada.store)[0].id))
    asked = "\n".join(sent.content for sent in model.calls[-1])
    assert "On the river?" not in asked
    assert asked.count("I row at dawn.") == 1


def test_what_was_erased_meanwhile_comes_into_no_answer(
    ada: Companion, model: ScriptedChatModel
) -> None:
    """Words that were erased while the model spoke stood in its prompt."""
    first = _turns(ada.store)[0]
    model.enqueue("Good.", ["At", " dawn!"])
    ada.reply("My boat is called Wren.")
    second = _turns(ada.store)[1]
    pieces = ada.stream("My boat is called Wren.", again=second.id)
    next(pieces)
    with ada.store.edit(ada.scope) as edit:
        edit.add(Erase((first.id,)))
    list(pieces)
    assert [turn.response for turn in _turns(ada.store)] == ["Good."]


def test_a_wish_not_to_be_remembered_marks_the_turn(
    ada: Companion, model: ScriptedChatModel
) -> None:
    """Also where it comes with other words."""
    model.enqueue("As you like.")
    list(ada.stream("I row at dawn. Don't remember this.", again=_turns(ada.store)[0].id))
    assert _turns(ada.store)[0].unkept
    assert ada.last_unkept == (_turns(ada.store)[0].id,)


def test_a_turn_that_is_not_there_is_not_answered(ada: Companion) -> None:
    """Nothing is stored under another one."""
    with pytest.raises(UsageError):
        next(ada.stream("I row at dawn.", again="turn-2026-11-21-9-00000000"))
    assert len(_turns(ada.store)) == 1
