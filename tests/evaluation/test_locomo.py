"""LoCoMo's form, and evidence recall that can be worked out by hand."""

from datetime import datetime
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import UnreadableFile
from siliconfriend.evaluation.bench import open_bench
from siliconfriend.evaluation.locomo import read_locomo
from siliconfriend.evaluation.measures import evaluate_recall
from tests.evaluation import banks


def test_utterances_come_in_the_order_of_sessions() -> None:
    """By number, not as they lie in the file; a date without a session says nothing."""
    (conversation,) = read_locomo(banks.LOCOMO)
    assert list(conversation.turns) == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2"]
    assert conversation.turns["D1:1"].time == datetime(2023, 5, 8, 13, 56)  # noqa: DTZ001 - no zone in the file
    assert conversation.turns["D2:2"].words == "Bo: Look! [photo: a photo of a kayak]"


def test_figures_are_those_worked_out_by_hand(settings: Settings) -> None:
    """Within 1: 1/2, 1 and 0 of the evidence; within 2: 1, 1 and 0."""
    with open_bench(settings, embedder=banks.embedder()) as bench:
        conversations = read_locomo(banks.LOCOMO)
        (result,) = evaluate_recall(bench, conversations, ["memorybank"], ks=(1, 2))
    assert (result["questions"], result["skipped"]) == (3, 2)
    assert result["recall"] == {"1": 0.5, "2": pytest.approx(2 / 3)}
    assert result["by_category"] == {"1": {"1": 0.5, "2": 1.0}, "4": {"1": 0.5, "2": 0.5}}


@pytest.mark.parametrize("data", [{}, [], [{"qa": []}], "text", None, [{}]])
def test_what_is_not_locomo_is_refused(data: Any) -> None:
    """With a sentence, not a traceback."""
    with pytest.raises(UnreadableFile):
        read_locomo(data)
