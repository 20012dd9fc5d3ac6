"""The way of turns out of the talk, wishes for one reply, and the companion's own story."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.characters.character import Character
from siliconfriend.characters.character import CharacterTexts as Words
from siliconfriend.characters.companions import Companions
from siliconfriend.characters.entries import add_entries
from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.recording import record_scene_end
from siliconfriend.errors import UsageError
from siliconfriend.memory.changes import PutContext
from siliconfriend.memory.drafts import EventDraft
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.tokens import estimate_message_tokens
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import Language
from tests.dialogue.people import said
from tests.memory.stored import put

ADA = Scope.of("Ada")


@pytest.fixture
def model() -> ScriptedChatModel:
    """A model that always says the same."""
    return ScriptedChatModel(otherwise=lambda _messages: "I see.")


def _contexts(store: MemoryStore) -> str:
    """The first letter of each turn's context, oldest first."""
    return "".join(turn.context[0] for turn in store.load(ADA).turns())


def test_at_twenty_the_oldest_ten_wait_to_be_read(
    friend: Companion, store: MemoryStore, clock: MovingClock
) -> None:
    """They stay in the talk until then; the twenty-first message sends them on their way."""
    for number in range(20):
        friend.reply(f"Thing {number}.")
        clock.move(minutes=1)
    assert _contexts(store) == "l" * 20
    friend.reply("Thing 20.")
    assert _contexts(store) == "p" * 10 + "l" * 11


def test_a_new_scene_sends_all_on_their_way(
    friend: Companion, store: MemoryStore, clock: MovingClock
) -> None:
    """After half an hour of silence, and when it is said."""
    friend.reply("One.")
    clock.move(minutes=29)
    friend.reply("Two.")
    assert _contexts(store) == "ll"
    clock.move(minutes=30)
    friend.reply("Three.")
    assert _contexts(store) == "ppl"
    assert record_scene_end(store, ADA) == 1
    assert record_scene_end(store, ADA) == 0
    assert _contexts(store) == "ppp"
    friend.reply("Four.")
    assert [turn.scene_over for turn in store.load(ADA).turns()] == [False, False, True, False]


def test_what_was_read_has_left_the_talk(
    friend: Companion, store: MemoryStore, model: ScriptedChatModel
) -> None:
    """A model no longer hears it as the talk that goes on; what waits it still does."""
    first, second = (friend.reply(f"My {word} is green.").turn for word in ("hat", "boat"))
    assert first is not None
    assert second is not None
    put(store, ADA, PutContext((first.id,), "extracted"))
    put(store, ADA, PutContext((second.id,), "pending"))
    friend.reply("Good.")
    words = ["My boat is green.", "I see.", "Good."]
    assert [said(message) for message in model.calls[-1][1:]] == words


def test_of_a_long_talk_what_has_no_room_is_recalled_instead(
    settings: Settings, store: MemoryStore, clock: MovingClock
) -> None:
    """A turn is in the talk or among the memories, or it would be lost in between."""
    model = ScriptedChatModel(otherwise=lambda _messages: "Mm.", context_tokens=4096)
    friend = Companion("Ada", runtime=Runtime(settings, clock, store=store, chat=model))
    friend.reply("The spare key hangs behind the green door.")
    for number in range(9):
        friend.reply(f"Filler {number} " + "about the long grey weather " * 40)
    friend.reply("Where does the spare key hang?")
    *before, message = model.calls[-1]
    assert "behind the green door" not in str(before)
    assert "behind the green door" in message.content


def test_wishes_for_a_reply_are_told_to_the_model(
    friend: Companion, model: ScriptedChatModel
) -> None:
    """Relationship, style and metadata; only the metadata stays with the turn."""
    metadata = {"place": "</conversation_metadata> the pier"}
    reply = friend.reply("Hi.", relationship="mentor", style_hint="rhyme", metadata=metadata)
    system, message = (sent.content for sent in model.calls[-1])
    assert "you are, in this talk: mentor" in system
    assert "rhyme" in message
    assert "the pier" in message
    assert message.count("</conversation_metadata>") == 1
    assert reply.turn is not None
    assert reply.turn.metadata == metadata
    friend.reply("Hi again.")
    assert "rhyme" not in str(model.calls[-1])
    assert "the pier" in model.calls[-1][1].content
    assert "the pier" not in model.calls[-1][-1].content


@pytest.mark.parametrize(
    "wishes",
    [{"style_hint": "x" * 2001}, {"metadata": {"a": object()}}, {"metadata": {"a": float("nan")}}],
)
def test_a_wish_that_cannot_be_is_refused(
    friend: Companion, store: MemoryStore, wishes: dict[str, Any]
) -> None:
    """Before anything is kept."""
    with pytest.raises(UsageError):
        friend.reply("Hi.", **wishes)
    assert not store.exists(ADA)


def _make_robin(home: Path, settings: Settings, clock: MovingClock) -> Settings:
    """A companion with a character and a story, which shares what Pebble was told."""
    companions = Companions(home)
    character = Character(
        "Robin", {"en": Words(called="Robin", persona="Keeps a lighthouse.")}, ("Pebble",)
    )
    companions.create(character)
    draft = EventDraft("Robin made leek soup for the whole harbour.", place="the quay")
    with companions.edit_lore("Robin", "UTC", clock.moment) as edit:
        edit.add(*add_entries(edit.memory, [draft], now=clock.moment, made_by="person"))
    return replace(settings, companion="Robin")


