"""A blocking generator for an event loop, one piece at a time in a thread.

A reply reads files, searches and waits for a model. In the loop itself each of these would
hold up everything else that a bot does, and a cancelled task that left the generator open
would lose what was answered so far.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from threading import Lock
from typing import TypeVar

Piece = TypeVar("Piece")


async def iterate_in_threads(pieces: Generator[Piece, None, None]) -> AsyncGenerator[Piece, None]:
    """Yield the pieces of a generator, each made in a thread; its errors are raised here.

    When this is closed or its task is cancelled, the generator is closed after the piece that
    is being made, and this ends after that.
    """
    # A cancelled task leaves its thread running, and a generator cannot be closed meanwhile.
    lock = Lock()

    def make_next() -> tuple[Piece] | None:
        with lock:
            for piece in pieces:
                return (piece,)
            return None

    def close() -> None:
        with lock:
            pieces.close()

    try:
        while (made := await asyncio.to_thread(make_next)) is not None:
            yield made[0]
    finally:
        await asyncio.shield(asyncio.to_thread(close))
