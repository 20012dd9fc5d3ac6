"""A disk that fails: it is told in words, nothing acknowledged is gone, and it can be gone on with."""

import gc
import logging
import shutil
from functools import partial
from pathlib import Path

import pytest

from siliconfriend.errors import ConfigurationError, SiliconFriendError, StoreError
from siliconfriend.memory.backup import back_up, restore
from siliconfriend.memory.backup_file import verify_backup
from siliconfriend.memory.file_store import FileStore
from tests.control.world import NORA, World
from tests.crash_scenarios import MADE, SCENARIOS, Scenario, settings_of
from tests.faults import CALLS, fail, filled, make_read_only, small_disk, told

KILOBYTE = 1 << 10
OFTEN = "She told me about the beans, the peas and the rain. " * 20


@pytest.mark.slow
@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario.name for scenario in SCENARIOS])
def test_a_call_that_fails_is_told(
    scenario: Scenario, kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An early and a later one of each kind; all of them in ``tests.long.faults``."""
    caplog.set_level(logging.CRITICAL)
    home = tmp_path / "home"
    home.mkdir()
    known = scenario.prepare(home)
    source = home.rename(tmp_path / "source")
    for nth in (1, 8):
        shutil.copytree(source, home)
        outcome = fail(scenario, home, known, kind, nth)
        if outcome.met:
            scenario.check(home, known, outcome.acknowledged)
        shutil.rmtree(home)


def _said(home: Path) -> list[str]:
    return [turn.query for turn in FileStore(home).load(NORA).turns()]


def _talk_until_full(home: Path) -> tuple[list[str], SiliconFriendError]:
    """What was acknowledged before the disk was full, and the error."""
    world = World(FileStore(home), settings_of(home))
    said: list[str] = []
    while len(said) < 1000:
        words = f"{len(said)} {OFTEN}"
        error = told(partial(world.say, words))
        if error is not None:
            return said, error
        said.append(words)
    raise AssertionError("never full")


def test_a_full_disk_costs_what_was_not_acknowledged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The error says so; what was told is there, and with room again one goes on."""
    caplog.set_level(logging.CRITICAL)
    with small_disk(tmp_path / "disk", 400 * KILOBYTE) as disk:
        home = disk / "home"
        with filled(disk, 200 * KILOBYTE):
            said, error = _talk_until_full(home)
            assert len(said) > 10
            assert isinstance(error, StoreError)
            assert "What was remembered before is safe" in error.message("en")
            assert _said(home) == said
        World(FileStore(home), settings_of(home)).say("There is room again.")
        FileStore(home).tidy(NORA)
        assert _said(home) == [*said, "There is room again."]


@pytest.mark.parametrize("left", [0, 4, 12, 24, 40])
def test_a_full_disk_while_backing_up_and_restoring(tmp_path: Path, left: int) -> None:
    """The old stays whole, the backup is not blamed, and nothing half-written is left."""
    with small_disk(tmp_path / "disk", 400 * KILOBYTE) as disk:
        home = disk / "home"
        world = World(FileStore(home), settings_of(home))
        world.say("old")
        kept = tmp_path / "kept.zip"
        back_up(home, kept, now=MADE)
        back_up(home, home / "all.zip", now=MADE)
        world.say("new")
        with filled(disk, left * KILOBYTE):
            error = told(lambda: back_up(home, home / "all.zip", now=MADE))
            assert error is None or error.key == "file_unwritable"
            verify_backup(home / "all.zip")
            error = told(lambda: restore(kept, home, replace=True))
            assert error is None or error.key in ("store_unwritable", "home_unwritable")
            assert _said(home) == (["old"] if error is None else ["old", "new"])
        restore(kept, home, replace=True)
        assert _said(home) == ["old"]
        assert list(disk.rglob(".siliconfriend-*")) == []


def test_a_disk_that_can_only_be_read_is_named(tmp_path: Path) -> None:
    """With the directory and what to do; afterwards everything is there."""
    with small_disk(tmp_path / "disk", 400 * KILOBYTE) as disk:
        home = disk / "home"
        World(FileStore(home), settings_of(home)).say("old")
        gc.collect()  # closes what is open for writing
        make_read_only(disk)
        for act in (
            lambda: World(FileStore(home), settings_of(home)).say("new"),
            lambda: FileStore(home).tidy(NORA),
            lambda: back_up(home, home / "all.zip", now=MADE),
            lambda: World(FileStore(home), settings_of(home)).erase("turn-2026-03-02-0"),
        ):
            error = told(act)
            assert isinstance(error, ConfigurationError | StoreError)
            assert str(home) in error.message("en")
        gc.collect()
        make_read_only(disk, writable=True)
        assert _said(home) == ["old"]
        World(FileStore(home), settings_of(home)).say("new")
        assert _said(home) == ["old", "new"]
