"""Memories move from any store to any other: the same there, closed here, and never two of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.errors import MemoryElsewhere, StoreError
from siliconfriend.memory import encryption
from siliconfriend.memory.changes import Erase, PutProfile, PutSummary, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.moving.movable import MovableStore
from siliconfriend.memory.moving.note import MoveNote
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from tests.faults import filled, small_disk, told
from tests.memory.moving.places import Place, a_database, a_folder, in_memory, move, mover
from tests.memory.people import DATES, NORA, a_profile, a_summary, a_turn
from tests.memory.stored import put, queries, say

WREN = Scope.of("Wren")


def lived(store: MovableStore) -> None:
    """Nora's memory with a turn, a summary, an erased turn and two generations of files."""
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn()), PutTurn(a_turn("Forget that.", position=1)))
    put(store, NORA, PutSummary(DATES[0], a_summary("Beans.")))
    put(store, NORA, Erase((a_turn(position=1).id,)))
    store.fold(NORA)
    say(store, "I watered them.")


def test_a_memory_is_the_same_at_the_other_place(source: Place, target: Place) -> None:
    """Profile, turns, summary, erased ids and the number of the last change; five records."""
    store = source.open()
    lived(store)
    before = store.load(NORA)
    outcome = move(source, target)
    assert target.open().load(NORA) == before
    # The profile, two turns, a summary; the erased id is in the digest and counts for none.
    assert (outcome.records, outcome.sequence) == (4, before.sequence)
    assert before.erased == {a_turn(position=1).id}


def test_what_has_moved_stays_behind_and_takes_no_changes(source: Place, target: Place) -> None:
    """The old copy can be read and names the new place; the new one takes changes at once."""
    lived(source.open())
    said = queries(source.open())
    move(source, target)
    with pytest.raises(MemoryElsewhere) as raised:
        say(source.open(), "Too late.")
    assert target.name in raised.value.message("en")
    assert target.name in raised.value.message("cn")
    assert queries(source.open()) == said
    say(target.open(), "In time.")
    assert queries(target.open()) == [*said, "In time."]


def test_there_and_back(source: Place, target: Place) -> None:
    """What was said at the other place comes back with it; then the first one is open again."""
    lived(source.open())
    move(source, target)
    say(target.open(), "Said over there.")
    there = target.open().load(NORA)
    move(target, source)
    assert source.open().load(NORA) == there
    say(source.open(), "Home again.")
    with pytest.raises(MemoryElsewhere):
        say(target.open(), "Too late.")
    move(source, target)
    assert queries(target.open())[-2:] == ["Said over there.", "Home again."]


def test_moving_again_changes_nothing(source: Place, target: Place) -> None:
    """A second run finds all of it moved and leaves what was said since as it is."""
    lived(source.open())
    first = move(source, target)
    say(target.open(), "Said over there.")
    again = move(source, target)
    assert (first.was_moved, again.was_moved) == (False, True)
    assert (again.sequence, again.digest) == (first.sequence, first.digest)
    assert queries(target.open())[-1] == "Said over there."


def test_another_memory_of_that_name_is_not_written_over(source: Place, target: Place) -> None:
    """Neither is changed, and the one that was to be moved goes on."""
    lived(source.open())
    target.open().create(NORA, a_profile())
    say(target.open(), "I am another Nora.")
    with pytest.raises(MemoryElsewhere) as raised:
        move(source, target)
    assert raised.value.key == "move_taken"
    assert queries(target.open()) == ["I am another Nora."]
    say(source.open(), "I am still here.")


def test_a_copy_begun_from_elsewhere_is_not_written_over(tmp_path: Path) -> None:
    """Half of another Nora on its way from another place is not ours to replace."""
    source, other, target = (a_folder(tmp_path / name) for name in ("a", "b", "c"))
    for place in (source, other):
        lived(place.open())
    _copy_only(other, target)
    with pytest.raises(MemoryElsewhere, match="Something else"):
        move(source, target)


def test_a_newer_memory_is_not_written_over(tmp_path: Path) -> None:
    """A source put back to an earlier state must not take away what its copy has beyond that."""
    source, target = a_folder(tmp_path / "source"), a_folder(tmp_path / "target")
    lived(source.open())
    note = MoveNote.new()
    with source.open().edit(NORA) as edit:
        edit.note = note
    earlier = source.open().load(NORA)
    say(source.open(), "Only the copy has this.")
    _copy_only(source, target)
    source.open().delete(NORA)
    source.open().place(NORA, earlier, key=None, note=note, over=None)
    with pytest.raises(MemoryElsewhere) as raised:
        move(source, target)
    assert raised.value.key == "move_newer"
    assert queries(target.open())[-1] == "Only the copy has this."


def _copy_only(source: Place, target: Place) -> None:
    """The first pass, as a run that is killed behind it leaves it."""
    mover(source, target)._copy(NORA)


