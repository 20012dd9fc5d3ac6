"""Learn how likely a memory is what a message calls for, from lives and what is asked of them.

Each thing asked is read as a reply reads it; of what lies near, what holds a key is what was
meant, and nothing is for what has no answer. Weights are found by logistic regression. What is
shown was measured crosswise, each life with weights learned from the others, as a person is met
whom nobody has learned from; what is written is learned from all. Of a single life each half
stands for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siliconfriend.dialogue.likelihood import KINDS, Asked, Kind, Weights, may_be_said
from siliconfriend.dialogue.retrieval import NEAR
from siliconfriend.dialogue.told_words import said_words
from siliconfriend.evaluation.bench import Bench, Told
from siliconfriend.evaluation.life import Life, spread_filler
from siliconfriend.evaluation.life_ask import Ask
from siliconfriend.evaluation.probing import ratio
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.dates import find_dates

PENALTY = 3.0
"""Penalty on the squares of the weights, for signs in standard deviations: there are few examples."""

UNLIKELY = -30.0
"""The log odds of a memory where nothing was learned."""

STEPS = 30
"""Steps of Newton's method, which has converged long before."""

CLAIMED = 1 / 50
"""So many of the questions without an answer may be answered as if they had one."""

MARGIN = 0.65
"""So much of the way from there to certainty an answer must lie above what those reach: they are
few, and others will reach farther."""

LOST = 1 / 200
"""So many of the right answers may be held back because nothing looks like one."""

