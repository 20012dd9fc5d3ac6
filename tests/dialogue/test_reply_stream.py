"""A model's reply as it streams: without labels, an echo or a loop, and otherwise as it came."""

from collections.abc import Iterable

import pytest

from siliconfriend.dialogue.reply_stream import clean_reply
from siliconfriend.errors import AnswerCut

MESSAGE = "I planted a lemon tree."
PREAMBLE = "It is Friday, 13 March 2026, 09:00. Ada writes:"


def _cleaned(reply: str, size: int, message: str = MESSAGE) -> str:
    return "".join(_pieces(reply, size, message))


def _pieces(reply: str, size: int, message: str = MESSAGE) -> Iterable[str]:
    pieces = (reply[at : at + size] for at in range(0, len(reply), size))
    echoes = (PREAMBLE, message)
    return clean_reply(
        pieces, companion="Pebble", person="Ada", message=message, echoes=echoes, model="small"
    )


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
        ("How lovely!\nPebble: Water it.", "How lovely!\nPebble: Water it."),
        ("Who brings what:\nTom: drinks\nAda: cake\nBob: chips",) * 2,
        ("AI: artificial intelligence",) * 2,
        ("Two stubs:\ndef a():\n    raise X\n\ndef b():\n    raise X\n",) * 2,
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


@pytest.mark.parametrize("size", [1, 4, 100])
@pytest.mark.parametrize(
    "reply", ["Good. " + "and then again " * 90, "好的。" + "你喜欢柠檬，" * 150]
)
def test_a_reply_that_only_repeats_itself_is_cut(reply: str, size: int) -> None:
    """With the error that says so."""
    said: list[str] = []
    with pytest.raises(AnswerCut) as caught:
        said.extend(_pieces(reply, size))
    assert caught.value.key == "model_repeats"
    assert len("".join(said)) < 600


@pytest.mark.parametrize(
    "reply",
    [
        "Ha ha ha. Yes. Yes. You did it!",
        "哈哈哈哈哈哈，太好了。",
        "Row, row, row your boat.\nMerrily, merrily, merrily, merrily,\nRow, row, row your boat.",
        "两只老虎，两只老虎，跑得快，跑得快。",
        "<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n<li>d</li>\n</ul>",
        "end\n" * 6,
        "Monday: run.\nRest and sleep well.\nTuesday: swim.\nRest and sleep well.\n",
    ],
)
def test_refrains_and_code_may_repeat(reply: str) -> None:
    """Songs, markup and plans stay as written."""
    assert _cleaned(reply, 2) == reply


def test_the_first_words_are_not_held_back() -> None:
    """A reply shows as soon as it cannot be a label any more."""
    assert next(iter(_pieces("How lovely that is.", 4))) == "How "
