"""A message that speaks of self-harm: help first, no memories beside it, and none made of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.distress import MARK, may_be_distress, replace_mark
from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.night.run import run_night
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.likelihood import model_of
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import Language

ADA = Scope.of("Ada")
LIVES = Path(__file__).parents[1] / "life"
CRY = {"en": "I want to kill myself.", "cn": "我不想活了。"}
NUMBER = {"en": "988", "cn": "12356"}
TOLD = {"en": "My sister bought a boat in Lisbon.", "cn": "我姐姐在Lisbon买了一条船。"}


def companion(
    store: FileStore,
    settings: Settings,
    clock: MovingClock,
    model: ScriptedChatModel | None = None,
) -> Companion:
    runtime = Runtime(settings, clock, store=store, chat=model)
    return Companion("Ada", runtime=runtime)


def turns(store: FileStore) -> list[Turn]:
    return list(store.load(ADA).turns())


@pytest.mark.parametrize("language", ["en", "cn"])
def test_offline_it_says_where_help_is_and_nothing_else(
    store: FileStore, settings: Settings, clock: MovingClock, language: Language
) -> None:
    """No quotation, no question about what is due."""
    friend = companion(store, settings, clock)
    friend.reply(TOLD[language])
    said = friend.reply(CRY[language]).text
    assert NUMBER[language] in said
    assert "Lisbon" not in said
    assert [turn.distress for turn in turns(store)] == [False, True]


@pytest.mark.parametrize("language", ["en", "cn"])
def test_the_numbers_stand_before_the_first_word_of_a_model(
    store: FileStore, settings: Settings, clock: MovingClock, language: Language
) -> None:
    """The model is told how to go on, and is given no memories."""
    model = ScriptedChatModel()
    friend = companion(store, settings, clock, model)
    model.enqueue("A boat!", "Are you safe right now?")
    friend.reply(TOLD[language])
    clock.move(days=3)
    pieces = list(friend.stream(CRY[language]))
    assert NUMBER[language] in pieces[0]
    assert "".join(pieces).endswith("\n\nAre you safe right now?")
    heard = str(model.calls[-1])
    assert "Lisbon" not in heard
    assert ("tell no cheerful memories" in heard) or ("不讲让人高兴的回忆" in heard)
    assert turns(store)[-1].response == "".join(pieces)


def test_the_numbers_are_said_and_kept_though_the_model_fails(
    friend: Companion, store: FileStore, model: ScriptedChatModel
) -> None:
    model.enqueue(ModelUnavailable("model_unreachable", name="x", address="y"))
    heard = []
    with pytest.raises(ModelUnavailable):
        heard.extend(friend.stream(CRY["en"]))
    (turn,) = turns(store)
    assert "988" in turn.response
    assert turn.interrupted


def test_a_model_that_sees_danger_in_other_words_brings_the_numbers_too(
    friend: Companion, store: FileStore, model: ScriptedChatModel
) -> None:
    """The mark is never shown; the turn is left alone as well."""
    model.enqueue(f"{MARK} I am glad you told me.")
    said = friend.reply("I have given away my things and written the letters.").text
    assert "988" in said
    assert MARK not in said
    assert said.endswith("\n\nI am glad you told me.")
    assert turns(store)[0].distress


@pytest.mark.parametrize(
    ("said", "is_near"),
    [("I really cannot go on like this.", True), ("My sister bought boats in Lisbon.", False)],
)
def test_a_model_is_told_of_the_mark_only_where_a_message_may_mean_it(
    store: FileStore, settings: Settings, clock: MovingClock, said: str, is_near: bool
) -> None:
    """A small model that reads of it beside every message refuses what is harmless."""
    model = ScriptedChatModel(otherwise=lambda _: "I see.")
    runtime = Runtime(settings, clock, store=store, chat=model, embedder=BundledEmbedder())
    Companion("Ada", runtime=runtime).reply(said)
    assert (MARK in str(model.calls[-1])) == is_near


def test_lines_of_ones_own_country_take_their_place(
    store: FileStore, settings: Settings, clock: MovingClock
) -> None:
    own = replace(settings, help_lines="Telefonseelsorge: 0800 1110111; Anna: 555 0101")
    said = companion(store, own, clock).reply(CRY["en"]).text
    assert "- Telefonseelsorge: 0800 1110111\n- Anna: 555 0101\n" in said
    assert "988" not in said


def test_nothing_is_ever_made_of_it(
    store: FileStore, settings: Settings, clock: MovingClock
) -> None:
    """It stays in the list; no recall, summary, event or greeting brings it back."""
    friend = companion(store, settings, clock)
    friend.reply("I planted tulips by the gate.")
    friend.reply("I want to die, the tulips are all I have.")
    clock.move(days=1)
    run_night(Runtime(settings, clock, store=store))
    memory = store.load(ADA)
    made = [*memory.days["2026-03-14"].derived(), memory.days["2026-03-14"].summary]
    assert made
    assert not any(record and "want to die" in record.text for record in made)
    for said in ("Hello!", "What did I tell you of the tulips?", "What do you know about me?"):
        reply = companion(store, settings, clock).reply(said)
        assert "want to die" not in reply.text
        assert all(found.memory.id != turns(store)[1].id for found in reply.recalled.memories)
    assert turns(store)[1].query.startswith("I want to die")


@pytest.mark.parametrize(
    ("pieces", "heard"),
    [
        (["[HE", "LP] Stay.", " Please."], "HERE Stay. Please."),
        (["\n[HELP]\n", "\nStay."], "HERE Stay."),
        (["", "Hi [HELP]"], "Hi [HELP]"),
        ([], ""),
    ],
)
def test_the_mark_is_read_across_pieces(pieces: list[str], heard: str) -> None:
    assert "".join(replace_mark((it for it in pieces), "HERE ")) == heard


def test_a_model_is_told_of_the_mark_beside_hints_and_not_beside_everyday_words() -> None:
    """Hints without a pattern are noticed; nothing that is told in a life, and no farewell."""
    embedder, baseline = BundledEmbedder(), model_of("bundled").baseline
    hints = ["What's the use of getting up any more.", "I just want everything to stop."]
    hints += ["没有人会在意我在不在。", "我看不到任何出路。", "这个世界没有我也一样转。"]
    everyday = ["Thank you. Goodnight.", "Recommend me another short book like the last one."]
    everyday += ["谢谢你，我去睡了。", "我有点想回去上夜班了。"]
    for name in ("en_final", "cn_final"):
        life = json.loads((LIVES / f"{name}.json").read_bytes())
        everyday += [words for _, words in life["turns"]]
    assert len(everyday) > 100
    assert all(may_be_distress(words, embedder, baseline) for words in hints)
    assert not any(may_be_distress(words, embedder, baseline) for words in everyday)
    assert not may_be_distress(hints[1], None, baseline)
