"""A model's reply as it streams: without labels, an echo or a loop, and otherwise as it came."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from siliconfriend.dialogue.reply_stream import clean_reply, whole_sentences
from siliconfriend.errors import AnswerCut

MESSAGE = "I planted a lemon tree."
PREAMBLE = "It is Friday, 13 March 2026, 09:00, and Ada has just written to you:"


def _cleaned(reply: str, size: int, message: str = MESSAGE) -> str:
    return "".join(_pieces(reply, size, message))


def _pieces(reply: str, size: int, message: str = MESSAGE) -> Iterable[str]:
    pieces = (reply[at : at + size] for at in range(0, len(reply), size))
    echoes = (PREAMBLE, message)
    return clean_reply(pieces, companion="Pebble", person="Ada", echoes=echoes, model="small")


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("How lovely!", "How lovely!"),
        ("Pebble: How lovely!", "How lovely!"),
        ("Ada： How lovely!", "How lovely!"),
        ("[2026-03-02] Pebble: How lovely!", "How lovely!"),
        ("[HELP] I am here.", "[HELP] I am here."),
        ("Ada, how lovely!", "Ada, how lovely!"),
        ("How lovely!\nPebble: Water it.", "How lovely!\nWater it."),
        ("How lovely!\nAda: Thanks!\nPebble: Sure.", "How lovely!\n"),
        ("I planted a lemon tree. How lovely!", "How lovely!"),
        ("I planted a lemon tree.", ""),
        (f"{PREAMBLE}\n\nHow lovely!", "How lovely!"),
        (f"{PREAMBLE}\n\n{MESSAGE}\n\nPebble: How lovely!", "How lovely!"),
        ("It is Friday, so water it.", "It is Friday, so water it."),
        ("Pebble:", "Pebble:"),
        ("", ""),
    ],
)
def test_a_reply_is_cleaned_however_it_is_cut(reply: str, shown: str, size: int) -> None:
    """Whatever the pieces, the same words come through."""
    assert _cleaned(reply, size) == shown


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        (
            "It needs sun. It needs a big pot too. It needs a big pot too. It",
            "It needs sun. It needs a big pot too.",
        ),
        (
            "多晒太阳。记得每个星期浇一次水。记得每个星期浇一次水。记得",
            "多晒太阳。记得每个星期浇一次水。",
        ),
        ("Good. " + "and then again " * 20, "Good."),
        ("好的。" + "你喜欢柠檬，" * 30, "好的。"),
    ],
)
def test_a_reply_that_repeats_itself_is_cut(reply: str, kept: str, size: int) -> None:
    """Behind its last whole new sentence, with the error that says so."""
    said, cut = "", None
    try:
        for piece in _pieces(reply, size):
            said += piece
    except AnswerCut as error:
        cut = error
    assert cut is not None
    assert cut.key == "model_repeats"
    assert whole_sentences(said) == kept


@pytest.mark.parametrize(
    "reply",
    ["Ha ha ha. Yes. Yes. You did it!", "哈哈哈哈哈哈，太好了。", "One. Two. One. Two, three."],
)
def test_short_words_may_come_twice(reply: str) -> None:
    """People repeat them, too."""
    assert _cleaned(reply, 2) == reply


def test_the_first_words_are_not_held_back() -> None:
    """A reply shows as soon as it cannot be a label any more."""
    assert next(iter(_pieces("How lovely that is.", 4))) == "How "
