"""Erasing searches every file of the data directory, and replaces our own backups."""

import bz2
import gzip
import json
import lzma
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.control.erasure.proof import ErasedWords, Proof, search_files, search_rows
from siliconfriend.errors import UnknownPerson
from siliconfriend.memory import encryption
from siliconfriend.memory.atomic import OWNER, PREFIX
from siliconfriend.memory.backup import back_up, restore
from siliconfriend.memory.file_store import FileStore, folder_path
from siliconfriend.memory.import_export import PersonImport, import_bank
from siliconfriend.memory.memorybank_format import export_memorybank
from siliconfriend.memory.scope import Scope, folder_id
from siliconfriend.runtime import Runtime
from tests.control.world import NORA, World

SECRET = "My parrot is called Zanzifrax."
NOTES = f"So it was.\n{SECRET}\nAnd more.\n".encode()
MADE = datetime(2026, 3, 4, tzinfo=UTC)
SOL = Scope.of("Nora", "Sol")


def test_an_erased_turn_is_in_no_file(files: World) -> None:
    said = files.say(SECRET, "Zanzifrax is a grand name.")
    files.say("It rained.", on="2026-03-03")
    files.recaller.update_index(NORA)
    left_behind = files.home / "kept" / f"{PREFIX}0123"
    left_behind.mkdir(parents=True)
    (left_behind / OWNER).touch()
    (left_behind / "notes").write_bytes(NOTES)
    assert any(table == "analysis" and b"zanzifrax" in row for table, row in files.store.rows(NORA))
    done = files.erase(said)
    assert files.files_with("zanzifrax") == []
    assert (done.left, done.searched >= 3) == (0, True)


def test_a_file_of_ones_own_is_named(files: World) -> None:
    said = files.say(SECRET)
    (files.home / "notes.txt").write_text(f"She said: {SECRET}\n", encoding="utf-8")
    (files.home / "mine.json").write_text(json.dumps(export_memorybank(files.memory())))
    beside = folder_path(files.home, NORA) / "notes.txt"
    beside.write_text(SECRET, encoding="utf-8")
    done = files.erase(said)
    named = ("mine.json", "notes.txt", beside.relative_to(files.home).as_posix())
    assert (done.left, done.found_in) == (3, named)


PACKED = {
    "gz": gzip.compress(NOTES),
    "half a gz": gzip.compress(Random(7).randbytes(2000))[:1000],
    "bz2": bz2.compress(NOTES),
    "xz": lzma.compress(bytes(2000)),
}


@pytest.mark.parametrize("form", PACKED)
def test_a_packed_file_is_named_whatever_is_in_it(home: Path, form: str) -> None:
    home.mkdir()
    (home / "known").write_bytes(NOTES)
    (home / "notes").write_bytes(PACKED[form])
    found = search_files(home, None, ErasedWords([SECRET], []), skip=[home / "known"])
    assert found == Proof(1, ("notes",))


def test_rows_of_a_table_are_searched() -> None:
    rows = [("turn", NOTES), ("turn", b"It rained."), ("fact", b"It rained.")]
    assert search_rows(rows, ErasedWords([SECRET], [])) == Proof(2, ("turn",))


def test_a_text_over_two_pages_of_a_database_is_found(home: Path) -> None:
    home.mkdir()
    long = " ".join(f"word {number}" for number in range(3000)) + "."
    with closing(sqlite3.connect(home / "some.sqlite")) as database:
        database.execute("CREATE TABLE note (words)")
        database.execute("INSERT INTO note VALUES (?)", (long,))
        database.commit()
    assert long.encode() not in (home / "some.sqlite").read_bytes()
    assert search_files(home, None, ErasedWords([long], [])).found_in == ("some.sqlite",)


@pytest.mark.parametrize("left", ["free pages", "journal"])
def test_free_pages_and_a_journal_are_no_proof(home: Path, left: str) -> None:
    folder = home / "people" / "nora"
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "memory.sqlite")) as database:
        database.execute("CREATE TABLE note (words)")
        database.executemany("INSERT INTO note VALUES (?)", [("x" * 2000,)] * 9)
        database.commit()
        if left == "free pages":
            database.execute("DELETE FROM note")
            database.commit()
        else:
            (folder / "memory.sqlite-journal").write_bytes(b"pages")
            (folder / "memory.sqlite-journal").touch()
    found = search_files(home, folder, ErasedWords([SECRET], [])).found_in
    assert "people/nora/memory.sqlite" in found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "said", ["我在后院种了豆子。", 'I planted "beans".', 'Crème "brûlée", 豆子']
)
def test_words_are_found_in_every_encoding(said: str, encoding: str) -> None:
    gone = ErasedWords([said], [])
    for form in (said, json.dumps(said), json.dumps(said, ensure_ascii=False)):
        assert gone.stand_in(b"\x00\x01" + f"- {form} -".encode(encoding))
    assert not gone.stand_in("- I planted peas. 我在后院种了花。".encode(encoding))


def test_what_stays_in_other_words_is_no_trace_in_an_index() -> None:
    said, row = "The red kettle is here.", b"red kettl"
    assert ErasedWords([said], []).stand_in(row)
    assert not ErasedWords([said], ["A RED kettle!"]).stand_in(row)
    assert ErasedWords([said], ["My kettle is red."]).stand_in(row)


def test_four_letters_are_a_trace_and_three_are_not() -> None:
    """A "Hum" says nothing of one memory; half a character stops no search."""
    assert ErasedWords(["Feed"], []).stand_in(b"Feed")
    assert not ErasedWords(["Hum"], []).stand_in(b"Hum")
    assert not ErasedWords(["half \ud83d of it"], []).stand_in(b"half")


