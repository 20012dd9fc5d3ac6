"""Find later turns about the matter of a recalled memory.

When a change is told, what it changes is mostly the nearest among all earlier turns. So the successor of
a memory is a later turn whose nearest earlier turn it is, and which is nearer to it than unrelated turns
are; nearness to the question helps. The successor may change or just continue the memory, so callers quote
both with their days and claim nothing.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.message import read_message
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.candidate_set import PRIOR_COUNT, CandidateSet
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.scoring import Mask, Numbers
from siliconfriend.recall.similarity import ScoreCalibration

LONGEST = 2
"""Maximum number of turns in a chain."""

CONSIDERED = 8
"""Number of later turns that may be a successor: those nearest to memory and question."""

LEAST_DEVIATIONS = 2.8
"""Minimum z-score of a successor's similarity to the memory; that to the question is added if it is
above 0."""

UNRELATED_DEVIATION = 0.11
"""Standard deviation of the calibrated similarities of unrelated turns."""

ROUNDING = 1e-5
"""Difference of two inner products that counts as none."""


def find_chains(
    candidates: CandidateSet,
    ids: Iterable[str],
    to_question: Numbers,
    calibration: ScoreCalibration,
) -> dict[str, tuple[Turn, ...]]:
    """Find for memories the successor of each, that one's, and so on, oldest first.

    Args:
        candidates: of the question; without vectors there are no chains.
        ids: the memories; those that are no candidates are left out.
        to_question: z-score of each candidate's similarity to the question, shape (n,).
        calibration: brings the similarities of two turns to a scale where unrelated ones are near 0.
    """
    if not candidates.vectors.shape[1]:
        return {}
    places = {memory.id: at for at, memory in enumerate(candidates.memories)}
    starts = {identifier: places[identifier] for identifier in ids if identifier in places}
    successors, wave = dict[int, int](), set(starts.values())
    for _ in range(LONGEST if wave else 0):
        found = _successors(candidates, sorted(wave), to_question, calibration)
        successors |= found
        wave = set(found.values()) - successors.keys()
    chains = dict[str, tuple[Turn, ...]]()
    for identifier, at in starts.items():
        turns = list[Memory]()
        while len(turns) < LONGEST and at in successors:
            at = successors[at]
            turns.append(candidates.memories[at])
        if turns:
            chains[identifier] = tuple(turn for turn in turns if isinstance(turn, Turn))
    return chains


def _successors(
    candidates: CandidateSet,
    places: Sequence[int],
    to_question: Numbers,
    calibration: ScoreCalibration,
) -> dict[int, int]:
    """Return the positions of the successors of some candidates, by their positions."""
    considered = dict[int, list[int]]()
    for at, similarity in zip(places, _z_scores(candidates, places, calibration), strict=True):
        scores = similarity + np.maximum(to_question, 0.0)
        may_follow = candidates.is_turn & (candidates.day > candidates.day[at])
        later = np.flatnonzero(may_follow & (scores >= LEAST_DEVIATIONS))
        nearest_first = later[np.argsort(-scores[later], kind="stable")[:CONSIDERED]]
        considered[at] = [
            place for place in nearest_first.tolist() if _is_active(candidates, place)
        ]
    nearest_before = _nearest_before(
        candidates, sorted({*chain.from_iterable(considered.values())})
    )
    found = dict[int, int]()
    for at, following in considered.items():
        own = (place for place in following if nearest_before[place] == at)
        # Checked last, since it tokenizes the message.
        telling = (place for place in own if _tells_something(candidates, place))
        if (successor := next(telling, None)) is not None:
            found[at] = successor
    return found


def _is_active(candidates: CandidateSet, at: int) -> bool:
    return candidates.memories[at].trace.archived is None


def _tells_something(candidates: CandidateSet, at: int) -> bool:
    turn = candidates.memories[at]
    return isinstance(turn, Turn) and read_message(turn.query).tells_something


def _z_scores(
    candidates: CandidateSet, places: Sequence[int], calibration: ScoreCalibration
) -> NDArray[np.float32]:
    """Return the z-scores of all n candidates' similarities to k of them; shape (k, n).

    Mean and deviation are those of the sample, without the turn itself. With few turns, the
    similarities of unrelated texts count more.
    """
    own, in_chinese = candidates.vectors[places], candidates.is_chinese[places]

    def similarities(vectors: Vectors, is_chinese: Mask) -> NDArray[np.float32]:
        found = own @ vectors.T
        for asked in np.unique(in_chinese):
            rows = in_chinese == asked
            found[rows] = calibration.calibrate(found[rows], is_chinese, asked_in_chinese=asked)
        return found

    of_sample = similarities(candidates.sampled_vectors, candidates.sampled_is_chinese)
    others = np.ma.masked_greater_equal(of_sample, 1 - ROUNDING)
    count = others.count(axis=1, keepdims=True)
    share = count / (count + PRIOR_COUNT)
    mean = others.mean(axis=1, keepdims=True).filled(0.0)
    deviation = others.std(axis=1, keepdims=True).filled(0.0)
    deviation = share * deviation + (1 - share) * UNRELATED_DEVIATION
    scores: NDArray[np.float32] = (
        similarities(candidates.vectors, candidates.is_chinese) - share * mean
    ) / deviation
    return scores


def _nearest_before(candidates: CandidateSet, places: Sequence[int]) -> dict[int, int]:
    """Return for each of some candidates the turn of an earlier day nearest to it; of equals the last."""
    if not places:
        return {}
    nearness = candidates.vectors[places] @ candidates.vectors.T
    days = candidates.day
    nearness[~candidates.is_turn | (days >= days[places][:, np.newaxis])] = -np.inf
    is_nearest = nearness >= nearness.max(axis=1, keepdims=True) - ROUNDING
    last = len(days) - 1 - np.argmax(is_nearest[:, ::-1], axis=1)
    return dict(zip(places, last.tolist(), strict=True))
