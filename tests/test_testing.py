"""The public fakes: strict where the real parts are, and easy to work out by eye."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from siliconfriend.errors import ModelUnavailable, UnusableAnswer
from siliconfriend.models.base import Message
from siliconfriend.testing import MovingClock, ScriptedChatModel, WordEmbedder

ASKED = [Message("user", "Hello you")]


def test_answers_come_in_order_and_calls_are_kept() -> None:
    """Each call gets the next answer, and the messages it was given can be read afterwards."""
    model = ScriptedChatModel(["one fine day"])
    model.enqueue("two", {"mood": "glad"})
    assert list(model.stream(ASKED)) == ["one ", "fine ", "day"]
    answer = model.complete(ASKED)
    assert (answer.text, answer.input_tokens, answer.output_tokens) == ("two", 2, 1)
    assert model.complete(ASKED, {"type": "object"}).data == {"mood": "glad"}
    assert model.calls == [ASKED, ASKED, ASKED]
    assert model.schemas == [None, None, {"type": "object"}]


def test_a_stream_can_break_off() -> None:
    """An error among the pieces is raised after the pieces before it."""
    model = ScriptedChatModel([["Well, ", ModelUnavailable("model_empty", name="x"), "never"]])
    heard = []
    with pytest.raises(ModelUnavailable):
        heard.extend(piece for piece in model.stream(ASKED))
    stream = ScriptedChatModel([["Well, ", OSError("cut")]]).stream(ASKED)
    assert next(stream) == "Well, "
    with pytest.raises(OSError, match="cut"):
        next(stream)


def test_running_out_is_loud() -> None:
    """A call nobody wrote an answer for fails the test that made it."""
    with pytest.raises(AssertionError, match="call 1"):
        ScriptedChatModel().complete(ASKED)


def test_otherwise_answers_what_is_left() -> None:
    """A function can answer any number of further calls from what they ask."""
    model = ScriptedChatModel(["first"], otherwise=lambda messages: messages[-1].content.upper())
    assert model.complete(ASKED).text == "first"
    assert model.complete(ASKED).text == "HELLO YOU"


@pytest.mark.parametrize("answer", ["", "  \n", "no json"])
def test_a_bad_answer_raises_as_a_real_one_does(answer: str) -> None:
    """Nothing, and no JSON where a schema was given, are errors and never text."""
    with pytest.raises(UnusableAnswer):
        ScriptedChatModel([answer]).complete(ASKED, {"type": "object"})


def test_vectors_can_be_worked_out_by_eye() -> None:
    """A word is an axis; the cosine of texts of 2 and 2 words sharing 1 is 1/2."""
    embedder = WordEmbedder(["red", "blue", "green"])
    one, two, none = embedder.passages(["Red, blue!", "blue green", "yellow"])
    assert one == pytest.approx([2**-0.5, 2**-0.5, 0])
    assert one @ two == pytest.approx(0.5)
    assert not none.any()
    assert np.isfinite(none).all()
    assert embedder.embedded == ["Red, blue!", "blue green", "yellow"]


def test_new_words_take_the_next_axis() -> None:
    """Without a vocabulary, axes go by first sight, and a Chinese character is a word."""
    embedder = WordEmbedder(dimension=3)
    assert embedder.queries(["小明"])[0] == pytest.approx([2**-0.5, 2**-0.5, 0])
    assert embedder.queries(["明"])[0] == pytest.approx([0, 1, 0])
    with pytest.raises(AssertionError, match="no axis left"):
        embedder.queries(["three more words"])
    assert WordEmbedder().revision != WordEmbedder().revision
    assert WordEmbedder(["a"]).revision == WordEmbedder(["a"]).revision


def test_the_clock_moves_only_when_told() -> None:
    """It stands, goes on, goes back, and reads a bare time in the zone it is asked for."""
    clock = MovingClock("2026-03-14T09:00")
    shanghai = ZoneInfo("Asia/Shanghai")
    assert clock.now(shanghai) == datetime(2026, 3, 14, 1, tzinfo=UTC)
    clock.move(days=1, hours=-2)
    assert clock.now(shanghai) == datetime(2026, 3, 14, 23, tzinfo=UTC)
    clock.set("2026-03-01T00:00+00:00")
    assert clock.now(shanghai) == datetime(2026, 3, 1, tzinfo=UTC)
