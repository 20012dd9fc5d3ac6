"""Find later turns about the matter of a recalled memory.

When a change is told, what it changes is mostly the nearest among all earlier turns. So the successor of
a memory is a later turn whose nearest earlier turn it is, and which is nearer to it, and to the question,
than unrelated turns are. The successor may change or just continue the memory, so callers quote both with
their days and claim nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from siliconfriend.language.message import read_message
from siliconfriend.memory.records import Turn
from siliconfriend.recall.candidate_set import PRIOR_COUNT, CandidateSet
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.scoring import Mask, Numbers
from siliconfriend.recall.similarity import ScoreCalibration

LONGEST = 2
"""Maximum number of turns in a chain."""

CONSIDERED = 8
"""Number of later turns that may be a successor: those nearest to memory and question."""

LEAST_DEVIATIONS = 3.5
"""Minimum sum of a successor's two z-scores: similarity to the memory, and to the question."""

UNRELATED_DEVIATION = 0.11
"""Standard deviation of the calibrated similarities of unrelated turns."""

ROUNDING = 1e-6
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
    chains = dict[str, tuple[Turn, ...]]()
    for at in (places[identifier] for identifier in ids if identifier in places):
        chain, following = list[Turn](), at
        while len(chain) < LONGEST:
            z_scores = _z_scores(candidates, following, calibration) + to_question
            found = _successor(candidates, following, z_scores)
            if found is None:
                break
            following = found
            turn = candidates.memories[found]
            assert isinstance(turn, Turn)
            chain.append(turn)
        if chain:
            chains[candidates.memories[at].id] = tuple(chain)
    return chains


def _z_scores(candidates: CandidateSet, at: int, calibration: ScoreCalibration) -> Numbers:
    """Return the z-score of each candidate's similarity to one, by the sample's mean and deviation.

    With few turns, the similarities of unrelated texts count more than those of the sample.
    """
    vector, is_chinese = candidates.vectors[at], bool(candidates.is_chinese[at])

    def scaled(vectors: Vectors, languages: Mask) -> Numbers:
        return calibration.calibrate(vectors @ vector, languages, asked_in_chinese=is_chinese)

    of_sample = scaled(candidates.sampled_vectors, candidates.sampled_is_chinese)
    own = len(of_sample) / (len(of_sample) + PRIOR_COUNT)
    deviation = own * of_sample.std() + (1 - own) * UNRELATED_DEVIATION
    similarity = scaled(candidates.vectors, candidates.is_chinese)
    scores: Numbers = (similarity - own * of_sample.mean()) / deviation
    return scores


def _successor(candidates: CandidateSet, at: int, scores: Numbers) -> int | None:
    """Return the position of the successor of one candidate, None if there is none."""
    days = candidates.day
    may_follow = candidates.is_turn & (days > days[at]) & (scores >= LEAST_DEVIATIONS)
    later = np.flatnonzero(may_follow)
    for place in later[np.argsort(-scores[later], kind="stable")[:CONSIDERED]].tolist():
        turn = candidates.memories[place]
        if isinstance(turn, Turn) and turn.trace.archived is None:
            tells = read_message(turn.query).tells_something
            if tells and _nearest_before(candidates, place) == at:
                return int(place)
    return None


def _nearest_before(candidates: CandidateSet, at: int) -> int:
    """Return the position of the turn of an earlier day nearest to one; of equals the last."""
    nearness = candidates.vectors @ candidates.vectors[at]
    nearness[~candidates.is_turn | (candidates.day >= candidates.day[at])] = -np.inf
    return int(np.flatnonzero(nearness >= nearness.max() - ROUNDING)[-1])
