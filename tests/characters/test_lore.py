"""Lore in a talk: found by what is said, apart from every person, never fading."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import CompanionFolder, Companions, lore_scope
from siliconfriend.characters.lore import Lore
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.drafts import EventDraft, FactDraft, new_turn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.recaller import Recaller
from siliconfriend.testing import WordEmbedder
from tests.characters.conftest import NOW, tell
from tests.memory.stored import put

STORM = EventDraft("A storm cut the power in the library.", key_words=("storm",))
CHESS = EventDraft("Pebble lost a game of chess.", place="children's room")
RAIN = FactDraft("Pebble likes the sound of rain.", key_word="rain")


def _texts(lore: Lore, query: str, **more: object) -> list[str]:
    found = lore.recall(query, now=NOW, **more)  # type: ignore[arg-type]  # passed on
    return [it.memory.text for it in found.memories]


@pytest.mark.parametrize("embedder", [None, WordEmbedder()])
def test_events_come_to_mind_by_what_is_said(
    companions: Companions, home: Path, embedder: WordEmbedder | None
) -> None:
    """The one that bears on it, with meanings and with words alone; of nothing, nothing."""
    tell(companions, "Pebble", STORM, CHESS, RAIN)
    lore = Lore(home, "Pebble", embedder)
    assert _texts(lore, "Was there ever a storm in the library?") == [STORM.text]
    assert _texts(lore, "xylophone") == []


@pytest.mark.parametrize("embedder", [None, WordEmbedder()])
def test_facts_come_to_mind_apart_from_events(
    companions: Companions, home: Path, embedder: WordEmbedder | None
) -> None:
    """By a key word or a word of the description; its own name is no such word."""
    glasses = FactDraft("Ruth wears two pairs of glasses.", entity="Ruth", entity_type="specific")
    tell(companions, "Pebble", STORM, RAIN, glasses)
    lore = Lore(home, "Pebble", embedder)
    found = lore.recall("What does Ruth look like?", now=NOW, language="en")
    assert [it.memory.text for it in found.facts] == [glasses.text]  # type: ignore[union-attr]  # a fact
    found = lore.recall("Which sound do you like best?", now=NOW, language="en")
    assert RAIN.text in [it.memory.text for it in found.facts]  # type: ignore[union-attr]  # a fact
    assert [it.state for it in found.facts][:1] == ["vivid"]
    if embedder is None:
        assert lore.recall("Pebble", now=NOW, language="en").facts == ()
    for number in range(12):
        tell(companions, "Pebble", FactDraft(f"Rain has name {number}."))
    assert len(lore.recall("rain", now=NOW).facts) == 10
    assert len(lore.recall("rain", now=NOW, top_facts=3).facts) == 3


def test_what_is_told_in_the_other_language_only_stays_out(
    companions: Companions, home: Path
) -> None:
    """An entry of one language is left out in the other; one of none is in both."""
    tell(
        companions,
        "Pebble",
        EventDraft("A storm came.", language="en"),
        EventDraft("storm 暴风雨来了。", language="cn"),
        EventDraft("The storm passed."),
    )
    lore = Lore(home, "Pebble", None)
    assert set(_texts(lore, "storm", language="en")) == {"A storm came.", "The storm passed."}
    assert set(_texts(lore, "storm", language="cn")) == {"storm 暴风雨来了。", "The storm passed."}
    assert len(_texts(lore, "storm")) == 3
    tell(
        companions,
        "Pebble",
        FactDraft("It likes rain.", language="en"),
        FactDraft("rain 它喜欢雨。", language="cn"),
    )
    facts = lore.recall("rain", now=NOW, language="cn").facts
    assert [it.memory.text for it in facts] == ["rain 它喜欢雨。"]  # type: ignore[union-attr]  # a fact


def test_a_recaller_over_lore_cannot_write(companions: Companions, home: Path) -> None:
    """Strengthening leaves the file as it is, and a hundred years leave it as vivid."""
    tell(companions, "Pebble", STORM)
    store = Lore(home, "Pebble", None)
    scope = lore_scope("Pebble")
    before = CompanionFolder(home, "Pebble").lore.read_bytes()
    recaller = Recaller(store, None, policy=ForgettingPolicy.named("paper"))
    recaller.reinforce(scope, recaller.recall(scope, "storm", now=NOW), now=NOW)
    (found,) = Lore(home, "Pebble", None).recall("storm", now=NOW + timedelta(days=36_525)).memories
    assert (found.state, found.strength) == ("vivid", 1.0)
    assert CompanionFolder(home, "Pebble").lore.read_bytes() == before


def test_what_another_process_writes_is_seen_at_the_next_call(
    companions: Companions, home: Path
) -> None:
    """Lore, persona and shares are those of now, without opening anything again."""
    tell(companions, "Pebble", STORM)
    lore = Lore(home, "Pebble", None)
    assert _texts(lore, "chess") == []
    other = Companions(home)
    tell(other, "Pebble", CHESS)
    other.edit("Pebble", lambda it: it.with_shares(("Fern",)))
    assert _texts(lore, "chess") == [CHESS.text]
    assert lore.character.shares == ("Fern",)
    other.delete("Pebble")
    assert _texts(lore, "chess") == []
    assert lore.told("persona", "en") == ""


def test_persona_and_style_fall_back_and_a_greeting_does_not(
    companions: Companions, home: Path
) -> None:
    """A model reads both languages; a person reads the greeting."""
    told = {"persona": "Patient.", "speaking_style": "Short.", "greeting": "Hello {person} {x}."}
    companions.create(Character("Pebble").with_texts("en", told))
    lore = Lore(home, "Pebble", None)
    assert (lore.told("persona", "cn"), lore.told("speaking_style", "cn")) == ("Patient.", "Short.")
    assert lore.greeting("en", "Ada") == "Hello Ada {x}."
    assert lore.greeting("cn", "Ada") == ""


def test_two_companions_share_nothing(companions: Companions, home: Path) -> None:
    """On disk no file of the one holds a word or an id of the other, and neither recalls it.

    The same person speaks with both; their memories with each, and each one's lore, are
    four places that never meet. A share is only a name: it copies nothing.
    """
    tell(companions, "Pebble", EventDraft("Pebble saw a zeppelin."))
    tell(companions, "Fern", EventDraft("Fern counted thimbles."))
    companions.edit("Fern", lambda it: it.with_shares(("Pebble",)))
    store = FileStore(home)
    for companion, said in (("Pebble", "I grow quinces."), ("Fern", "I repair clocks.")):
        scope = Scope.of("Ada", companion)
        memory = store.create(
            scope, Profile(scope.person, language="en", timezone="UTC", created=NOW)
        )
        turn = new_turn(scope, memory, said, now=NOW)
        put(store, scope, PutTurn(turn))
        recaller = Recaller(
            store,
            None,
            policy=ForgettingPolicy.named("companion"),
            folder=store.folder,
        )
        for word in ("zeppelin", "thimbles"):
            assert recaller.recall(scope, word, now=NOW).memories == ()
        lore = Lore(home, companion, None)
        for word in ("quinces", "clocks"):
            assert _texts(lore, word) == []
    assert _texts(Lore(home, "Fern", None), "zeppelin") == []
    assert _texts(Lore(home, "Fern", None), "thimbles") == ["Fern counted thimbles."]
    assert Lore(home, "Fern", None).character.shares == ("Pebble",)
    assert Lore(home, "Pebble", None).character.shares == ()
    places = {
        b"zeppel": CompanionFolder(home, "Pebble").path,
        b"thimble": CompanionFolder(home, "Fern").path,
        b"quinc": store.folder(Scope("Ada", "Pebble")),
        b"clocks": store.folder(Scope("Ada", "Fern")),
    }
    for word, place in places.items():
        holding = {it.parent for it in home.rglob("*") if it.is_file() and word in it.read_bytes()}
        assert holding == {place}
