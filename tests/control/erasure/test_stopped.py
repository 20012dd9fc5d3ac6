"""Erasing and deleting are stopped at any step: the next start finishes them, or says why not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from siliconfriend import MemoryBank, passwords
from siliconfriend.errors import ConfigurationError, StoreError
from siliconfriend.memory import atomic
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.jobs import FOLDER as JOBS
from siliconfriend.memory.jobs import JobFiles
from tests.control.erasure import stops
from tests.control.erasure.stops import SECRET, deleting, erasing, hiding_places, next_start
from tests.control.world import NORA, World
from tests.disk import Disk

SAMPLED = 8
"""Steps of the many that the suite stops at; the long run stops at all of them."""


@pytest.mark.parametrize("power", [False, True], ids=["killed", "power cut"])
@pytest.mark.parametrize("what", ["erase", "delete"])
def test_stopped_at_any_step(files: World, tmp_path: Path, what: str, power: bool) -> None:
    """Nothing of the words is in any file once the next program has started."""
    said = stops.prepare(files)
    act = erasing(said) if what == "erase" else deleting
    source = tmp_path / "source"
    files.home.rename(source)
    shutil.copytree(source, files.home)
    steps = stops.stop(act, files.home, files.settings, None, power=power)
    assert hiding_places(files.home) == []
    shutil.rmtree(files.home)
    finished = [
        stops.check(act, source, files.settings, step, power=power)
        for step in range(1, steps, max(1, steps // SAMPLED))
    ]
    assert finished.count(True) > len(finished) // 2


def test_the_intent_holds_ids_and_no_words(files: World) -> None:
    """It is written and synced before anything is touched."""
    said = stops.prepare(files)
    step = 0
    while not JobFiles(files.home).unfinished():
        stops.stop(erasing(said), files.home, files.settings, step, power=True)
        step += 1
    (job,) = JobFiles(files.home).unfinished()
    assert (job.intent["ids"], job.intent["person"]) == ([said], "Nora")
    assert "parrot" not in Path(job.place).read_text(encoding="utf-8")
    assert files.turn(said).query == SECRET
    (taken,) = next_start(files.home, files.settings)
    assert (taken.is_finished, hiding_places(files.home)) == (True, [])


def test_a_bank_opened_next_finishes_it(files: World) -> None:
    """A program of one's own, the page and the servers carry on as a command does."""
    said = stops.prepare(files)
    step = 0
    while not JobFiles(files.home).unfinished():
        stops.stop(erasing(said), files.home, files.settings, step, power=True)
        step += 1
    with MemoryBank(settings=files.settings):
        assert JobFiles(files.home).unfinished() == []
    assert hiding_places(files.home) == []


def test_it_is_told_done_when_every_folder_is_flushed(files: World) -> None:
    """A power cut a moment later brings nothing back."""
    said = stops.prepare(files)
    disk = Disk(files.home)
    disk.flush_all()
    with disk.watched():
        files.erase(said)
    assert disk.unflushed_folders() == set()
    disk.cut_power()
    assert hiding_places(files.home) == []
    assert [turn.query for turn in FileStore(files.home).load(NORA).turns()] == ["It rained."]


def test_a_disk_that_fails_is_told_and_taken_up(
    files: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never "what was remembered before is safe" of an erasing that is not finished."""
    said = stops.prepare(files)
    write = atomic.write_whole

    def failing(path: Path, data: bytes) -> None:
        if path.name == "mine.json":
            raise OSError(5, "Input/output error")
        write(path, data)

    monkeypatch.setattr(atomic, "write_whole", failing)
    with pytest.raises(StoreError) as raised:
        files.erase(said)
    assert raised.value.message().startswith("Not finished: the erasing stopped (Input/output")
    assert raised.value.message("cn").startswith("还没有完成：抹去停在了半路（读写磁盘时出错）")
    (taken,) = next_start(files.home, files.settings)
    assert (taken.is_finished, str(taken.error)[:13]) == (False, "Not finished:")
    monkeypatch.undo()
    (taken,) = next_start(files.home, files.settings)
    assert (taken.is_finished, hiding_places(files.home)) == (True, [])


@pytest.mark.parametrize("failing", ["write_whole", "flush_folder"])
@pytest.mark.parametrize("what", ["erase", "delete"])
def test_without_room_for_the_intent_nothing_is_begun(
    files: World, monkeypatch: pytest.MonkeyPatch, what: str, failing: str
) -> None:
    """Nobody is told that it goes on by itself, and it does not."""
    said = stops.prepare(files)
    act = erasing(said) if what == "erase" else deleting
    work = getattr(atomic, failing)

    def full(path: Path, *rest: bytes) -> None:
        if JOBS in (path.name, path.parent.name):
            raise OSError(28, "No space left on device")
        work(path, *rest)

    monkeypatch.setattr(atomic, failing, full)
    with pytest.raises(StoreError) as raised:
        act(files.home, files.settings)
    assert raised.value.message().startswith("Nothing was erased: the erasing could not be begun")
    assert raised.value.message("cn").startswith("什么也没有抹去")
    monkeypatch.undo()
    assert next_start(files.home, files.settings) == []
    assert files.turn(said).query == SECRET


def test_passwords_that_cannot_be_read_stop_a_deletion_until_they_are_mended(
    files: World,
) -> None:
    """The person is still known, so the same command does it; no hash stays behind."""
    stops.prepare(files)
    path = files.home / passwords.FILE_NAME
    whole = path.read_text(encoding="utf-8")
    path.write_text("{torn", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="Not finished"):
        deleting(files.home, files.settings)
    path.write_text(whole, encoding="utf-8")
    deleting(files.home, files.settings)
    assert json.loads(path.read_text(encoding="utf-8"))["users"] == {}
    assert hiding_places(files.home) == []
    assert all(it.is_finished for it in next_start(files.home, files.settings))


def test_words_in_a_file_of_ones_own_keep_it_unfinished(files: World) -> None:
    """It is shown until the file is changed or gone, and nothing else is done again."""
    said = stops.prepare(files)
    (files.home / "diary.txt").write_text(SECRET, encoding="utf-8")
    assert files.erase(said).places == ("diary.txt",)
    for _ in range(2):
        (taken,) = next_start(files.home, files.settings)
        assert taken.proof is not None
        assert (taken.is_finished, taken.proof.found_in) == (False, ("diary.txt",))
    (files.home / "diary.txt").unlink()
    assert [it.is_finished for it in next_start(files.home, files.settings)] == [True]
    assert JobFiles(files.home).unfinished() == []


def test_a_new_person_of_the_same_name_is_not_deleted(files: World) -> None:
    """A deletion that was stopped at its very end is about the memory that was."""
    intent = {"person": "Nora", "whole": True, "step": "begun"}
    JobFiles(files.home).begin(
        "delete", {**intent, "companions": {"default": "2020-01-01T00:00:00"}}
    )
    said = files.say("Hello.")
    assert [it.is_finished for it in next_start(files.home, files.settings)] == [True]
    assert files.turn(said).query == "Hello."


def test_an_intent_that_cannot_be_read_is_shown(files: World) -> None:
    """Nobody knows what it was about, so it is never taken for done."""
    job = JobFiles(files.home).begin("erase", {})
    Path(job.place).write_text("{torn", encoding="utf-8")
    (taken,) = next_start(files.home, files.settings)
    assert taken.error is not None
    assert job.place in str(taken.error)
    assert len(JobFiles(files.home).unfinished()) == 1
