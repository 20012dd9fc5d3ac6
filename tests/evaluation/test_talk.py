"""Talks: their form, the dialogue they become, and recall that can be worked out by hand."""

from copy import deepcopy
from typing import Any

import pytest

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.errors import UnreadableFile
from siliconfriend.evaluation.bench import Bench
from siliconfriend.evaluation.measures import evaluate_recall
from siliconfriend.evaluation.table import Row
from siliconfriend.evaluation.talk import read_talks
from tests.evaluation import banks


def _results(bench: Bench, data: Any, *recipes: str, **options: Any) -> list[Row]:
    return evaluate_recall(bench, [read_talks(data)], recipes, **options)


def _changed(**keys: Any) -> dict[str, Any]:
    return deepcopy(banks.TALKS) | keys


def test_figures_are_those_worked_out_by_hand(bench: Bench) -> None:
    """Of "kiln" 1/2 within 1 and all within 2; of "harbour" all; of "brush" none, of "kayak" all."""
    (result,) = _results(bench, banks.TALKS, "memorybank", ks=(1, 2))
    assert (result["recipe"], result["lang"]) == ("memorybank", "en")
    assert (result["questions"], result["skipped"]) == (4, 2)
    assert result["recall"] == {"1": 2.5 / 4, "2": 3 / 4}
    assert result["hit"] == {"1": 3 / 4, "2": 3 / 4}


def test_the_talk_is_the_live_dialogue() -> None:
    """In pairs; the message is the person's last, and what follows it stands in the talk."""
    turns = [("companion", "a"), ("person", "b"), ("person", "c"), ("companion", "d")]
    turns += [("companion", "e"), ("person", "f"), ("companion", "g")]
    talks = [{"turns": [{"who": who, "text": text} for who, text in turns], "relevant": ["m1"]}]
    (talk,) = read_talks(_changed(talks=talks)).questions
    assert talk.text == "f"
    assert talk.talk == (
        Exchange("", "a"),
        Exchange("b", ""),
        Exchange("c", "d"),
        Exchange("", "e"),
        Exchange("", "g"),
    )


def test_a_short_message_is_read_with_what_the_companion_said(bench: Bench) -> None:
    """The harbour comes to mind with "And?" only where the companion has just spoken of it."""
    data = _changed(
        talks=[
            _talk(["m3"], person="brush", companion="The harbour?", then="And?"),
            _talk(["m3"], person="harbour", companion="I see.", then="And?"),
        ]
    )
    (result,) = _results(bench, data, "siliconfriend", ks=(1,))
    assert result["recall"] == {"1": 0.5}


@pytest.mark.parametrize(
    "data",
    [
        *({}, [], None, "text", [1]),
        _changed(lang="fr"),
        _changed(memories=[{"id": "m1", "date": "9999-12-31", "text": "kiln"}]),
        _changed(memories=[{"id": "m1", "date": "2026-01-05", "text": " "}]),
        _changed(talks=[]),
        _changed(talks=[{"turns": [{"who": "narrator", "text": "kiln"}], "relevant": ["m1"]}]),
        _changed(talks=[{"turns": [{"who": "person"}], "relevant": ["m1"]}]),
    ],
)
def test_what_holds_no_talks_is_refused(data: Any) -> None:
    """With a sentence, not a traceback."""
    with pytest.raises(UnreadableFile):
        read_talks(data)


def _talk(relevant: list[Any], **said: str) -> dict[str, Any]:
    """A talk of one to three turns; ``then`` is the person's second."""
    who = {"then": "person"}
    turns = [{"who": who.get(name, name), "text": words} for name, words in said.items()]
    return {"turns": turns, "relevant": relevant}