def test_what_is_said_between_copy_and_the_end_is_there(source: Place, target: Place) -> None:
    """A run that was stopped behind the copy goes on with the changes since, an erasing too."""
    store = source.open()
    lived(store)
    _copy_only(source, target)
    with pytest.raises(MemoryElsewhere, match="not complete"):
        say(target.open(), "Too early.")
    say(store, "Said meanwhile.")
    put(store, NORA, Erase((a_turn().id,)))
    expected = store.load(NORA)
    move(source, target)
    assert target.open().load(NORA) == expected
    assert "I planted beans." not in queries(target.open())


class Talkative(FileStore):
    """A place whose people say something whenever the mover has looked at it."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.said = 0

    def key(self, scope: Scope) -> bytes | None:
        found = super().key(scope)
        if self.said < 9:
            self.said += 1
            try:
                say(FileStore(self.home, wait=0.01), f"Meanwhile {self.said}.", scope)
            except StoreError:
                self.said -= 1  # the mover holds the lock
        return found


def test_people_talk_while_they_are_moved(tmp_path: Path) -> None:
    """Whatever was acknowledged before the memory closed is at the new place."""
    talkative = Talkative(tmp_path / "source")
    source, target = a_folder(tmp_path / "source"), a_folder(tmp_path / "target")
    lived(source.open())
    run = Place(source.name, lambda: talkative)
    move(run, target)
    assert talkative.said >= 3
    assert target.open().load(NORA) == source.open().load(NORA)
    assert queries(target.open())[2:] == [f"Meanwhile {n + 1}." for n in range(talkative.said)]


def test_the_last_changes_go_over_under_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes between the last comparison and the lock is caught up, and only its days compared."""
    source, target = a_folder(tmp_path / "source"), a_folder(tmp_path / "target")
    lived(source.open())
    run = mover(source, target)
    copied = run._copy(NORA)
    monkeypatch.setattr(run, "_copy", lambda _scope: copied)
    say(source.open(), "At the last moment.")
    outcome = run._hand_over(NORA)
    assert target.open().load(NORA) == source.open().load(NORA)
    assert outcome.sequence == source.open().load(NORA).sequence
    assert queries(target.open())[-1] == "At the last moment."


def test_one_that_cannot_be_read_keeps_nobody_else_from_it(tmp_path: Path) -> None:
    """A damaged memory is named and stays as it is; the others move."""
    source, target = a_folder(tmp_path / "source"), a_folder(tmp_path / "target")
    lived(source.open())
    source.open().create(WREN, a_profile(WREN))
    files = Folder(tmp_path / "source", WREN)
    for path in (files.memory, files.journal):
        path.write_bytes(b"{}")
    nora, wren = mover(source, target).move([NORA, WREN])
    assert (nora.error, wren.sequence) == (None, 0)
    assert wren.error is not None
    assert "Wren" in wren.error.message("en")
    assert not target.open().exists(WREN)
    assert target.open().exists(NORA)


def test_a_full_disk_at_the_other_place(tmp_path: Path) -> None:
    """It is said, the memory goes on here, and with room again the move is ended."""
    with small_disk(tmp_path / "disk", 200 * 1024) as disk:
        source, target = a_folder(tmp_path / "source"), a_folder(disk / "target")
        lived(source.open())
        for left in (0, 4, 8):
            with filled(disk, left * 1024):
                error = told(lambda: mover(source, target).move([NORA]))
                assert error is not None
                assert error.key == "store_unwritable"
            say(source.open(), f"There were {left} KiB.")
        move(source, target)
        assert target.open().load(NORA) == source.open().load(NORA)


def test_an_encrypted_memory_stays_encrypted(tmp_path: Path) -> None:
    """The key goes with it, no word of it stands in the files, and without the key it stays."""
    encryption.KEYRING.offer("a passphrase")
    source, target = a_folder(tmp_path / "source"), a_folder(tmp_path / "target")
    lived(source.open())
    FileStore(tmp_path / "source").encrypt(NORA, encryption.new_key("a passphrase"))
    move(source, target)
    key = source.open().key(NORA)
    assert key is not None
    assert target.open().key(NORA) == key
    written = b"".join(it.read_bytes() for it in (tmp_path / "target").rglob("*") if it.is_file())
    assert b"watered" not in written
    assert queries(target.open()) == ["I planted beans.", "I watered them."]
    encryption.KEYRING.lock()
    locked, *_ = mover(target, a_folder(tmp_path / "third")).move([NORA])
    assert locked.error is not None
    assert locked.error.key == "memory_locked"
    assert not a_folder(tmp_path / "third").open().exists(NORA)


