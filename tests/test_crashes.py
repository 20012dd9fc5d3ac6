"""Whatever a power cut leaves, the next start has everything it was told to be done."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory import atomic
from tests.crash_scenarios import SCENARIOS, Scenario, record, replay
from tests.crashes import Recorder, lay

EVERY = {"erase": 170, "delete": 90, "night": 50, "restore": 5, "talk and folding": 2, "import": 3}
"""Behind which steps the power is cut here, where there are many; all in ``tests.long``."""


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS, ids=[it.name for it in SCENARIOS])
def test_a_power_cut_behind_any_step(
    scenario: Scenario, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing acknowledged is gone, nothing is half-done, and it can be gone on with."""
    caplog.set_level(logging.CRITICAL)
    points, known = record(scenario, tmp_path / "home")
    every = EVERY.get(scenario.name, 1)
    steps, states = replay(scenario, points, known, tmp_path / "replayed", every)
    assert steps > 1
    assert states > 1


def _append_and_trust(path: Path, data: bytes, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


@pytest.mark.parametrize("forgotten", ["append", "flush_folder"])
def test_a_flush_that_is_forgotten_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: str
) -> None:
    """The replay is no proof unless it fails where the program does not flush."""
    if forgotten == "append":
        monkeypatch.setattr(atomic, "append", _append_and_trust)
    else:
        monkeypatch.setattr(atomic, "flush_folder", lambda _path: None)
    (talk,) = (it for it in SCENARIOS if it.name == "talk and folding")
    points, known = record(talk, tmp_path / "home")
    with pytest.raises((AssertionError, DamagedMemory)):
        replay(talk, points, known, tmp_path / "replayed")


def _contents(recorder: Recorder) -> set[tuple[tuple[str, bytes | None], ...]]:
    return {tuple(sorted(state.items())) for state in recorder.points[-1].states()}


def test_what_is_not_flushed_may_be_there_or_not(tmp_path: Path) -> None:
    """A new file: not there, empty, whole, half, or zeros."""
    recorder = Recorder(tmp_path)
    with recorder.watched():
        (tmp_path / "a").write_bytes(b"1234")
    found = {dict(it).get("a", b"none") for it in _contents(recorder)}
    assert found == {b"none", b"", b"1234", b"12", b"\0\0\0\0"}


def test_names_change_in_any_order_until_their_folder_is_flushed(tmp_path: Path) -> None:
    """A renaming may come before a removal that was made earlier; it is never half there."""
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(name.encode())
    recorder = Recorder(tmp_path)
    with recorder.watched():
        (tmp_path / "a").unlink()
        (tmp_path / "b").rename(tmp_path / "c")
    assert _contents(recorder) == {
        (("a", b"a"), ("b", b"b")),
        (("b", b"b"),),
        (("a", b"a"), ("c", b"b")),
        (("c", b"b"),),
    }
    with recorder.watched():
        atomic.flush_folder(tmp_path)
    assert _contents(recorder) == {(("c", b"b"),)}


def test_flushed_bytes_stay(tmp_path: Path) -> None:
    """What was flushed before is there whatever is written behind it."""
    recorder = Recorder(tmp_path)
    with recorder.watched():
        atomic.write_whole(tmp_path / "a", b"1234")
        with (tmp_path / "a").open("ab") as file:
            file.write(b"5678")
    found = {dict(it)["a"] for it in _contents(recorder)}
    assert found == {b"1234", b"12345678", b"123456", b"1234\0\0\0\0"}


def test_a_state_is_laid_out_as_it_was(tmp_path: Path) -> None:
    """Folders, files and what is in them."""
    lay({"a": None, "a/b": b"1", "c": b""}, tmp_path / "r")
    assert (tmp_path / "r" / "a" / "b").read_bytes() == b"1"
    assert (tmp_path / "r" / "c").read_bytes() == b""
