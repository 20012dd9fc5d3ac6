"""Signs: what speaks for a memory being the one a message calls for, before any of it is weighed.

Ranking compares memories with each other, so its best always looks good. Whether a memory is
said, as the answer to a question or as what a remark brings to mind, is decided by numbers that
mean the same for every person and message: how far it stands out of all that is remembered, how
much it shares, how unlike all others it is. What each of them counts is learned, and not set here
(:mod:`siliconfriend.dialogue.likelihood`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from siliconfriend.recall.candidate_set import CandidateSet, Mask, Numbers
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.rareness import Rareness
from siliconfriend.recall.relevance_threshold import RelevanceThreshold
from siliconfriend.recall.score_calibration import ScoreCalibration

CROWD = 10
"""So many memories nearest to a memory make its crowd."""

MOST_COMPARED = 400
"""Candidates that a memory's crowd is looked for among; all of a small memory."""

MOST_OF_DAYS = 40
"""So many memories of the days that a message names are judged, however little of it they share."""

CLOSE = 0.01
"""What a standard deviation of nearness counts beside being of these days: it settles ties."""

KNOWN = 20
"""What is known of an embedder counts as much as so many memories."""

USUAL_RARENESS = 0.75
"""How rare the words of a memory usually are; of few memories each would have nothing but rare ones."""

SPREADS = 6.0
"""So many standard deviations lie between texts that have nothing to do with each other and texts
that say the same, with E5 and with MiniLM."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for one memory.

    Attributes:
        standing: standard deviations of its cosine with the message above the mean over all
            that is remembered; 0 without an embedder.
        touch: the same of a remark in its conversation; for a question as ``standing``.
        crowd: how near the memories most like it are, in standard deviations above the mean of
            the candidates: talk that was had many times lies near to everything.
        words: what the words it shares with the message tell, in words that stand in no other
            memory.
        related: the same of words that stand for those of the message.
        situation: the same of words of the same everyday situations.
        coverage: the share of what was asked that it holds, by how much each word tells.
        rareness: how rare its own words are among all that is remembered, 0 to 1.
        date: how much it is of the days that the message names.
        is_named: it has a name that the message names.
        asked_rareness: how rare the words of the message are, on the mean, 0 to 1.
        asked_rarest: how rare the rarest of them is.
    """

    standing: float
    touch: float
    crowd: float
    words: float
    related: float
    situation: float
    coverage: float
    rareness: float
    date: float
    is_named: bool
    asked_rareness: float
    asked_rarest: float


@dataclass(frozen=True, slots=True)
class Usual:
    """Mean and spread of the cosines of texts that have nothing to do with each other.

    Of few memories their own say next to nothing: the only one lies at its own mean.

    Attributes:
        mean, spread: of an embedder, in the language of the message.
        is_centred: what all messages have in common is taken off a remark.
    """

    mean: float
    spread: float
    is_centred: bool

    @classmethod
    def of(
        cls, calibration: ScoreCalibration, threshold: RelevanceThreshold, *, in_chinese: bool
    ) -> Usual:
        """Those of an embedder."""
        known = calibration.chinese if in_chinese else calibration.english
        spread = (known.same - known.unrelated) / SPREADS
        return cls(known.unrelated, spread, bool(threshold.usual))

    def of_talk(self) -> Usual:
        """Those of a remark in its conversation."""
        return replace(self, mean=0.0) if self.is_centred else self

    def standing(self, cosines: Numbers, mean: float, spread: float, size: int) -> Numbers:
        """How many standard deviations each cosine stands above the mean; zeros without any.

        Args:
            cosines: of some memories.
            mean: of all there are.
            spread: of all there are.
            size: how many these are.
        """
        if not cosines.any():
            return np.zeros(len(cosines))
        own = size / (size + KNOWN)
        middle = own * mean + (1 - own) * self.mean
        return (cosines - middle) / (own * spread + (1 - own) * self.spread)


