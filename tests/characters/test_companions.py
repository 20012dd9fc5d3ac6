"""Companions on disk: whole files, private, safe between writers, never read as empty."""

import json
import multiprocessing
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import CompanionFolder, Companions
from siliconfriend.characters.entries import add_entries, all_entries
from siliconfriend.errors import DamagedMemory, MemoryBusy, RefusedName, UsageError
from siliconfriend.memory import codec
from siliconfriend.memory.changes import Erase, apply_all
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from siliconfriend.memory.mirror import encode_whole, parse_memory
from siliconfriend.memory.records import PersonMemory, Profile
from tests.characters.conftest import BEGINNING, NOW, tell

RAIN = FactDraft("Robin likes rain.")


def test_a_companion_is_kept_and_deleted(companions: Companions, home: Path) -> None:
    """What was created is read again, and not begun twice; after deleting nothing of it is left."""
    companions.create(Character("Robin").with_texts("en", {"persona": "Patient."}))
    with pytest.raises(UsageError, match="There is a companion called Robin already"):
        companions.create(Character("Robin"))
    tell(companions, "Robin", RAIN, EventDraft("A seedling came up."))
    again = Companions(home)
    assert again.names() == ["Robin"]
    assert again.character(" Robin ").texts_in("en").persona == "Patient."
    lore = again.lore("Robin")
    assert lore is not None
    assert [fact.text for fact in lore.facts()] == ["Robin likes rain."]
    assert [event.text for event in lore.events()] == ["A seedling came up."]
    again.delete("Robin")
    assert again.names() == []
    assert [path.name for path in (home / "companions").iterdir()] == ["lock"]


def test_only_the_owner_can_read_the_files(companions: Companions, home: Path) -> None:
    """Folders have mode 0700 and files 0600, whatever the umask."""
    tell(companions, "Robin", RAIN)
    folder = CompanionFolder(home, "Robin").path
    for path in (home / "companions", folder):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {path.name for path in folder.iterdir()} == {"companion.toml", "lore.json"}


@pytest.mark.parametrize("name", ["", "  ", "..", "a/b", "a\\b", "a\0b", "x" * 201])
def test_a_name_that_is_none_never_becomes_a_path(companions: Companions, name: str) -> None:
    """Refused before anything is looked for or made."""
    for act in (companions.character, companions.lore, companions.delete, companions.exists):
        with pytest.raises(RefusedName):
            act(name)


def test_an_unknown_one_is_said_to_be(companions: Companions, home: Path) -> None:
    """Reading, changing and deleting nobody says so and makes no folder."""
    companions.create(Character("Robin"))
    for act in (
        lambda: companions.character("Fern"),
        lambda: companions.lore("Fern"),
        lambda: companions.delete("Fern"),
        lambda: companions.edit("Fern", lambda one: one),
        lambda: companions.edit_lore("Fern", *BEGINNING).__enter__(),
    ):
        with pytest.raises(UsageError, match="no companion called Fern"):
            act()
    assert len(list((home / "companions").iterdir())) == 2


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("companion.toml", b"name ="),
        ("companion.toml", b"\xff\xfe"),
        ("lore.json", b""),
        ("lore.json", b"{}"),
        ("lore.json", b"[1]"),
    ],
)
def test_a_damaged_file_is_refused_and_left_alone(
    companions: Companions, home: Path, file: str, content: bytes
) -> None:
    """The sentence names the file; no change is written over what is in it."""
    tell(companions, "Robin", RAIN)
    path = CompanionFolder(home, "Robin").path / file
    path.write_bytes(content)
    for act in (
        lambda: (companions.character("Robin"), companions.lore("Robin")),
        lambda: tell(companions, "Robin", FactDraft("New.")),
    ):
        with pytest.raises(DamagedMemory, match="Nothing was changed or written over") as caught:
            act()
        assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_lore_of_somebody_else_is_damaged(companions: Companions, home: Path) -> None:
    """An id of another companion's, an id twice, and another companion's file."""
    (ours,), (theirs,) = (tell(companions, one, RAIN).facts() for one in ("Robin", "Fern"))
    assert ours.id != theirs.id
    path = CompanionFolder(home, "Robin").lore
    whole = json.loads(path.read_bytes())
    whole.pop("crc32")
    ((day, (fact,)),) = whole["facts"].items()
    foreign = {**fact, "memory_id": theirs.id}
    for fault in ({"facts": {day: [foreign]}}, {"facts": {day: [fact, fact]}}, {"name": "Fern"}):
        path.write_text(json.dumps({**whole, **fault}), encoding="utf-8")
        with pytest.raises(DamagedMemory):
            companions.lore("Robin")


