"""The intent of an erasing: written before it begins, and kept until its proof says 0.

It names whose memory and which ids, and never a word of it. The memory itself goes last:
until then every word to look for is still known, so an erasing that was stopped simply
begins again; what comes after needs no words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from siliconfriend.control.erasure.verification import Proof
from siliconfriend.errors import SiliconFriendError, StoreError
from siliconfriend.memory import atomic
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.jobs import Job, Jobs
from siliconfriend.memory.passing import PREFIX, sweep

ERASE, DELETE = "erase", "delete"
BEGUN, MEMORY_GONE = "begun", "memory gone"
LONGEST_WAIT = 120.0
"""Seconds that an erasing waits for another one."""


@contextmanager
def telling_unfinished(home: Path) -> Iterator[None]:
    """Have an error within the block say that the erasing is not finished, and how it goes on."""
    try:
        with translate_file_errors(home):
            yield
    except SiliconFriendError as error:
        cause = error.details["cause"] if error.key == "store_unwritable" else error
        raise type(error)("erasure_unfinished", cause=cause) from error


def begin(jobs: Jobs, home: Path, kind: str, intent: Mapping[str, Any]) -> Job:
    """Keep the intent of an erasing that begins now.

    Raises:
        StoreError, ConfigurationError: it could not be kept; nothing is begun then.
    """
    try:
        with translate_file_errors(home):
            return jobs.begin(kind, intent)
    except SiliconFriendError as error:
        cause = error.details["cause"] if error.key == "store_unwritable" else error
        raise type(error)("erasure_not_begun", cause=cause) from error


def sweep_everywhere(home: Path) -> None:
    """Remove what processes that died left half-done anywhere in a data directory."""
    for parent in {path.parent for path in home.rglob(f"{PREFIX}*")}:
        sweep(parent)
    for path in home.rglob(f"{PREFIX}????????"):
        if path.is_file():
            path.unlink()  # a half-written backup of a version whose passing files had no owner


def note_places(job: Job, proof: Proof, home: Path, **changes: Any) -> Job:
    """Keep which files still hold something, with their hashes, and how many were read."""
    places = {name: _hash_of(home / name) for name in proof.found_in}
    return job.update(places=places, searched=proof.searched, **changes)


def places_left(job: Job, home: Path) -> Proof:
    """The noted files that are as they were; one that was changed or removed is somebody's act."""
    noted = job.intent.get("places")
    places: Mapping[str, Any] = noted if isinstance(noted, dict) else {}
    left = tuple(
        name
        for name, digest in places.items()
        if digest is not None and _hash_of(home / name) == digest
    )
    searched = job.intent.get("searched")
    return Proof(searched if isinstance(searched, int) else len(places), left)


def end_or_keep(job: Job, proof: Proof, home: Path) -> None:
    """End the job where nothing is left; else keep what is."""
    if proof.found_in:
        note_places(job, proof, home, step=MEMORY_GONE)
    else:
        job.end()


def flush(folder: Path | None) -> None:
    """Make all files of a scope's folder durable, caches that were written anew among them."""
    if folder is None or not folder.is_dir():
        return
    for path in folder.iterdir():
        if path.is_file():
            atomic.flush_file(path)
    atomic.flush_folder(folder)


def _hash_of(path: Path) -> str | None:
    """The SHA-256 of a file; None where there is none, empty where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return ""


def unreadable_intent(job: Job) -> StoreError:
    """The error of an intent that says nothing."""
    return StoreError("job_unreadable", path=job.place)