class SignReader:
    """Reads the signs of the candidates of one recall; hold the index's lock."""

    def __init__(
        self,
        rareness: Rareness,
        candidates: CandidateSet,
        cue: Cue,
        held: Numbers,
        usual: Usual,
    ) -> None:
        self._told = rareness
        self._candidates, self._held = candidates, held
        self._one = max(self._told.idf_at(1), 1e-9)
        size = candidates.told
        self._own = size / (size + KNOWN)
        self._standing = usual.standing(
            candidates.dense, candidates.dense_mean, candidates.dense_spread, size
        )
        self._touch = self._standing
        if candidates.talk is not None:
            self._touch = usual.of_talk().standing(
                candidates.talk, candidates.talk_mean, candidates.talk_spread, size
            )
        self._crowds = _Crowds(candidates)
        rarities = [self._told.of_token(token) for token in cue.search_tokens]
        self._asked = (0.0, 0.0)
        if rarities:
            self._asked = self._rare(float(np.mean(rarities))), self._rare(max(rarities))

    def likeliest(self, count: int, is_eligible: Mask) -> list[int]:
        """The eligible positions that stand out most by meaning or by words, in no order.

        What is farther than usual and shares no word is none of them.
        """
        candidates = self._candidates
        by_words = candidates.lexical + 2 * candidates.related + candidates.situation
        found = self._standing + self._touch + by_words / self._one
        eligible = np.flatnonzero(is_eligible & (found > 0))
        if len(eligible) <= count:
            return [int(at) for at in eligible]
        nearest = np.argpartition(-found[eligible], count)[:count]
        return [int(at) for at in eligible[nearest]]

    def of_days(self, is_eligible: Mask) -> list[int]:
        """The eligible positions of the days that the message names, in no order.

        What was told then may answer without a word of the question, and then nothing but what
        it tells sets it apart. Of more than :data:`MOST_OF_DAYS` those that are most of these days.
        """
        match = self._candidates.date_match
        eligible = np.flatnonzero(is_eligible & (match > 0))
        if len(eligible) > MOST_OF_DAYS:
            nearest = match[eligible] + CLOSE * self._standing[eligible]
            eligible = eligible[np.argpartition(-nearest, MOST_OF_DAYS)[:MOST_OF_DAYS]]
        return [int(at) for at in eligible]

    def of(self, positions: Sequence[int]) -> list[Signs]:
        """The signs of the candidates at some positions."""
        candidates, crowds = self._candidates, self._crowds.of(positions)
        return [
            Signs(
                standing=float(self._standing[at]),
                touch=float(self._touch[at]),
                crowd=float(crowd),
                words=float(candidates.lexical[at]) / self._one,
                related=float(candidates.related[at]) / self._one,
                situation=float(candidates.situation[at]) / self._one,
                coverage=float(self._held[at]),
                rareness=self._rare(self._told.of(candidates.memories[at])),
                date=float(candidates.date_match[at]),
                is_named=bool(candidates.is_named[at]),
                asked_rareness=self._asked[0],
                asked_rarest=self._asked[1],
            )
            for at, crowd in zip(positions, crowds, strict=True)
        ]

    def _rare(self, share: float) -> float:
        """How rare words are, where few memories say next to nothing about it."""
        return self._own * share + (1 - self._own) * USUAL_RARENESS


class _Crowds:
    """How near the memories most like a candidate are to it."""

    def __init__(self, candidates: CandidateSet) -> None:
        self._vectors, self._usual = candidates.vectors, candidates.usual_vectors
        near = candidates.dense if candidates.talk is None else candidates.talk
        # What a night made of a turn lies beside it, and is no crowd.
        turns = np.flatnonzero(candidates.is_turn)
        is_known = len(near) > 1 and bool(near.any())
        self._turns, self._near = turns if is_known else turns[:0], near

    def of(self, positions: Sequence[int]) -> Numbers:
        """In standard deviations, shape (len(positions),); zeros without vectors."""
        if self._vectors is None or self._usual is None or not len(self._turns) or not positions:
            return np.zeros(len(positions))
        turns = self._turns
        if len(turns) > MOST_COMPARED:
            turns = turns[np.argpartition(-self._near[turns], MOST_COMPARED)[:MOST_COMPARED]]
        vectors = self._vectors[list(positions)]
        products = (vectors @ self._vectors.T)[:, turns]
        most = min(CROWD + 1, products.shape[1])
        # The nearest is the memory itself.
        near = -np.partition(-products, most - 1, axis=1)[:, :most]
        mean = (near.sum(axis=1) - near.max(axis=1)) / max(1, most - 1)
        # The candidates of a large memory lie nearer to each other than memories usually do.
        usual = vectors @ self._usual.T
        spread = max(float(usual.std()), 1e-6)
        return np.asarray((mean - float(usual.mean())) / spread, dtype=np.float64)
