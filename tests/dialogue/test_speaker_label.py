"""The name that a small model puts before its reply, as the memories of its prompt have it."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import pytest

from siliconfriend.dialogue.speaker_label import without_speaker

NAMES = ("Robin", "李雪")


def _stream(pieces: Sequence[str], closed: list[bool]) -> Generator[str, None, None]:
    try:
        yield from pieces
    finally:
        closed.append(True)


def _said(*pieces: str) -> list[str]:
    return list(without_speaker(_stream(pieces, []), NAMES))


@pytest.mark.parametrize(
    "pieces",
    [
        ["Robin: I am well."],
        ["Rob", "in", ":", " ", "I am", " well."],
        ["\n", "李雪", "：I am well."],
        ["李", "雪 : ", "I am well."],
    ],
)
def test_a_name_before_the_words_is_left_out(pieces: list[str]) -> None:
    """Either name, with either colon, however the pieces fall."""
    assert "".join(_said(*pieces)) == "I am well."


@pytest.mark.parametrize(
    "pieces",
    [
        ["Robins sing: early."],
        ["Rob", "bers: beware."],
        ["Robin is here: look."],
        ["Note: I am Robin: yes."],
        ["Robin"],
        ["Robin:"],
        [" "],
        [],
    ],
)
def test_other_words_stay_as_they_are(pieces: list[str]) -> None:
    """Also a reply that is a name alone: nothing is never an answer."""
    assert "".join(_said(*pieces)) == "".join(pieces)


def test_no_more_is_held_back_than_may_become_a_name() -> None:
    """The first word of any other reply is passed on as it comes."""
    assert _said("I ", "am ", "well.") == ["I ", "am ", "well."]
    assert _said("Robin", ": I ", "am ", "well.") == ["I ", "am ", "well."]


def test_stopping_closes_the_stream_of_the_model() -> None:
    """Whether it was stopped at its first piece or later."""
    for wanted in (1, 2):
        closed: list[bool] = []
        pieces = without_speaker(_stream(["Robin: I ", "am ", "well."], closed), NAMES)
        for _ in range(wanted):
            next(pieces)
        pieces.close()
        assert closed == [True]
