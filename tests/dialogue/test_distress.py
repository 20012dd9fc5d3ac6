"""A message that speaks of self-harm: help first, no memories beside it, and none made of it."""

from dataclasses import replace

import numpy as np
import pytest

from docs.make_distress_weights import EXAMPLES, life_messages
from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.distress import (
    LIKELY,
    MARK,
    POSSIBLE,
    likelihood_of_danger,
    replace_mark,
)
from siliconfriend.errors import ModelUnavailable
from siliconfriend.language.message import PersonText
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.night.run import run_night
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import Language

ADA = Scope.of("Ada")
CRY = {"en": "I want to kill myself.", "cn": "我不想活了。"}
NUMBER = {"en": "988", "cn": "12356"}
TOLD = {"en": "My sister bought a boat in Lisbon.", "cn": "我姐姐在Lisbon买了一条船。"}


def companion(
    store: FileStore, settings: Settings, clock: MovingClock, model: ScriptedChatModel | None = None
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


def test_offline_a_likely_meaning_is_answered_as_well(
    store: FileStore, settings: Settings, clock: MovingClock
) -> None:
    runtime = Runtime(settings, clock, store=store, embedder=BundledEmbedder())
    said = "Some nights I think of leaving this world."
    assert not PersonText(said).is_distress
    assert "988" in Companion("Ada", runtime=runtime).reply(said).text
    assert [(turn.distress, turn.is_helped) for turn in turns(store)] == [(False, True)]


def test_what_only_weights_find_stays_in_memory(
    store: FileStore, settings: Settings, clock: MovingClock
) -> None:
    """It is recalled when asked for, and is neither the day's summary nor quoted unasked."""
    said = "Some nights I think of leaving this world."
    runtime = Runtime(settings, clock, store=store, embedder=BundledEmbedder())
    friend = Companion("Ada", runtime=runtime)
    assert friend.reply(said).is_help
    friend.reply("We planted tulips by the gate with my brother today.")
    found = runtime.recaller.recall(ADA, "leaving this world", now=clock.moment).memories
    assert said in [one.memory.text.splitlines()[0] for one in found]
    assert "leaving this world" not in friend.reply("How was my day?").text
    clock.move(days=1)
    run_night(Runtime(settings, clock, store=store))
    summary = next(iter(store.load(ADA).days.values())).summary
    assert summary is not None
    assert "tulips" in summary.text
    assert "world" not in summary.text


@pytest.mark.parametrize(
    "said",
    [
        "I wrote goodbye letters to my girls.",
        "I've been hoarding sleeping pills.",
        "I went back to cutting every night.",
        "遗书我已经写好了。",
        "我存了一瓶安眠药。",
        "我又开始割手臂了。",
    ],
)
def test_unmistakable_words_are_known_without_weights(said: str) -> None:
    assert PersonText(said).is_distress


@pytest.mark.parametrize(
    "said",
    [
        "I wrote a goodbye letter to my team.",
        "I've been cutting vegetables for the soup.",
        "I am cutting down on sugar.",
        "She saved my pills from the dog.",
        "爷爷留了遗书，把房子分给大家。",
        "我又划手机到半夜。",
        "我去药店买了感冒药片。",
    ],
)
def test_ordinary_words_beside_them_are_not(said: str) -> None:
    assert not PersonText(said).is_distress


def test_a_wish_to_forget_is_no_danger(
    store: FileStore, settings: Settings, clock: MovingClock
) -> None:
    runtime = Runtime(settings, clock, store=store, embedder=BundledEmbedder())
    friend = Companion("Ada", runtime=runtime)
    friend.reply("I let my sister down.")
    assert not friend.reply("Forget what I just said.").is_help


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
    heard: list[str] = []
    with pytest.raises(ModelUnavailable):
        heard.extend(friend.stream(CRY["en"]))
    (turn,) = turns(store)
    assert "988" in turn.response
    assert turn.interrupted


def test_a_model_that_sees_danger_in_other_words_brings_the_numbers_too(
    store: FileStore, settings: Settings, clock: MovingClock, model: ScriptedChatModel
) -> None:
    """It is told of a mark, where a message may mean it alone, and then asked for a few words."""
    runtime = Runtime(settings, clock, store=store, chat=model, embedder=BundledEmbedder())
    friend = Companion("Ada", runtime=runtime)
    model.enqueue("Nice!", f"{MARK} 911.", "Are you safe right now?")
    friend.reply("My sister bought boats in Lisbon.")
    clock.move(days=3)
    said = friend.reply("I really cannot go on living like this.").text
    plain, watched, cared = map(str, model.calls)
    assert MARK not in plain + cared + said
    assert MARK in watched
    assert "tell no cheerful memories" in cared
    assert "Lisbon" not in cared
    assert "988" in said
    assert said.endswith("\n\nAre you safe right now?")
    assert [turn.is_helped for turn in turns(store)] == [False, True]
    assert not any(turn.distress for turn in turns(store))


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
        (["[HE", "LP] Stay.", " Please."], "HERE Safe?"),
        (["\n[HELP]\n", "\nStay."], "HERE Safe?"),
        (["[HELP]"], "HERE Safe?"),
        (["", "Hi [HELP]"], "Hi [HELP]"),
        ([], ""),
    ],
)
def test_the_mark_is_read_across_pieces(pieces: list[str], heard: str) -> None:
    answer = (piece for piece in pieces)
    assert "".join(replace_mark(answer, "HERE ", lambda: iter(["Safe", "?"]))) == heard
    assert not list(answer)


@pytest.mark.parametrize("language", ["en", "cn"])
def test_danger_is_noticed_in_messages_that_nothing_was_learned_from(language: Language) -> None:
    """Shares by patterns or meaning, where a model is told of it and where there is none."""
    embedder = BundledEmbedder()
    said = {**EXAMPLES["held"][language], "life": life_messages(language, held=True)[::20]}
    found = {
        kind: np.array(
            [
                PersonText(words).is_distress or likelihood_of_danger(words, embedder)
                for words in its
            ]
        )
        for kind, its in said.items()
    }
    told = {kind: (its > POSSIBLE).mean() for kind, its in found.items()}
    assert told["danger"] > 0.72, told
    assert told["weary"] < 0.22, told
    assert told["everyday"] <= 0.1, told
    assert told["life"] < 0.02, told
    alone = {kind: (its > LIKELY).mean() for kind, its in found.items()}
    assert alone["danger"] > 0.55, alone
    assert alone["weary"] < 0.12, alone
    assert alone["everyday"] <= 0.06, alone
    assert not alone["life"], alone
    assert likelihood_of_danger(said["danger"][0], None) == 0
    idioms = ("Over my dead body!", "over my dead body!")
    assert len({likelihood_of_danger(idiom, embedder) for idiom in idioms}) == 1