def test_what_is_encrypted_does_not_become_readable(tmp_path: Path, database: Database) -> None:
    """A database keeps memory without a passphrase: such a person stays until they say otherwise."""
    encryption.KEYRING.offer("a passphrase")
    source, target = a_folder(tmp_path / "source"), a_database(database)
    lived(source.open())
    FileStore(tmp_path / "source").encrypt(NORA, encryption.new_key("a passphrase"))
    for outcome in (*mover(source, target).check([NORA]), *mover(source, target).move([NORA])):
        assert outcome.error is not None
        assert outcome.error.key == "move_encrypted"
    assert target.open().scopes() == []
    FileStore(tmp_path / "source").encrypt(NORA, None)
    move(source, target)
    assert queries(target.open()) == ["I planted beans.", "I watered them."]


def test_a_passphrase_changed_meanwhile_counts_at_the_new_place(tmp_path: Path) -> None:
    """A person who begins to encrypt after the copy was made finds it encrypted with that key."""
    encryption.KEYRING.offer("a passphrase")
    source, target = a_folder(tmp_path / "source"), a_folder(tmp_path / "target")
    lived(source.open())
    _copy_only(source, target)
    FileStore(tmp_path / "source").encrypt(NORA, encryption.new_key("a passphrase"))
    move(source, target)
    written = b"".join(it.read_bytes() for it in (tmp_path / "target").rglob("*") if it.is_file())
    assert b"watered" not in written


def test_a_store_that_gives_back_something_else_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A byte that is another one at the other place ends the move; the memory stays open here."""

    class Forgetful(FileStore):
        def load(self, scope: Scope) -> PersonMemory:
            memory = super().load(scope)
            return PutTurn(a_turn("I planted peas.")).apply(memory)

    source, target = a_folder(tmp_path / "source"), a_folder(tmp_path / "target")
    lived(source.open())
    run = mover(source, target)
    monkeypatch.setattr(run, "_read_back", Forgetful(tmp_path / "target"))
    (outcome,) = run.move([NORA])
    assert outcome.error is not None
    assert f"{DATES[0]} turn 0" in outcome.error.message("en")
    say(source.open(), "I am still here.")
    assert move(source, target).error is None


def test_a_person_deleted_meanwhile_is_deleted_there(source: Place, target: Place) -> None:
    """A copy that was begun of somebody who is gone goes too; what others keep there stays."""
    lived(source.open())
    _copy_only(source, target)
    target.open().create(WREN, a_profile(WREN))
    source.open().delete(NORA)
    assert mover(source, target).remove_orphans() == [NORA]
    assert target.open().scopes() == [WREN]


def test_a_copy_can_be_deleted_where_it_stayed(source: Place, target: Place) -> None:
    """The old copy goes when somebody says so, and the memory itself stays."""
    lived(source.open())
    move(source, target)
    source.open().delete(NORA)
    assert source.open().scopes() == []
    assert source.open().move_note(NORA) is None
    assert len(queries(target.open())) == 2


def test_a_check_writes_nothing(source: Place, target: Place) -> None:
    """It counts what would move, and names who cannot."""
    lived(source.open())
    source.open().create(WREN, a_profile(WREN))
    target.open().create(WREN, a_profile(WREN))
    nora, wren = mover(source, target).check([NORA, WREN])
    assert (nora.records, nora.error) == (4, None)
    assert isinstance(wren.error, MemoryElsewhere)
    assert source.open().move_note(NORA) is None
    assert not target.open().exists(NORA)


def test_a_change_of_who_one_is_counts(source: Place, target: Place) -> None:
    """A profile that was changed after the copy is the one at the new place."""
    lived(source.open())
    _copy_only(source, target)
    renamed = a_profile()
    put(source.open(), NORA, PutProfile(renamed))
    move(source, target)
    assert target.open().load(NORA).profile == renamed


def test_a_closed_store_says_so_to_every_writer(tmp_path: Path) -> None:
    """Encrypting it, or beginning in the place of one that is arriving, is refused too."""
    source, target = a_folder(tmp_path / "source"), in_memory("target")
    lived(source.open())
    move(source, target)
    with pytest.raises(MemoryElsewhere):
        FileStore(tmp_path / "source").encrypt(NORA, None)
    arriving = Folder(tmp_path / "other", NORA)
    arriving.path.mkdir(parents=True)
    arriving.write_note(MoveNote.new().arriving("elsewhere"))
    other: MemoryStore = FileStore(tmp_path / "other")
    with pytest.raises(MemoryElsewhere):
        other.create(NORA, a_profile())
    assert other.scopes() == []


def test_a_note_that_was_changed_is_refused(tmp_path: Path) -> None:
    """Nobody writes where it cannot be known whether they may."""
    source = a_folder(tmp_path / "source")
    lived(source.open())
    note = Folder(tmp_path / "source", NORA).move
    move(source, in_memory("target"))
    note.write_bytes(note.read_bytes().replace(b"moved", b"opens"))
    with pytest.raises(StoreError) as raised:
        say(source.open(), "May I?")
    assert raised.value.key == "move_note_unreadable"
