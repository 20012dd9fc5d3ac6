"""Let calls of the file system fail, one at a time, and see what is said and what is kept.

The scenarios are those of the power cuts: what holds after a cut must hold after an error,
with the process still there.
"""

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import pytest

from siliconfriend.errors import SiliconFriendError
from tests.crash_scenarios import Scenario
from tests.sqlite_files import watched_sqlite

CALLS: dict[str, tuple[str, ...]] = {
    "fsync": ("fsync",),
    "renaming": ("rename", "replace"),
    "making": ("mkdir", "link"),
    "writing": (),
}
SQLITE_CALLS = {"fsync": ("fsync",), "renaming": ("truncate",), "writing": ("write",)}
"""Calls of SQLite that fail with those of Python."""

CODES = dict.fromkeys(CALLS, errno.EIO) | {"making": errno.ENOSPC, "writing": errno.ENOSPC}
NAMED = (3, 4, 6)
"""Exit codes with which a fault of the disk is told; 6 where it was only some people's night."""


@dataclass(frozen=True)
class Outcome:
    """What came of one fault.

    Attributes:
        error: what was raised; None where the work was done all the same.
        acknowledged: what was told done before.
        met: the fault was met at all.
    """

    error: SiliconFriendError | None
    acknowledged: tuple[str, ...]
    met: bool


def fail(scenario: Scenario, home: Path, known: str, kind: str, nth: int) -> Outcome:
    """Do it while the ``nth`` call of a kind fails, and give what came of it."""
    acknowledged: list[str] = []
    with _failing(home, kind, nth) as met:
        error = told(lambda: scenario.act(home, known, acknowledged.append))
    return Outcome(error, tuple(acknowledged), bool(met))


def told(act: Callable[[], object]) -> SiliconFriendError | None:
    """The error that a person would be told; None where there is none."""
    error: SiliconFriendError | None = None
    try:
        act()
    except SiliconFriendError as raised:
        error = raised
    except OSError as raised:
        msg = f"not translated: {raised!r}"
        raise AssertionError(msg) from raised
    if error is not None:
        assert error.exit_code in NAMED, error
        assert error.message("en"), error
        assert error.message("cn"), error
    return error


@contextmanager
def _failing(home: Path, kind: str, nth: int) -> Iterator[list[int]]:
    met: list[int] = []
    count = 0

    def failing(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*words: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == nth:
                met.append(count)
                name = words[0] if isinstance(words[0], str | Path) else None
                raise OSError(CODES[kind], os.strerror(CODES[kind]), name)
            return call(*words, **named)

        return called

    class Failing:
        def before(self, call: str, path: Path) -> None:
            nonlocal count
            if call not in SQLITE_CALLS.get(kind, ()):
                return
            count += 1
            if count == nth:
                met.append(count)
                raise apsw.FullError if CODES[kind] == errno.ENOSPC else apsw.IOError

        def after(self, call: str, path: Path) -> None:
            pass

    with pytest.MonkeyPatch.context() as patch, watched_sqlite(Failing()):
        for name in CALLS[kind]:
            patch.setattr(os, name, failing(getattr(os, name)))
        yield met


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A file system of so many bytes; skips the test where none can be mounted."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("NOT TESTED: no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def make_read_only(folder: Path, *, writable: bool = False) -> None:
    """Mount a small disk anew as one that can only be read, or can be written again."""
    how = "rw" if writable else "ro"
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)


@contextmanager
def filled(folder: Path, left: int) -> Iterator[None]:
    """Fill a small disk but for so many bytes within the block."""
    ballast = folder / "ballast"
    free = shutil.disk_usage(folder).free
    with ballast.open("wb") as file, suppress(OSError):
        file.write(bytes(max(0, free - left)))
    try:
        yield
    finally:
        ballast.unlink()
