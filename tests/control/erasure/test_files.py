"""Erasing reaches every file of the data directory: exports, backups, journals, imports."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.memory.backup import back_up
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import (
    PersonImport,
    export_memorybank,
    export_native,
    import_bank,
)
from siliconfriend.memory.restore import restore
from siliconfriend.memory.scope import Scope
from tests.control.world import NORA, World

SECRET = "My parrot is called Zanzifrax."


def test_nothing_of_it_is_in_any_file(files: World) -> None:
    """Journal, backups, torn lines set aside and the index: every byte is looked at."""
    said = files.say(SECRET, "Zanzifrax is a grand name.")
    files.store.fold(NORA)
    files.say("It rained.", on="2026-03-03")
    files.store.fold(NORA)
    folder = files.store.folder(NORA)  # type: ignore[attr-defined]  # the store here has files
    with (folder / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"seq": 99, "put": "turn", "turn": {"query": "Zanzifrax')
    files.memory()
    (folder / "index.sqlite.12345.new").write_bytes(b"zanzifrax parrot")
    files.recaller.rebuild_index(NORA)
    assert any("index.sqlite" in it for it in files.files_with("zanzifrax"))
    assert any("damaged" in it for it in files.files_with("zanzifrax"))
    assert any("backup" in it for it in files.files_with("zanzifrax"))
    done = files.erase(said)
    assert files.files_with("zanzifrax") == []
    assert done.left == 0
    assert done.searched >= 4


def test_a_file_of_unknown_form_is_named(files: World) -> None:
    """What cannot be mended is told, not passed over."""
    said = files.say(SECRET)
    (files.home / "notes.txt").write_text(f"She said: {SECRET}\n", encoding="utf-8")
    done = files.erase(said)
    assert (done.left, done.places) == (1, ("notes.txt",))


@pytest.mark.parametrize("form", ["memorybank", "native"])
def test_exports_in_the_data_directory_lose_it_too(files: World, form: str) -> None:
    """The file is written anew without the turn, quotations and summaries, and can be imported."""
    said = files.say(SECRET, "A fine name.")
    files.say("Good morning!", "Morning! My parrot is called Zanzifrax. You said so.", used=[said])
    files.say("It rained.", on="2026-03-03")
    files.night()
    export = export_memorybank if form == "memorybank" else export_native
    bank = export(files.memory()) | {
        "Otto": {"name": "Otto", "history": {"2026-03-02": [[SECRET, "His own."]]}, "summary": {}}
    }
    path = files.home / "mine.json"
    path.write_text(json.dumps(bank), encoding="utf-8")
    done = files.erase(said)
    assert (done.left, done.places) == (0, ())
    after = json.loads(path.read_text(encoding="utf-8"))
    assert after["Otto"] == bank["Otto"]
    assert "Zanzifrax" not in json.dumps(after["Nora"])
    assert [it["query"] for day in after["Nora"]["history"].values() for it in day] == [
        "Good morning!",
        "It rained.",
    ]
    now, zone = files.clock.now(files.settings.zone), files.settings.zone
    import_bank(files.store, after, language="en", zone=zone, now=now)
    others = [it for it in files.files_with("zanzifrax") if "otto" not in it]
    assert others == ["mine.json"]


def test_an_imported_turn_that_took_another_place_stays_erased(world: World) -> None:
    """Its day was talked on already; bringing the file again brings the other turn alone."""
    hello = world.say("Hello.")
    turns = [{"query": SECRET, "response": ""}, {"query": "It rained.", "response": ""}]
    bank = {"Nora": {"name": "Nora", "history": {"2026-03-02": turns}}}

    def bring() -> PersonImport:
        (person,) = import_bank(
            world.store,
            bank,
            language="en",
            zone=ZoneInfo("UTC"),
            now=datetime(2026, 3, 3, tzinfo=UTC),
        ).people
        return person

    assert bring().turns == 2
    (secret,) = [turn.id for turn in world.memory().turns() if turn.query == SECRET]
    world.erase(secret)
    again = bring()
    assert again.turns == 0
    assert [turn.query for turn in world.memory().turns()] == [
        world.turn(hello).query,
        "It rained.",
    ]


def test_backups_in_the_data_directory_lose_it_too(files: World) -> None:
    """Also a backup in a backup; who restores one has all but what was erased, others included."""
    said = files.say(SECRET, "A fine name.")
    kept = files.say("It rained.", on="2026-03-03")
    otto = World(files.store, files.settings, Scope.of("Otto"))
    theirs = otto.say(SECRET)
    files.recaller.rebuild_index(NORA)
    (files.home / "mine.json").write_text(
        json.dumps({"Nora": export_native(files.memory())["Nora"]})
    )
    made = datetime(2026, 3, 4, tzinfo=UTC)
    back_up(files.home, files.home / "first.tar.gz", now=made)
    back_up(files.home, files.home / "second.tar.gz", now=made, with_backups=True)
    done = files.erase(said)
    assert (done.left, done.places) == (0, ())
    again = files.home.parent / "again"
    assert restore(files.home / "second.tar.gz", again).made == made.isoformat()
    store = FileStore(again)
    assert [turn.id for turn in store.load(NORA).turns()] == [kept]
    assert [turn.id for turn in store.load(otto.scope).turns()] == [theirs]
    assert restore(again / "first.tar.gz", files.home.parent / "first").scopes == 2


def test_what_others_said_is_theirs(files: World) -> None:
    """The same words of another person neither leave nor count."""
    said = files.say(SECRET)
    otto = World(files.store, files.settings, Scope.of("Otto"))
    theirs = otto.say(SECRET)
    assert files.erase(said).left == 0
    assert otto.turn(theirs).query == SECRET
