"""Lore in a talk: found by what is said or by its keys, apart from every person, never fading."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import CompanionFolder, Companions, lore_scope
from siliconfriend.characters.entries import MOST_CALLED, is_called, order_of
from siliconfriend.characters.importing import import_companion, read_source
from siliconfriend.characters.lore import Lore
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.recall.cue import Utterance
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.recaller import Recaller
from siliconfriend.texts import Language
from tests.characters import card_files as cards
from tests.characters.conftest import BEGINNING, NOW, tell
from tests.embedding import WordEmbedder

STORM = EventDraft("A storm cut the power in the library.", key_words=("storm",))
CHESS = EventDraft("Pebble lost a game of chess.", place="children's room")
RAIN = FactDraft("Pebble likes the sound of rain.", key_word="rain")


def _texts(lore: Lore, query: str, **more: object) -> list[str]:
    """The texts of events alone."""
    found = lore.recall(query, now=NOW, top_facts=0, **more)  # type: ignore[arg-type]  # passed on
    return [one.memory.text for one in found]


def _facts(lore: Lore, query: str, **more: object) -> list[str]:
    """The texts of facts alone."""
    found = lore.recall(query, now=NOW, top=0, **more)  # type: ignore[arg-type]  # passed on
    return [one.memory.text for one in found]


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
    assert _facts(lore, "What does Ruth look like?", language="en") == [glasses.text]
    asked = "Which sound do you like best?"
    assert RAIN.text in _facts(lore, asked, language="en")
    assert lore.recall(asked, now=NOW, language="en")[0].state == "vivid"
    if embedder is None:
        assert _facts(lore, "Pebble", language="en") == []
    for number in range(12):
        tell(companions, "Pebble", FactDraft(f"Rain has name {number}."))
    assert len(_facts(lore, "rain")) == 10
    assert len(_facts(lore, "rain", top_facts=3)) == 3


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
    assert _facts(lore, "rain", language="cn") == ["rain 它喜欢雨。"]


def test_a_recaller_over_lore_cannot_write(companions: Companions, home: Path) -> None:
    """Strengthening leaves the file as it is, and a hundred years leave it as vivid."""
    tell(companions, "Pebble", STORM)
    store = Lore(home, "Pebble", None)
    scope = lore_scope("Pebble")
    before = CompanionFolder(home, "Pebble").lore.read_bytes()
    recaller = Recaller(store, None, policy=ForgettingPolicy.named("paper"))
    recaller.reinforce(scope, recaller.recall(scope, "storm", now=NOW), now=NOW)
    (found,) = Lore(home, "Pebble", None).recall("storm", now=NOW + timedelta(days=36_525))
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
    other.edit("Pebble", lambda one: one.with_shares(("Fern",)))
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


def bring(companions: Companions, folder: Path, book: object) -> Lore:
    """A companion that has this lorebook."""
    source = read_source(cards.as_json(folder, book), ZoneInfo("UTC"))
    import_companion(companions, "Maud", source, *BEGINNING)
    return Lore(companions.home, "Maud", None)


def told(lore: Lore, said: str, *before: str) -> list[str]:
    """The entries that are told, in their order."""
    talk = [Utterance(words) for words in before]
    found = lore.recall(said, now=NOW, talk=talk, language="en", person="Ada")
    return [one.memory.text for one in found]


ROCK = "The lighthouse stands on Gannet Rock."
HORN = "Maud mended the foghorn with a kettle lid."
GULLS = "Gulls steal the bread."


def test_keys_bring_entries_constant_ones_first(companions: Companions, tmp_path: Path) -> None:
    """What is constant is always there; a key counts as a whole word, in any letters."""
    lore = bring(companions, tmp_path, cards.BOOK)
    assert told(lore, "Hm.") == [ROCK]
    assert told(lore, "That GULL again.") == [ROCK, GULLS]
    assert told(lore, "A gullible man.") == [ROCK]
    assert told(lore, "Hm.", "The gull!", "Yes?") == [ROCK, GULLS]
    assert told(lore, "Hm.", "The gull!", "Yes?", "Well.") == [ROCK]
    # A missing second key keeps an entry away, and so does its switch, however near its words are.
    assert HORN not in told(lore, "Who mended the foghorn with a kettle lid?")
    assert HORN in told(lore, "The horn is broken.")
    assert told(lore, "Is there a treasure chest under the stairs?") == [ROCK]


def _is_called(talk: str, **form: Any) -> bool:
    return is_called({"keys": ["fog"], "secondary_keys": ["calm", "cold"], **form}, talk)


@pytest.mark.parametrize(
    ("logic", "called"),
    [
        (0, ["fog calm", "fog calm cold"]),
        (1, ["fog", "fog calm"]),
        (2, ["fog"]),
        (3, ["fog calm cold"]),
        (9, ["fog calm", "fog calm cold"]),
    ],
)
def test_second_keys_by_the_logic_of_world_info(logic: int, called: list[str]) -> None:
    """Any, not all, not any, all."""
    book = {"selectiveLogic": logic}
    said = ("fog", "fog calm", "fog calm cold")
    assert [talk for talk in said if _is_called(talk, extensions=book)] == called


def test_patterns_are_never_run_and_letters_can_count() -> None:
    """A pattern that would take an age does nothing at all."""
    assert not _is_called("a" * 40 + "b", keys=["(a+)+$"], use_regex=True)
    assert not _is_called("fog", keys=["/fog/i"], selective=False)
    assert not _is_called("fog", keys=["Fog"], selective=False, case_sensitive=True)
    in_extensions = {"case_sensitive": True}
    assert not _is_called("fog", keys=["Fog"], selective=False, extensions=in_extensions)
    assert _is_called("那个雾号响了", keys=["雾号"], selective=False)
    wrong: dict[str, Any] = {"keys": 3, "extensions": [], "insertion_order": "x"}
    assert not _is_called("3", **wrong)
    assert order_of(wrong) == order_of({})


def test_keys_bring_no_more_than_a_reply_can_hold(companions: Companions, tmp_path: Path) -> None:
    """Of many that one word calls the first by their order."""
    entries = [
        {"keys": ["fog"], "content": f"Fog of day {number}.", "insertion_order": -number}
        for number in range(MOST_CALLED + 5)
    ]
    lore = bring(companions, tmp_path, {"entries": entries})
    found = told(lore, "fog")
    assert found[:2] == ["Fog of day 24.", "Fog of day 23."]
    assert len([one for one in found if one.startswith("Fog")]) <= MOST_CALLED + 10


ENGLISH = (
    "Pebble likes the sound of rain best.",
    "Anders the caretaker feeds a one-eyed cat.",
    "The library has forty green lamps.",
    "Mrs Low has two pairs of glasses.",
    "The clock in the hall is seven minutes slow.",
)
CHINESE = (
    "小石最喜欢雨声。",
    "门卫老安喂一只独眼猫。",
    "图书馆有四十盏绿色的台灯。",
    "罗老师有两副眼镜。",
    "大厅的钟慢七分钟。",
)


@pytest.fixture(scope="module")
def bundled() -> BundledEmbedder:
    """The embedder that needs no download."""
    return BundledEmbedder()


@pytest.mark.parametrize(
    ("entries", "question", "other", "language"),
    [
        (ENGLISH, "What do you like?", "What do I like?", "en"),
        (CHINESE, "什么让你开心？", "什么让我开心？", "cn"),
    ],
)
def test_a_question_without_a_telling_word_finds_what_comes_nearest(
    companions: Companions,
    home: Path,
    bundled: BundledEmbedder,
    entries: tuple[str, ...],
    question: str,
    other: str,
    language: Language,
) -> None:
    """Its likes are among three entries, marked as found by nearness; the person's are not there."""
    tell(companions, "Pebble", *map(FactDraft, entries))
    lore = Lore(home, "Pebble", bundled)
    found = lore.recall(question, now=NOW, language=language)
    assert len(found) == 3
    assert found[0].memory.id == lore.recall("rain 雨声", now=NOW)[0].memory.id
    assert not any(one.is_likely for one in found)
    assert lore.recall(other, now=NOW, language=language) == []
    assert len(lore.recall(question, now=NOW, language=language, top_facts=1)) == 1
    assert lore.recall(question, now=NOW, language=language, top_facts=0) == []
