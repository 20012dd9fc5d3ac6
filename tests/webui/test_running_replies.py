"""A reply under way: it is heard piece by piece, and stopping it never waits for the model."""

from __future__ import annotations

import threading
from collections.abc import Generator

import pytest

from webui.running_replies import RunningReplies


def drawn(*pieces: str, ended: list[str] | None = None) -> Generator[str, None, None]:
    """A reply that notes in ``ended`` that it was closed."""
    try:
        yield from pieces
    finally:
        if ended is not None:
            ended.append("closed")


def test_all_pieces_come_in_order_and_the_tab_is_free_again() -> None:
    """A reply that nobody stops is read to its end, the first piece by itself."""
    running = RunningReplies()
    pieces = []
    reply = running.start("tab", drawn("a", "b", "c"))
    for piece in reply:
        assert running.is_busy("tab")
        assert not running.is_busy("another tab")
        pieces.append(piece)
    reply.close()
    assert pieces[:2] == ["", "a"]
    assert "".join(pieces) == "abc"
    assert not reply.was_stopped
    assert not running.is_busy("tab")


def test_the_reply_is_begun_before_anything_is_drawn() -> None:
    """An empty piece comes while it is made, whether or not the next one is asked for."""
    begun = threading.Event()

    def stream() -> Generator[str, None, None]:
        begun.set()
        yield "a"

    reply = RunningReplies().start("tab", stream())
    assert next(iter(reply)) == ""
    assert begun.wait(20)
    reply.close()


def test_the_last_piece_comes_while_the_model_is_silent() -> None:
    """Two pieces at once and then nothing: the second is read without a third."""
    may_go_on = threading.Event()

    def stream() -> Generator[str, None, None]:
        yield "first"
        yield " second"
        assert may_go_on.wait(20)

    pieces = iter(RunningReplies().start("tab", stream()))
    assert next(pieces) == ""
    assert next(pieces) == "first"
    assert next(pieces) == " second"
    may_go_on.set()
    assert list(pieces) == []


def test_a_fast_reply_is_drawn_a_few_times() -> None:
    """A thousand pieces that are there at once come in order, in far fewer."""
    pieces = [f"{number} " for number in range(1000)]
    drawings = list(RunningReplies().start("tab", drawn(*pieces)))
    assert "".join(drawings) == "".join(pieces)
    assert len(drawings) < 100


def test_a_silent_model_does_not_hold_up_the_stop() -> None:
    """The reader goes on at once; the stream is closed as soon as the model speaks again."""
    may_go_on, closed = threading.Event(), threading.Event()

    def stream() -> Generator[str, None, None]:
        try:
            yield "first"
            assert may_go_on.wait(20)
            yield "second"
            yield "third"
        finally:
            closed.set()

    running = RunningReplies()
    reply = running.start("tab", stream())
    pieces = iter(reply)
    assert next(pieces) == ""
    assert next(pieces) == "first"
    running.stop("another tab")
    running.stop("tab")
    assert list(pieces) == []
    assert reply.was_stopped
    assert not closed.is_set()
    may_go_on.set()
    assert closed.wait(20)


def test_closing_the_reply_closes_the_stream() -> None:
    """Where a tab is closed the reply ends with what was said so far, and nobody stopped it."""
    ended: list[str] = []
    running = RunningReplies()
    reply = running.start("tab", drawn("a", "b", ended=ended))
    pieces = iter(reply)
    assert next(pieces) == ""
    assert next(pieces) == "a"
    reply.close()
    assert ended == ["closed"]
    assert not reply.was_stopped
    assert not running.is_busy("tab")


def test_what_breaks_the_reply_is_raised_where_it_is_read() -> None:
    """The words before it still come."""

    def stream() -> Generator[str, None, None]:
        yield "a"
        raise ValueError("the line is dead")

    pieces = iter(RunningReplies().start("tab", stream()))
    assert next(pieces) == ""
    assert next(pieces) == "a"
    with pytest.raises(ValueError, match="the line is dead"):
        next(pieces)
