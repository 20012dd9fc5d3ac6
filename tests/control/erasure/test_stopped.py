"""An interrupted erasure or deletion is finished by the next start, or reported.

``test_crashes.py`` interrupts both after many of their steps.
"""

from itertools import product

import pytest

from siliconfriend.control.erasure import erase
from siliconfriend.errors import StoreError
from siliconfriend.installation.installation import installation_in
from siliconfriend.installation.jobs import Jobs
from siliconfriend.memory.file_store import FileStore
from tests.control.erasure.stops import (
    SECRET,
    deleting,
    erasing,
    hiding_places,
    next_start,
    prepare,
    unfinished,
)
from tests.control.world import World


@pytest.mark.parametrize(
    ("what", "fails"),
    [
        *product(("erase", "delete"), ("search_files", "replace_backups")),
        ("erase", "rewrite"),  # the memory is changed, and what quotes it is not
    ],
)
def test_a_disk_that_fails_is_told_and_resumed(
    files: World, monkeypatch: pytest.MonkeyPatch, what: str, fails: str
) -> None:
    """Never "what was remembered before is safe" of an erasing that is not finished."""
    said = prepare(files)

    def failing(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(FileStore if fails == "rewrite" else erase, fails, failing)
    with pytest.raises(StoreError) as raised:
        (erasing(said) if what == "erase" else deleting)(files.home, files.settings)
    assert raised.value.message().startswith("Not finished: the erasure stopped (Input/output")
    assert [job.person for job in unfinished(files.home)] == ["Nora"]
    assert b"parrot" not in (files.home / "installation.sqlite").read_bytes()
    (resumed,) = next_start(files.home, files.settings)
    assert (resumed.error is None, str(resumed.error)[:13]) == (False, "Not finished:")
    ids = (said,) if what == "erase" else ()
    assert (resumed.kind, resumed.person, resumed.ids) == (what, "Nora", ids)
    monkeypatch.undo()
    (resumed,) = next_start(files.home, files.settings)
    assert (resumed.error is None, hiding_places(files.home)) == (True, [])
    assert resumed.proof is not None
    assert resumed.proof.searched > 1


@pytest.mark.parametrize("what", ["erase", "delete"])
def test_without_room_for_the_intent_nothing_is_begun(
    files: World, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    said = prepare(files)

    def full(*_: object) -> None:
        raise StoreError("database_unwritable", path="here", cause="No space left on device")

    monkeypatch.setattr(Jobs, "begin", full)
    with pytest.raises(StoreError) as raised:
        (erasing(said) if what == "erase" else deleting)(files.home, files.settings)
    assert raised.value.message().startswith("Nothing was erased: the erasure could not be started")
    monkeypatch.undo()
    assert next_start(files.home, files.settings) == []
    assert files.turn(said).query == SECRET


def test_a_file_of_ones_own_is_named_after_an_interruption(
    files: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = prepare(files)
    (files.home / "diary.txt").write_text(SECRET, encoding="utf-8")
    monkeypatch.setattr(erase, "replace_backups", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        files.erase(said)
    monkeypatch.undo()
    (resumed,) = next_start(files.home, files.settings)
    assert str(files.home / "diary.txt") in str(resumed.error)
    assert (unfinished(files.home), next_start(files.home, files.settings)) == ([], [])


def test_a_new_person_of_the_same_name_is_not_deleted(files: World) -> None:
    intent = {"person": "Nora", "ids": None, "whole": True, "step": "begun"}
    installation_in(files.home).jobs.begin(
        {**intent, "companions": {"default": "2020-01-01T00:00:00"}}
    )
    said = files.say("Hello.")
    at_work = installation_in(files.home).leases.lease("job")
    assert at_work.take()
    assert next_start(files.home, files.settings) == [], "it is left to its process"
    at_work.give_back()
    (resumed,) = next_start(files.home, files.settings)
    assert (resumed.kind, resumed.error is None) == ("delete", True)
    assert files.turn(said).query == "Hello."


def test_an_intent_that_cannot_be_read_is_shown(files: World) -> None:
    kept = installation_in(files.home)
    job = kept.jobs.begin({})
    kept.tables.change("UPDATE job SET intent = '{torn'")
    (resumed,) = next_start(files.home, files.settings)
    assert resumed.error is not None
    assert job.place in str(resumed.error)
    assert len(unfinished(files.home)) == 1
