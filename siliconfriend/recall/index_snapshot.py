"""A snapshot of an index: all its rows as arrays in one piece of bytes, read in one go.

Without it the first recall of a process would make each row again from the cache, in seconds
for a life of ten years. It is a cache of the cache: whatever does not fit any more, a row with
other words, another embedder, other rules, a byte that changed, is not taken from it. The words
of memories are in it as tokens, so an erasure removes it.
"""

from __future__ import annotations

import io
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import read_array_header_1_0, read_magic
from numpy.typing import NDArray

from siliconfriend.memory.atomic import make_private
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.recall.postings import Postings

SNAPSHOT_FILE = "index.rows.npz"
FORMAT = "2"

_NAME_LENGTH, _HEADER_SIZE = 26, 30
"""Where the length of a member's name stands before it, and how long what stands there is."""

_LONGEST_HEADER = 1 << 12

_DAMAGED = (
    *(OSError, EOFError, ValueError, KeyError, TypeError, SyntaxError, MemoryError),
    *(RuntimeError, zipfile.BadZipFile, struct.error, tokenize.TokenError),
)
"""What reading a file raises of which any byte may be another one."""


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """An index of n rows.

    Attributes:
        ids, digests, keys: of each row its memory, its text and its days, as the index knows them.
        columns: what is known of each row, by name; shape (n,).
        dates, marks: the days that the rows are of, and of each what stood in it.
        zone: the person's time zone.
        spans: of each of m spans of days its row, first and last day; shape (3, m).
        postings: the rows of each token.
        lengths: how many tokens each row has.
        compounds: the tokens that hold a part, by the part.
        vectors: shape (n, dimension); None for words alone.
    """

    ids: Sequence[str]
    digests: Sequence[str]
    keys: Sequence[str]
    columns: Mapping[str, NDArray[Any]]
    dates: Sequence[str]
    marks: Sequence[str]
    zone: str
    spans: NDArray[np.int64]
    postings: Postings
    lengths: NDArray[np.uint32]
    compounds: Mapping[str, Sequence[str]]
    vectors: NDArray[np.float32] | None


def snapshot_stamp(stamps: Mapping[str, str]) -> str:
    """One text of the stamps by which rows were made, and of this form."""
    return "\n".join([FORMAT, *(f"{name} {it}" for name, it in sorted(stamps.items()))])


def dump_snapshot(snapshot: IndexSnapshot, stamp: str) -> bytes:
    """A snapshot as bytes, with its stamp in it."""
    plain = io.BytesIO()
    arrays = _arrays(snapshot) | {"stamp": _bytes(stamp.split("\n"))}
    np.savez(plain, allow_pickle=False, **arrays)
    return plain.getvalue()


