"""What is meant is learned from lives: weights, cuts, and figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from siliconfriend.evaluation.bench import Bench
from siliconfriend.evaluation.life import read_life
from siliconfriend.evaluation.likelihood import (
    Example,
    crosswise,
    fit_logistic,
    learn_likelihood,
    learn_weights,
)
from tests.evaluation import banks


def _example(*standing: float, meant: int | None) -> Example:
    features = [{"standing": it, "telling": 1.0} for it in standing]
    is_meant = [at == meant for at in range(len(standing))]
    return Example("question", features, is_meant, meant is not None)


LEARNED = [
    *(_example(3.0 + at / 10, 1.0, 0.5, meant=0) for at in range(6)),
    *(_example(1.5 - at / 10, 1.0, 0.5, meant=None) for at in range(6)),
]


def test_the_fit_is_that_of_the_odds() -> None:
    """Without a sign the bias is the log odds: of one in four, log(1/3)."""
    table = np.zeros((8, 1))
    fitted = fit_logistic(table, np.array([1.0, 0, 0, 0, 1, 0, 0, 0]))
    assert fitted.tolist() == pytest.approx([np.log(1 / 3), 0.0])


def test_a_sign_that_tells_gets_weight_and_one_that_all_have_gets_none() -> None:
    """And more of it makes a memory likelier."""
    weights = learn_weights("question", LEARNED)
    assert weights.signs["standing"] > 0.5
    assert weights.signs["telling"] == pytest.approx(0.0, abs=1e-6)
    likelihoods = [weights.likelihood({"standing": it}) for it in (1.0, 2.0, 3.0)]
    assert likelihoods == sorted(likelihoods)


def test_hardly_anything_untold_is_sure_and_hardly_anything_told_is_held_back() -> None:
    """Here the two lie apart, so that the cuts part them."""
    weights = learn_weights("question", LEARNED)
    told = [weights.likelihood(it.features[0]) for it in LEARNED if it.has_answer]
    untold = [weights.likelihood(it.features[0]) for it in LEARNED if not it.has_answer]
    assert weights.some <= weights.sure
    assert sum(it > weights.sure for it in untold) <= 1
    assert sum(it < weights.some for it in told) <= 1
    assert float(np.median(told)) > weights.sure


def test_a_life_is_read_as_a_reply_reads_it(bench: Bench) -> None:
    """Questions with an answer and without, each kind of message with figures of its own."""
    ask = [*banks.LIFE["ask"], ["statement", "The kiln is warm.", ["shed", "kiln"]], ["small", "Well, well.", []]]  # fmt: skip
    life = read_life({**banks.LIFE, "ask": ask})
    learned, (question, remark) = learn_likelihood(bench, [(life, ())])
    assert set(learned) == {"question", "remark"}
    assert (question.asked, question.nothing) == (4, 2)
    assert (remark.asked, remark.nothing) == (1, 1)
    assert question.said <= question.first <= question.asked
    assert question.sure <= question.some <= question.nothing
    document = question.to_json()
    assert document["first"] == question.first / 4
    assert set(document["weights"]) == {"bias", *learned["question"].signs}


def test_a_life_is_measured_with_weights_learned_from_the_others() -> None:
    """Else what is shown would be what was learned by heart; of one life its halves are two."""
    near = [_example(3.0, 1.0, meant=0), _example(1.5, 1.0, meant=None)]
    far = [_example(1.0, 3.0, meant=0), _example(1.0, 1.5, meant=None)]
    (of_near, first), (of_far, second) = crosswise("question", [near, far])
    assert (first, second) == (near, far)
    assert of_near.signs["standing"] < 0 < of_far.signs["standing"]
    halves = [measured for _, measured in crosswise("question", [[*near, *far]])]
    assert halves == [[near[0], far[0]], [near[1], far[1]]]
