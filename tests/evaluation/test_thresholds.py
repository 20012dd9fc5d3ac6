"""Thresholds are learned on one half and measured on the other; figures worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.evaluation.bench import Bench
from siliconfriend.evaluation.datasets import read_questions
from siliconfriend.evaluation.talk import read_talks
from siliconfriend.evaluation.thresholds import Evidence, ThresholdResult, learn_thresholds
from siliconfriend.recall.relevance_threshold import RelevanceThreshold
from siliconfriend.recall.thresholds import family_threshold
from tests.evaluation import banks


def _learn(bench: Bench, folder: Path) -> tuple[RelevanceThreshold, list[ThresholdResult]]:
    people = [bench.import_bank(banks.BANK)]
    questions = [read_questions(banks.write(folder)[1])]
    return learn_thresholds(bench, people, questions, [read_talks(banks.TALKS)])


def test_kept_and_refused_are_shares_of_their_own_side() -> None:
    """What reaches the cut is kept; somebody else's memory is refused where the best lies below."""
    result = ThresholdResult(
        "question", "english", 0.5, Evidence([0.5, 0.4, 0.9], [0.5, 0.3]), Evidence()
    )
    assert result.kept(result.learned) == pytest.approx(2 / 3)
    assert result.refused(result.learned) == 0.5
    assert result.kept(result.measured) is None
    document = result.to_json()
    assert document["measured"] == {"kept": None, "refused": None}
    assert (document["kind"], document["pair"], document["cut"]) == ("question", "english", 0.5)


def test_each_half_has_its_own_people_and_talks(bench: Bench, tmp_path: Path) -> None:
    """Ada's questions are learned from, Bo's measured; each is asked of the other one too."""
    _, results = _learn(bench, tmp_path)
    english = {row.kind: row for row in results if row.pair == "english"}
    asked = english["question"]
    # Ada has four questions with evidence in the bank, Bo one.
    assert (len(asked.learned.own), len(asked.learned.foreign)) == (4, 4)
    assert (len(asked.measured.own), len(asked.measured.foreign)) == (1, 1)
    assert asked.kept(asked.learned) == 1.0
    remark = english["remark"]
    assert remark.learned.own
    # Ada's memories, and those of both people of the bank, for each reading of a talk.
    assert len(remark.learned.foreign) % 2 == 0


def test_a_cut_lies_a_little_below_the_lowest_question(bench: Bench, tmp_path: Path) -> None:
    """A fifth of the way from the median to the lowest, in hundredths."""
    threshold, results = _learn(bench, tmp_path)
    (row,) = (row for row in results if (row.kind, row.pair) == ("question", "english"))
    own = sorted(row.learned.own)
    median = (own[1] + own[2]) / 2
    assert threshold.question.english == round(own[0] - 0.2 * (median - own[0]), 2)


def test_a_pair_that_no_file_is_about_keeps_its_familys_number(
    bench: Bench, tmp_path: Path
) -> None:
    """Nothing here is Chinese; nor has any message a usual vector there."""
    threshold, _ = _learn(bench, tmp_path)
    assert bench.runtime.embedder is not None
    family = family_threshold(bench.runtime.embedder)
    assert threshold.question.chinese == family.question.chinese
    assert threshold.remark.across == family.remark.across
    assert threshold.question.few == family.question.few
    assert not threshold.usual["cn"].any()
    assert threshold.usual["en"].any()