def test_a_lost_character_is_no_new_companion(companions: Companions, home: Path) -> None:
    """Where only the lore is left, that is said; a copied folder is nobody's."""
    tell(companions, "Robin", RAIN)
    folder = CompanionFolder(home, "Robin")
    copy = folder.path.with_name("robin-copy")
    copy.mkdir()
    (copy / "companion.toml").write_bytes(folder.character.read_bytes())
    folder.character.unlink()
    with pytest.raises(DamagedMemory, match=r"companion\.toml is missing"):
        companions.character("Robin")
    assert companions.names() == []
    assert [fault.key for fault in companions.faults()] == [
        "companion_headless",
        "companion_foreign",
    ]


def test_words_that_left_leave_the_cache_too(companions: Companions, home: Path) -> None:
    """Erasing or changing an entry drops the cache; adding one keeps it."""
    lore = tell(companions, "Robin", RAIN)
    index = CompanionFolder(home, "Robin").index
    index.write_bytes(b"rain")
    tell(companions, "Robin", FactDraft("Robin reads."))
    assert index.exists()
    (first, *_) = lore.facts()
    with companions.edit_lore("Robin", *BEGINNING) as edit:
        edit.add(Erase((first.id,)))
    assert not index.exists()
    after = companions.lore("Robin")
    assert after is not None
    assert [fact.text for fact in after.facts()] == ["Robin reads."]
    assert after.next_position("2026-03-14", "fact") == 2


def test_a_lock_that_is_held_is_waited_for_and_then_told(
    companions: Companions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the wait the sentence names the companion."""
    companions.create(Character("Robin"))
    monkeypatch.setattr("siliconfriend.characters.companions.MAX_WAIT", 0.01)

    def change(character: Character) -> Character:
        with pytest.raises(MemoryBusy, match="Robin"):
            companions.edit("Robin", lambda one: one)
        return character

    companions.edit("Robin", change)


def _tell_ten(home: Path, who: int) -> None:
    for number in range(10):
        tell(Companions(home), "Robin", FactDraft(f"Fact {number} of {who}."))


@pytest.mark.slow
def test_writers_at_once_lose_nothing(companions: Companions, home: Path) -> None:
    """Three processes add ten facts each: thirty are there, each with an id of its own."""
    companions.create(Character("Robin"))
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_tell_ten, args=(home, one)) for one in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    lore = companions.lore("Robin")
    assert lore is not None
    assert len({fact.id for fact in lore.facts()}) == 30
    assert {fact.text for fact in lore.facts()} == {
        f"Fact {number} of {who}." for number in range(10) for who in range(3)
    }


WORDS = st.text(min_size=1, max_size=12).filter(str.strip)
LANGUAGES = st.sampled_from((None, "en", "cn"))
DRAFTS = st.one_of(
    st.builds(FactDraft, WORDS, entity=WORDS, key_word=st.text(max_size=5), language=LANGUAGES),
    st.builds(
        EventDraft,
        WORDS,
        time=st.one_of(st.none(), st.integers(0, 3).map(lambda one: NOW - timedelta(days=one))),
        place=st.text(max_size=5),
        key_words=st.lists(WORDS, max_size=2).map(tuple),
        language=LANGUAGES,
    ),
)
STEPS = st.lists(
    st.tuples(st.sampled_from(("add", "delete")), st.lists(DRAFTS, max_size=3)), max_size=8
)


@given(STEPS)
def test_ids_are_never_given_twice_and_the_file_holds_everything(
    steps: list[tuple[str, list[Draft]]],
) -> None:
    """After any adding and deleting: no id twice, none again, written is read.

    Adding what is there already adds nothing.
    """
    lore = PersonMemory(Profile("Pebble", language="en", timezone="UTC", created=NOW))
    gone: set[str] = set()
    for act, drafts in steps:
        there = all_entries(lore)
        if act == "add":
            lore = apply_all(lore, add_entries(lore, drafts, now=NOW, made_by="person"))
            assert not add_entries(lore, drafts, now=NOW, made_by="import")
        elif there:
            gone.add(there[0].id)
            lore = apply_all(lore, [Erase((there[0].id,))])
        ids = [entry.id for entry in all_entries(lore)]
        assert len(set(ids)) == len(ids)
        assert not gone & set(ids)
        written = codec.from_json(encode_whole(lore, "Pebble"))
        assert all_entries(parse_memory(written).memory) == all_entries(lore)
