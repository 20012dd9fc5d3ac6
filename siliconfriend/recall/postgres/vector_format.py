"""Vectors as pgvector sends and takes them: two 16-bit numbers, then the floats, all big-endian.

Written as text they would be several times as long, and each would be parsed by itself.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg import Cursor
from psycopg.adapt import Dumper
from psycopg.pq import Format

Vector = NDArray[np.float32]

_HEADER = struct.Struct(">hh")
"""The dimension, and a number that is 0."""


class VectorBytes(bytes):
    """A vector as the database takes it."""


class _VectorDumper(Dumper):
    format = Format.BINARY
    # No type of its own: the statement's cast says what it is, whatever number pgvector got here.
    oid = 0

    def dump(self, obj: VectorBytes) -> bytes:
        return bytes(obj)


def register_vectors(cursor: Cursor[Any]) -> None:
    """Let a cursor take :class:`VectorBytes`."""
    cursor.adapters.register_dumper(VectorBytes, _VectorDumper)


def dump_vector(vector: Vector) -> VectorBytes:
    """A vector as the database takes it."""
    return VectorBytes(_HEADER.pack(len(vector), 0) + vector.astype(">f4").tobytes())


def load_vector(kept: bytes) -> Vector:
    """The vector of a column, shape (dimension,)."""
    return np.frombuffer(kept, dtype=">f4", offset=_HEADER.size).astype(np.float32)


def load_vectors(kept: Collection[bytes], dimension: int) -> Vector:
    """The vectors of a column, all of one dimension; shape (n, dimension)."""
    form = np.dtype([("header", ">i4"), ("floats", ">f4", (dimension,))])
    return np.frombuffer(b"".join(kept), dtype=form)["floats"].astype(np.float32)