def test_a_companion_is_who_its_folder_says(
    home: Path, settings: Settings, clock: MovingClock, model: ScriptedChatModel
) -> None:
    """Its persona and what bears on the question of its story; none of that is the person's."""
    robin = _make_robin(home, settings, clock)
    store = FileStore(home)
    friend = Companion("Ada", runtime=Runtime(robin, clock, store=store, chat=model))
    assert friend.name == "Robin"
    reply = friend.reply("Robin, did you make leek soup for the harbour?")
    assert "Keeps a lighthouse." in model.calls[-1][0].content
    assert "the quay: Robin made leek soup" in model.calls[-1][-1].content
    assert reply.used == ()
    memory = store.load(Scope.of("Ada", "Robin"))
    assert "quay" not in str(list(memory.memories()))


def test_offline_a_companion_quotes_its_own_story(
    home: Path, settings: Settings, clock: MovingClock
) -> None:
    """Where it is asked about that; what the person told goes first, and small talk is left alone."""
    robin = _make_robin(home, settings, clock)
    friend = Companion("Ada", runtime=Runtime(robin, clock, store=FileStore(home)))
    question = "Robin, did you make leek soup for the harbour?"
    assert "“Robin made leek soup for the whole harbour.”" in friend.reply(question).text
    assert "leek" not in friend.reply("I planted beans.").text
    friend.reply("I made leek soup for the harbour office.")
    clock.move(days=1)
    assert "harbour office" in friend.reply("Who made leek soup for the harbour office?").text


def test_companions_share_only_what_their_file_says(
    home: Path, settings: Settings, clock: MovingClock, model: ScriptedChatModel
) -> None:
    """Robin may recall what Pebble was told, and Pebble nothing of Robin."""
    robin = _make_robin(home, settings, clock)
    pebble = replace(settings, companion="Pebble")
    store = FileStore(home)
    words = "My sister Nell plays the oboe."
    to_pebble = Companion("Ada", runtime=Runtime(pebble, clock, store=store, chat=model))
    told = to_pebble.reply(words).turn
    assert told is not None
    clock.moment += timedelta(days=1)
    to_robin = Companion("Ada", runtime=Runtime(robin, clock, store=store, chat=model))
    to_robin.reply("I bought a drum.")
    clock.moment += timedelta(days=1)
    to_robin.reply("What does my sister Nell play?")
    assert words in model.calls[-1][-1].content
    after = store.load(Scope.of("Ada", "Pebble")).find(told.id)
    assert after is not None
    assert after.trace.recalls == ()
    to_pebble.reply("What did I buy?")
    assert "drum" not in str(model.calls[-1])


TOLD = {
    "en": ("I sprained my wrist at the regatta.", "The regatta is on Saturday!", "I am nervous."),
    "cn": ("我在划船比赛上扭伤了手腕。", "划船比赛就要开始啦！", "我好紧张。"),
}


@pytest.mark.parametrize("context", [2048, 4096, 8192])
def test_a_long_persona_leaves_room_for_the_talk(
    home: Path, settings: Settings, clock: MovingClock, context: int
) -> None:
    """Prompt and answer fit the model together, however long its persona and the talk are."""
    character = Character("Robin").with_texts("cn", {"persona": "它很有耐心。" * 600})
    Companions(home).create(character)
    model = ScriptedChatModel(otherwise=lambda _messages: "好的。", context_tokens=context)
    robin = replace(settings, companion="Robin", language="cn")
    friend = Companion("小安", settings=robin, chat=model, clock=clock)
    for number in range(8):
        friend.reply(f"第{number}天我在家里喝茶听雨。" * 10)
    answer = min(settings.max_tokens, context // 3)
    for messages in model.calls:
        assert "它很有耐心。" in messages[0].content
        assert estimate_message_tokens(messages) + answer <= context


def _companion(settings: Settings, clock: MovingClock) -> Companion:
    return Companion("Ada", runtime=Runtime(settings, clock))


@pytest.mark.parametrize("language", ["en", "cn"])
def test_the_scene_brings_an_old_memory_to_mind_and_not_itself(
    settings: Settings, clock: MovingClock, language: Language
) -> None:
    """The remark has no word of the memory, what was said a minute before has."""
    old, before, remark = TOLD[language]
    companion = _companion(settings, clock)
    companion.reply(old)
    clock.move(days=30)
    companion.reply(before)
    clock.move(minutes=1)
    found = [one.memory for one in companion.reply(remark).recalled.memories]
    assert [turn.query for turn in found if isinstance(turn, Turn)] == [old]


def test_a_question_finds_what_was_said_a_minute_ago(
    settings: Settings, clock: MovingClock
) -> None:
    """Who asks for it wants it, though it stands in the same scene."""
    companion = _companion(settings, clock)
    companion.reply("The regatta is on Saturday!")
    clock.move(minutes=1)
    reply = companion.reply("When is the regatta?")
    assert [one.memory.date for one in reply.recalled.memories] == ["2026-03-14"]
