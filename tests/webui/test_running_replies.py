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
    """A reply that nobody stops is heard to its end, the first piece by itself."""
    running = RunningReplies()
    heard = []
    stream = running.pieces("tab", drawn("a", "b", "c"))
    for piece in stream:
        assert running.busy("tab")
        assert not running.busy("another tab")
        heard.append(piece)
    assert heard[:2] == ["", "a"]
    assert "".join(heard) == "abc"
    assert not running.busy("tab")


def test_the_reply_is_begun_before_anything_is_drawn() -> None:
    """An empty piece comes while it is made, whether or not the next one is asked for."""
    begun = threading.Event()

    def reply() -> Generator[str, None, None]:
        begun.set()
        yield "a"

    stream = RunningReplies().pieces("tab", reply())
    assert next(stream) == ""
    assert begun.wait(20)
    stream.close()


def test_the_last_piece_comes_while_the_model_is_silent() -> None:
    """Two pieces at once and then nothing: the second is heard without a third."""
    may_go_on = threading.Event()

    def reply() -> Generator[str, None, None]:
        yield "first"
        yield " second"
        assert may_go_on.wait(20)

    stream = RunningReplies().pieces("tab", reply())
    assert next(stream) == ""
    assert next(stream) == "first"
    assert next(stream) == " second"
    may_go_on.set()
    assert list(stream) == []


def test_a_fast_reply_is_drawn_a_few_times() -> None:
    """A thousand pieces that are there at once come in order, in far fewer."""
    pieces = [f"{number} " for number in range(1000)]
    heard = list(RunningReplies().pieces("tab", drawn(*pieces)))
    assert "".join(heard) == "".join(pieces)
    assert len(heard) < 100


def test_a_silent_model_does_not_hold_up_the_stop() -> None:
    """The listener goes on at once; the reply is closed as soon as the model speaks again."""
    may_go_on, closed = threading.Event(), threading.Event()

    def reply() -> Generator[str, None, None]:
        try:
            yield "first"
            assert may_go_on.wait(20)
            yield "second"
            yield "third"
        finally:
            closed.set()

    running = RunningReplies()
    stream = running.pieces("tab", reply())
    assert next(stream) == ""
    assert next(stream) == "first"
    running.stop("another tab")
    running.stop("tab")
    with pytest.raises(StopIteration) as end:
        next(stream)
    assert end.value.value is True
    assert not closed.is_set()
    may_go_on.set()
    assert closed.wait(20)


def test_closing_the_listener_closes_the_reply() -> None:
    """Where a tab is closed the reply ends with what was said so far."""
    ended: list[str] = []
    running = RunningReplies()
    stream = running.pieces("tab", drawn("a", "b", ended=ended))
    assert next(stream) == ""
    assert next(stream) == "a"
    stream.close()
    assert ended == ["closed"]
    assert not running.busy("tab")


def test_what_breaks_the_reply_is_raised_where_it_is_heard() -> None:
    """The words before it still come."""

    def reply() -> Generator[str, None, None]:
        yield "a"
        raise ValueError("the line is dead")

    running = RunningReplies()
    stream = running.pieces("tab", reply())
    assert next(stream) == ""
    assert next(stream) == "a"
    with pytest.raises(ValueError, match="the line is dead"):
        next(stream)
    assert not running.busy("tab")
