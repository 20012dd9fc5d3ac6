"""The public fakes: strict where the real parts are, and easy to work out by eye."""

from __future__ import annotations

import pytest

from siliconfriend.errors import ModelUnavailable, UnusableAnswer
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel, WordEmbedder

ASKED = [Message("user", "Hello you")]


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


@pytest.mark.parametrize("answer", ["", "  \n", "no json"])
def test_a_bad_answer_raises_as_a_real_one_does(answer: str) -> None:
    """Nothing, and no JSON where a schema was given, are errors and never text."""
    with pytest.raises(UnusableAnswer):
        ScriptedChatModel([answer]).complete(ASKED, {"type": "object"})


def test_new_words_take_the_next_axis() -> None:
    """Without a vocabulary, axes go by first sight, and a Chinese character is a word."""
    embedder = WordEmbedder(dimension=3)
    assert embedder.queries(["小明"])[0] == pytest.approx([2**-0.5, 2**-0.5, 0])
    assert embedder.queries(["明"])[0] == pytest.approx([0, 1, 0])
    with pytest.raises(AssertionError, match="no axis left"):
        embedder.queries(["three more words"])
    assert WordEmbedder().revision != WordEmbedder().revision
    assert WordEmbedder(["a"]).revision == WordEmbedder(["a"]).revision