UNNEEDED = 0.5
"""The cost of a reminder that was not called for, as a share of the worth of one that was."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """One thing asked, with the features of what lies near and which of it was meant.

    Attributes:
        kind: of message, as it is read.
        features: by name of each memory.
        is_meant: of each memory.
        has_answer: there was something to find.
    """

    kind: Kind
    features: Sequence[Mapping[str, float]]
    is_meant: Sequence[bool]
    has_answer: bool


@dataclass(frozen=True, slots=True)
class LikelihoodResult:
    """The results of the weights of a kind of message: a row of the table.

    Attributes:
        kind: of message.
        weights: as learned from all.
        asked, first, said: those with an answer, of which so many have it first, and so many
            first and from ``some`` on.
        nothing, some, sure: those without one, of which so many reach ``some``, and ``sure``.
    """

    kind: Kind
    weights: Weights
    asked: int
    first: int
    said: int
    nothing: int
    some: int
    sure: int

    def to_json(self) -> dict[str, Any]:
        """Serialize it as the command prints it; a share of nothing is null."""
        return {
            "kind": self.kind,
            "asked": self.asked,
            "first": ratio(self.first, self.asked),
            "said": ratio(self.said, self.asked),
            "nothing_to_find": self.nothing,
            "quoted": ratio(self.some, self.nothing),
            "claimed": ratio(self.sure, self.nothing),
            "weights": {"bias": self.weights.bias, **self.weights.signs},
            "cuts": {"some": self.weights.some, "sure": self.weights.sure},
        }


def learn_likelihood(
    bench: Bench, lives: Sequence[tuple[Life, Sequence[Told]]]
) -> tuple[dict[Kind, Weights], list[LikelihoodResult]]:
    """Learn the weights for the bench's embedder.

    Args:
        bench: where the lives are put.
        lives: with the everyday turns to spread between each.

    Returns:
        The weights, and what they reach.
    """
    groups = [
        [*_examples(bench, life, filler, number)] for number, (life, filler) in enumerate(lives)
    ]
    learned: dict[Kind, Weights] = {}
    results = []
    for kind in KINDS:
        own = [[it for it in group if it.kind == kind] for group in groups]
        learned[kind] = learn_weights(kind, [it for group in own for it in group])
        results.append(_result(kind, learned[kind], crosswise(kind, own)))
    return learned, results


def crosswise(
    kind: Kind, groups: Sequence[Sequence[Example]]
) -> list[tuple[Weights, Sequence[Example]]]:
    """Each group of examples with weights learned from the others; of one group its halves."""
    if len(groups) == 1:
        groups = groups[0][::2], groups[0][1::2]
    return [
        (
            learn_weights(kind, [it for other in groups if other is not group for it in other]),
            group,
        )
        for group in groups
    ]


def learn_weights(kind: Kind, examples: Sequence[Example]) -> Weights:
    """The weights that fit some examples of a kind best, with their cuts; of none nothing is likely."""
    if not any(it.features for it in examples):
        return Weights(UNLIKELY, {}, 1.0, 0.0)
    names = sorted({name for it in examples for row in it.features for name in row})
    table = np.array([[row[name] for name in names] for it in examples for row in it.features])
    is_meant = np.array([meant for it in examples for meant in it.is_meant], dtype=np.float64)
    mean, spread = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-6)
    fitted = fit_logistic((table - mean) / spread, is_meant)
    signs = fitted[1:] / spread
    bias = float(fitted[0] - signs @ mean)
    weights = Weights(bias, dict(zip(names, signs.tolist(), strict=True)), 1.0, 0.0)
    return _with_cuts(kind, weights, examples)


def fit_logistic(table: Matrix, is_meant: Matrix) -> Matrix:
    """Bias and weights of a logistic regression with a penalty on the weights.

    By Newton's method (iteratively reweighted least squares).

    Args:
        table: shape (n, signs), each sign with mean 0 and deviation 1.
        is_meant: 0 or 1, shape (n,).
    """
    rows = np.column_stack([np.ones(len(table)), table])
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[0] = 1e-9
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        shares = 1.0 / (1.0 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (shares - is_meant) + penalty * weights
        curve = (rows * (shares * (1 - shares))[:, None]).T @ rows + np.diag(penalty)
        weights = weights - np.linalg.solve(curve, slope)
    return np.asarray(weights)


def _with_cuts(kind: Kind, weights: Weights, examples: Iterable[Example]) -> Weights:
    """The weights with their cuts.

    A question's answer is sure where hardly any without an answer gets as far, and it is held
    back where hardly any right one lies as low. A remark's reminder is said from where on the
    share of those that were meant least exceeds that of those for which nothing was.
    """
    right, wrong = [], []
    for example in examples:
        best, is_right = _best(weights, example)
        if not example.has_answer:
            wrong.append(best)
        elif is_right:
            right.append(best)
    if not right or not wrong:
        return weights
    if kind == "question":
        reached = float(np.quantile(wrong, 1 - CLAIMED))
        sure = reached + MARGIN * (1.0 - reached)
        some = min(sure, float(np.quantile(right, LOST)))
        return Weights(weights.bias, weights.signs, sure, some)
    gained = [
        (np.mean(np.array(right) >= cut) - UNNEEDED * np.mean(np.array(wrong) >= cut), -cut)
        for cut in right
    ]
    some = -max(gained)[1]
    return Weights(weights.bias, weights.signs, some, some)


def _best(weights: Weights, example: Example) -> tuple[float, bool]:
    """The highest likelihood of an example, and whether that memory was meant."""
    found = [
        (weights.likelihood(row), meant)
        for row, meant in zip(example.features, example.is_meant, strict=True)
    ]
    return max(found, default=(0.0, False))


def _result(
    kind: Kind, weights: Weights, crosswise: Sequence[tuple[Weights, Sequence[Example]]]
) -> LikelihoodResult:
    counts = dict.fromkeys(("asked", "first", "said", "nothing", "some", "sure"), 0)
    for learned, examples in crosswise:
        for example in examples:
            best, is_right = _best(learned, example)
            if example.has_answer:
                counts["asked"] += 1
                counts["first"] += is_right
                counts["said"] += is_right and best >= learned.some
            else:
                counts["nothing"] += 1
                counts["some"] += best >= learned.some
                counts["sure"] += best >= learned.sure
    return LikelihoodResult(kind, weights, **counts)


def _examples(bench: Bench, life: Life, filler: Sequence[Told], number: int) -> Iterable[Example]:
    """The examples of a life's questions, each as a reply reads it."""
    scope, _ = bench.import_turns(
        f"{life.user} {number}",
        spread_filler(life.told, filler),
        language=life.language,
        timezone="UTC",
    )
    bench.prepare_embeddings([scope], (ask.words for ask in life.asked))
    for ask in life.asked:
        yield _example(bench, scope, life, ask)


def _example(bench: Bench, scope: Scope, life: Life, ask: Ask) -> Example:
    found = bench.recaller.recall(scope, ask.words, now=life.now, near=NEAR)
    spans = find_dates(ask.words, now=life.now, zone=bench.store.load(scope).profile.zone)
    asked = Asked.of(ask.words, spans, found.answers)
    every = {it.memory.id: it for it in (*found.answers, *found.near, *found.memories)}
    judged = [
        (features, _holds_key(ask, it.memory))
        for it, features in zip(every.values(), asked.features_of(every.values()), strict=True)
        if may_be_said(it)
    ]
    return Example(
        asked.kind,
        [features for features, _ in judged],
        [is_meant for _, is_meant in judged],
        ask.has_answer,
    )


def _holds_key(ask: Ask, memory: Memory) -> bool:
    """True if a memory holds one of the keys, in the person's words or in the reply to them."""
    words = f"{memory.query}\n{memory.response}" if isinstance(memory, Turn) else said_words(memory)
    return any(key in words for key in ask.keys)