def load_snapshot(data: bytes, stamp: str) -> IndexSnapshot | None:
    """The snapshot in some bytes; None where its stamp is another one, or a byte has changed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = packed.infolist()
        held = {it.filename.removesuffix(".npy"): _array(memoryview(data), it) for it in members}
        return _snapshot(held) if _texts(held["stamp"]) == stamp.split("\n") else None
    except _DAMAGED:
        return None


class SnapshotFile:
    """The snapshot of one scope in a file, ``index.rows.npz``; without a folder nothing is kept.

    Args:
        folder: of the scope's caches, or None.
        stamps: by what rules and with which embedder the rows were made.
    """

    def __init__(self, folder: Path | None, stamps: Mapping[str, str]) -> None:
        self._path = None if folder is None else folder / SNAPSHOT_FILE
        self._stamp = snapshot_stamp(stamps)

    def load(self) -> IndexSnapshot | None:
        """The snapshot; None where there is none, or it was made otherwise, or is damaged."""
        if self._path is None or not self._path.exists():
            return None
        try:
            cipher, data = KEYRING.cipher(self._path.parent), self._path.read_bytes()
            return load_snapshot(data if cipher is None else cipher.decrypt(data), self._stamp)
        except (OSError, ValueError):
            return None

    def save(self, snapshot: IndexSnapshot) -> None:
        """Write a snapshot in place of the one before; where that fails there is none."""
        if self._path is None or not self._path.parent.is_dir():
            return
        unfinished = self._path.with_name(f"index.{os.getpid()}.new")
        try:
            make_private(unfinished)
            cipher, data = KEYRING.cipher(self._path.parent), dump_snapshot(snapshot, self._stamp)
            unfinished.write_bytes(data if cipher is None else cipher.encrypt(data))
            unfinished.replace(self._path)
        except OSError:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
                unfinished.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the snapshot; the next recall makes its rows again from the cache.

        Raises:
            OSError: it cannot be removed.
        """
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _arrays(snapshot: IndexSnapshot) -> dict[str, NDArray[Any]]:
    number = {token: at for at, token in enumerate(snapshot.postings.tokens)}
    pairs = [
        (part, number[token])
        for part, tokens in snapshot.compounds.items()
        for token in tokens
        if token in number
    ]
    arrays = {f"column {name}": column for name, column in snapshot.columns.items()} | {
        "ids": _bytes(snapshot.ids),
        "digests": _bytes(snapshot.digests),
        "keys": _bytes(snapshot.keys),
        "dates": _bytes(snapshot.dates),
        "marks": _bytes(snapshot.marks),
        "zone": _bytes([snapshot.zone]),
        "spans": snapshot.spans,
        "tokens": _bytes(snapshot.postings.tokens),
        "starts": snapshot.postings.starts,
        "rows": snapshot.postings.rows,
        "counts": snapshot.postings.counts,
        "lengths": snapshot.lengths,
        "parts": _bytes([part for part, _ in pairs]),
        "wholes": np.array([whole for _, whole in pairs], dtype=np.uint32),
    }
    return arrays if snapshot.vectors is None else arrays | {"vectors": snapshot.vectors}


def _array(data: memoryview, member: zipfile.ZipInfo) -> NDArray[Any]:
    """An array as it lies in the bytes of an ``.npz``.

    NumPy's own reading copies it piece by piece, in four times the time that the rest takes.

    Raises:
        ValueError, struct.error, zipfile.BadZipFile: it is none, or a byte of it has changed.
    """
    name, extra = struct.unpack_from("<2H", data, member.header_offset + _NAME_LENGTH)
    named = member.header_offset + _HEADER_SIZE
    if data[named : named + name] != member.orig_filename.encode():
        raise zipfile.BadZipFile(member.filename)  # no checksum is over the names; they stand twice
    start = named + name + extra
    raw = data[start : start + member.file_size]
    if member.compress_type != zipfile.ZIP_STORED or zlib.crc32(raw) != member.CRC:
        raise zipfile.BadZipFile(member.filename)
    header = io.BytesIO(raw[:_LONGEST_HEADER])
    if read_magic(header) != (1, 0):
        raise ValueError(member.filename)
    shape, is_by_column, kind = read_array_header_1_0(header)
    if is_by_column:
        raise ValueError(member.filename)
    return np.frombuffer(raw[header.tell() :], dtype=kind).reshape(shape)


def _snapshot(held: Mapping[str, NDArray[Any]]) -> IndexSnapshot:
    tokens = _texts(held["tokens"])
    compounds: dict[str, list[str]] = {}
    for part, whole in zip(_texts(held["parts"]), held["wholes"].tolist(), strict=True):
        compounds.setdefault(part, []).append(tokens[whole])
    return IndexSnapshot(
        ids=_texts(held["ids"]),
        digests=_texts(held["digests"]),
        keys=_texts(held["keys"]),
        columns={
            name.removeprefix("column "): held[name] for name in held if name.startswith("column ")
        },
        dates=_texts(held["dates"]),
        marks=_texts(held["marks"]),
        zone="".join(_texts(held["zone"])),
        spans=held["spans"],
        # What an index goes on using is copied: all the bytes of the file would stay in memory for it.
        postings=Postings(tokens, *(held[name].copy() for name in ("starts", "rows", "counts"))),
        lengths=held["lengths"].copy(),
        compounds=compounds,
        vectors=held.get("vectors"),
    )


def _bytes(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Texts without line feeds in one array."""
    return np.frombuffer("\n".join(texts).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _texts(held: NDArray[np.uint8]) -> list[str]:
    joined = held.tobytes().decode("utf-8", "surrogatepass")
    return joined.split("\n") if joined else []
