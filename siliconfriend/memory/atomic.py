"""Write files atomically and durably, readable by their owner alone.

A file is flushed before it is renamed, and its folder after that: a crash leaves the old file or
the new one.
"""

from __future__ import annotations

import os
from pathlib import Path

from siliconfriend.config.loading import flush_folder as flush_folder
from siliconfriend.config.loading import make_folder as make_folder


def write_whole(path: Path, data: bytes, *, is_durable: bool = True) -> None:
    """Put ``data`` in the place of ``path`` in one step; durable on return unless told otherwise.

    Only one writer may be at work on a path: the new file has the same passing name each
    time (``.new``), so that a crash never leaves more than one behind.
    """
    fresh = path.with_name(f"{path.name}.new")
    make_private(fresh)
    with fresh.open("r+b") as file:
        file.truncate()
        file.write(data)
        file.flush()
        if is_durable:
            os.fsync(file.fileno())
    fresh.replace(path)
    if is_durable:
        flush_folder(path.parent)


def flush_file(path: Path) -> None:
    """Flush a file and its folder: what was written last a power cut does not undo."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())
    flush_folder(path.parent)


def make_private(path: Path) -> None:
    """Make the file where there is none; afterwards only its owner can read and write it."""
    path.touch(mode=0o600)
    path.chmod(0o600)