def test_a_companions_story_is_a_trace_only_word_for_word(files: World) -> None:
    """The index keeps "What is my cat called?" as "cat call", and a story may speak of a cat too."""
    said = files.say("What is my cat called?")
    secret = files.say(SECRET)
    story = files.home / "companions" / "robin" / "lore.json"
    story.parent.mkdir(parents=True)
    story.write_text("There was a cat called Soot.", encoding="utf-8")
    assert files.erase(said).found_in == ()
    story.write_text(json.dumps(SECRET), encoding="utf-8")
    back_up(files.home, files.home / "all.zip", now=MADE)
    assert files.erase(secret).found_in == ("all.zip", "companions/robin/lore.json")
    gone, place = ErasedWords([SECRET], [], [NORA]), story.relative_to(files.home)
    assert not gone.stand_in(SECRET.encode(), place), "of who was deleted only the id counts"
    assert gone.stand_in(f"turn-{NORA.digest}".encode(), place)


def test_words_of_other_people_do_not_count(files: World) -> None:
    said = files.say(SECRET)
    otto = World(files.store, files.settings, Scope.of("Otto"))
    theirs = otto.say(SECRET)
    assert files.erase(said).left == 0
    assert otto.turn(theirs).query == SECRET


@pytest.mark.parametrize("act", ["erase", "delete", "delete one companion"])
def test_our_backups_are_replaced_by_a_fresh_one(files: World, act: str) -> None:
    otto = World(files.store, files.settings, Scope.of("Otto"))
    theirs = otto.say("Peas are in.")
    encryption.KEYRING.offer("a passphrase")
    files.store.encrypt(otto.scope, encryption.lock_key("a passphrase"))
    sol = World(files.store, files.settings, SOL)
    said = (sol if act == "delete one companion" else files).say(SECRET)
    kept = files.say("It rained.", "Zanzifrax is well, I hope!", on="2026-03-03", used=[said])
    files.runtime.installation.passwords.set("Nora", "a long password")
    (files.home / "kept").mkdir()
    back_up(files.home, files.home / "older.zip", now=MADE)
    back_up(files.home, files.home / "kept" / "second.zip", now=MADE.replace(day=5))
    if act == "erase":
        assert files.erase(said).found_in == ()
    else:
        scopes = [SOL] if act == "delete one companion" else [NORA, SOL]
        assert files.runtime.eraser.delete(scopes).found_in == ()
    assert files.files_with("Zanzifrax") == []
    assert (files.runtime.installation.passwords.hash_of("Nora") is None) == (act == "delete")
    assert [path.name for path in files.home.rglob("*.zip")] == ["second.zip"]
    again = files.home.parent / "again"
    restore(files.home / "kept" / "second.zip", again)
    store = FileStore(again)
    assert [turn.id for turn in store.load(otto.scope).turns()] == [theirs]
    if act == "delete":
        assert store.scopes() == [otto.scope]
    else:
        (turn,) = store.load(NORA).turns()
        assert (turn.id, turn.response) == (kept, "")


def test_a_deletion_leaves_no_folder(files: World) -> None:
    files.say("It rained.")
    otto = World(files.store, files.settings, Scope.of("Otto", "Sol"))
    (files.home / "people" / folder_id("Otto") / "stray.txt").write_text("mine")
    assert files.runtime.eraser.delete([otto.scope]).found_in == ()
    assert not (files.home / "people" / folder_id("Otto")).exists()


def test_a_damaged_memory_can_be_deleted(files: World) -> None:
    files.say(SECRET)
    folder = folder_path(files.home, NORA)
    for path in (folder / "memory.sqlite", folder / "memory.json"):
        path.write_bytes(bytes(9000))
    store = FileStore(files.home)
    assert Runtime(files.settings, files.clock, store=store).eraser.delete([NORA]).found_in == ()
    assert store.scopes() == []


def test_with_a_memory_that_is_nobodys_none_is_deleted(files: World) -> None:
    said = files.say(SECRET)
    with pytest.raises(UnknownPerson, match="Otto"):
        files.runtime.eraser.delete([NORA, Scope.of("Otto")])
    assert files.turn(said).query == SECRET


@pytest.mark.parametrize("words", [SECRET, "turn-2026-03-02-0-15b43e73"])
def test_a_deletion_names_files_with_words_or_ids(files: World, words: str) -> None:
    files.say(SECRET)
    files.runtime.installation.passwords.set("Nora", "a long password")
    (files.home / "diary.txt").write_text(f"So: {words}")
    assert files.runtime.eraser.delete([NORA]).found_in == ("diary.txt",)
    assert (files.home / "diary.txt").read_text() == f"So: {words}"
    assert files.runtime.installation.passwords.hash_of("Nora") is None


def test_an_imported_turn_that_took_another_place_stays_erased(world: World) -> None:
    hello = world.say("Hello.")
    turns = [{"query": SECRET, "response": ""}, {"query": "It rained.", "response": ""}]
    bank = {"Nora": {"name": "Nora", "history": {"2026-03-02": turns}}}

    def bring() -> PersonImport:
        now, zone = datetime(2026, 3, 3, tzinfo=UTC), ZoneInfo("UTC")
        (person,) = import_bank(world.store, bank, language="en", zone=zone, now=now).people
        return person

    assert bring().turns == 2
    (secret,) = [turn.id for turn in world.memory().turns() if turn.query == SECRET]
    world.erase(secret)
    assert bring().turns == 0
    words = [turn.query for turn in world.memory().turns()]
    assert words == [world.turn(hello).query, "It rained."]
