"""Deleting a person: their files, exports and backups, and the proof."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from siliconfriend import passwords
from siliconfriend.control.erasure.delete_person import delete_person
from siliconfriend.control.erasure.verification import Proof
from siliconfriend.memory.backup import back_up
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import export_memorybank, export_native
from siliconfriend.memory.restore import restore
from siliconfriend.memory.scope import Scope
from siliconfriend.passwords import PasswordFile
from tests.control.world import NORA, World

SECRET = "My parrot is called Zanzifrax."
MADE = datetime(2026, 3, 4, tzinfo=UTC)
SOL = Scope.of("Nora", "Sol")


def deleted(files: World, *scopes: Scope) -> Proof:
    """Delete as the command does."""
    return delete_person(
        files.store, scopes or [NORA], home=files.home, rewrite_index=files.recaller.rewrite_index
    )


def test_backups_in_the_data_directory_lose_the_person(files: World) -> None:
    """Also a backup in a backup, and in a folder below; who restores one has the others."""
    files.say(SECRET)
    otto = World(files.store, files.settings, Scope.of("Otto"))
    theirs = otto.say("It rained.")
    files.night()
    (files.home / "kept").mkdir()
    (files.home / "mine.json").write_text(json.dumps(export_native(files.memory())))
    PasswordFile(files.home / passwords.FILE_NAME).set("Nora", "a long password")
    back_up(files.home, files.home / "first.tar.gz", now=MADE)
    back_up(files.home, files.home / "kept" / "second.tar.gz", now=MADE, with_backups=True)
    proof = deleted(files)
    assert (proof.found_in, proof.searched > 4) == ((), True)
    again = files.home.parent / "again"
    assert restore(files.home / "kept" / "second.tar.gz", again).made == MADE.isoformat()
    restore(again / "first.tar.gz", files.home.parent / "first")
    for home in (again, files.home.parent / "first"):
        store = FileStore(home)
        assert store.scopes() == [otto.scope]
        assert [turn.id for turn in store.load(otto.scope).turns()] == [theirs]
        inside = [it for it in home.rglob("*") if it.is_file() and it.suffix != ".gz"]
        assert [it for it in inside if b"Zanzifrax" in it.read_bytes()] == []
        assert not (home / "mine.json").exists()
        assert passwords.read_hashes(home / passwords.FILE_NAME) == {}


def test_exports_lose_the_person_and_keep_the_others(files: World) -> None:
    """In MemoryBank's form no id tells whose it is; the name does."""
    files.say(SECRET)
    otto = World(files.store, files.settings, Scope.of("Otto"))
    otto.say(SECRET)
    both = export_memorybank(files.memory()) | export_memorybank(otto.memory())
    (files.home / "both.json").write_text(json.dumps(both))
    (files.home / "alone.json").write_text(json.dumps(export_memorybank(files.memory())))
    assert deleted(files).found_in == ()
    assert json.loads((files.home / "both.json").read_text()) == export_memorybank(otto.memory())
    assert not (files.home / "alone.json").exists()


@pytest.mark.parametrize("words", [SECRET, "turn-2026-03-02-0-15b43e73"])
def test_a_file_in_another_form_is_named(files: World, words: str) -> None:
    """It is left alone, whether it holds words or an id."""
    files.say(SECRET)
    (files.home / "diary.txt").write_text(f"So: {words}")
    assert deleted(files).found_in == ("diary.txt",)
    assert (files.home / "diary.txt").read_text() == f"So: {words}"


def test_a_backup_that_is_broken_is_named(files: World) -> None:
    """It cannot be put right, and what was packed of the person is still in it."""
    files.say(SECRET)
    back_up(files.home, files.home / "whole.tar.gz", now=MADE)
    (files.home / "half.zip").write_bytes(_zipped(SECRET))
    assert deleted(files).found_in == ("half.zip",)


def _zipped(words: str) -> bytes:
    from io import BytesIO
    from zipfile import ZipFile

    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("notes.txt", words)
    return packed.getvalue()


def test_one_companion_of_two_forgets(files: World) -> None:
    """What only it was told leaves exports and backups; what the other was told stays."""
    both = "It rained."
    kept = files.say(both)
    sol = World(files.store, files.settings, SOL)
    told = sol.say(SECRET)
    sol.say(both)
    quoting = files.say("Any news?", "Zanzifrax is well, I hope!", used=[told])
    (files.home / "sol.json").write_text(json.dumps(export_memorybank(sol.memory())))
    back_up(files.home, files.home / "all.tar.gz", now=MADE)
    assert deleted(files, SOL).found_in == ()
    assert files.files_with("Zanzifrax") == []
    assert (files.turn(kept).query, files.turn(quoting).response) == (both, "")
    again = files.home.parent / "again"
    restore(files.home / "all.tar.gz", again)
    assert FileStore(again).scopes() == [NORA]
