"""A generator in a thread: read from an event loop, ended by whoever leaves."""

import asyncio
from collections.abc import Generator
from contextlib import aclosing

import pytest

from siliconfriend import threads
from siliconfriend.threads import ReplyThread


def _counting(seen: list[str]) -> Generator[str, None, int]:
    """Yield three pieces, each noted when it is made."""
    try:
        for piece in "abc":
            seen.append(piece)
            yield piece
        return 3
    finally:
        seen.append("closed")


def test_pieces_are_made_as_they_are_read_and_the_answer_comes_last() -> None:
    """Nothing runs ahead of its reader."""
    seen: list[str] = []

    async def read() -> int:
        reply = ReplyThread(lambda: _counting(seen))
        await reply.begin()
        assert seen == ["a"]
        assert [piece async for piece in reply.pieces()] == ["a", "b", "c"]
        return reply.answer

    assert asyncio.run(read()) == 3


def test_whoever_leaves_ends_it() -> None:
    """It is closed before they have left."""
    seen: list[str] = []

    async def leave() -> None:
        async with aclosing(ReplyThread(lambda: _counting(seen)).pieces()) as pieces:
            assert await anext(pieces) == "a"

    asyncio.run(leave())
    assert seen == ["a", "closed"]


def test_one_that_nobody_reads_ends_after_a_while() -> None:
    """Its client left before the first piece was sent."""
    seen: list[str] = []

    async def wait() -> None:
        reply = ReplyThread(lambda: _counting(seen), patience=0.01)
        await reply.begin()
        await asyncio.to_thread(reply.join, 10)

    asyncio.run(wait())
    assert seen == ["a", "closed"]


def test_a_silence_yields_empty_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the next word, which is not lost."""
    monkeypatch.setattr(threads, "SILENCE_SECONDS", 0.01)

    async def read() -> list[str]:
        loop, go = asyncio.get_running_loop(), asyncio.Event()

        def slow() -> Generator[str, None, None]:
            asyncio.run_coroutine_threadsafe(go.wait(), loop).result()
            yield "a"

        found = []
        async for piece in ReplyThread(slow).pieces():
            found.append(piece)
            go.set()
        return found

    assert asyncio.run(read()) == ["", "a"]
