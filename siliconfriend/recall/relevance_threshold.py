"""The relevance threshold: when nothing that was found matters.

After ranking the best always looks good, so whether it matters is asked of the raw scores:
the cosine, and how much of what was asked the memory's own words hold. A single cut cannot
work: E5's cosines all lie between 0.75 and 0.97, higher between Chinese texts than between
English ones and lower across the two languages, so each embedder has a cut for each pair.
Who asks may be told that nothing is known, who remarks on something wants what comes to mind:
a question and a remark are held against different cuts. ``evaluate thresholds`` learns them
and prints what each keeps and refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import is_chinese
from siliconfriend.recall.candidate_set import CandidateSet, Mask, Numbers
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.cue_vectors import Vector
from siliconfriend.recall.time_spans import WEEK
from siliconfriend.texts import Language

COVERAGE = 0.1
"""What all of the question's words are worth in cosine: about the way from E5's unrelated
texts to its paraphrases."""

FEW = 5
"""Of so many memories the cuts are lower, and of twice as many they are no more: the nearest of
five that have nothing to do with a question is less near than the nearest of fifty."""


NAMED = 0.5
"""The cuts are lower for a memory with a name that is asked about, by so much of what they are lower
for the first few: a question about Kit is no stranger's where something was told of Kit."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """The least score with which a memory matters by itself, by the two languages.

    Attributes:
        english, chinese: message and memory are both in that language.
        across: they are in different languages, where no words can be shared.
        few: by so much the cuts of one language are lower for the question of a person who has
            told next to nothing, and by half of it for what has a name that is asked about.
    """

    english: float
    chinese: float
    across: float
    few: float = 0.0

    def of(self, is_chinese: NDArray[np.bool_], *, asked_in_chinese: bool) -> Numbers:
        """The cut for each of n memories, by which of them are Chinese; shape (n,)."""
        same = self.chinese if asked_in_chinese else self.english
        return np.where(is_chinese == asked_in_chinese, same, self.across)


@dataclass(frozen=True, slots=True)
class RelevanceThreshold:
    """The cuts of an embedder.

    Attributes:
        question: on ``cosine + 0.1 · coverage`` of a message by itself.
        remark: on the nearness of a remark in its conversation, and its coverage likewise.
        usual: the mean vector of many messages by their language, which is taken off a remark;
            empty where nobody measured it.
    """

    question: Cuts
    remark: Cuts
    usual: Mapping[Language, Vector] = field(default_factory=dict)


def above_threshold(candidates: CandidateSet, cue: Cue, threshold: RelevanceThreshold) -> Mask:
    """Which candidates matter by their own score, or were said on a day that is named."""
    asked_in_chinese = is_chinese(cue.text)
    cuts = threshold.question.of(candidates.is_chinese, asked_in_chinese=asked_in_chinese)
    if cue.is_question:
        lower = np.clip(2.0 - len(candidates) / FEW, NAMED * candidates.has_name, 1.0)
        is_same = candidates.is_chinese == asked_in_chinese
        cuts = cuts - np.where(is_same, threshold.question.few * lower, 0.0)
    return _above(candidates, candidates.dense, cuts)


def touched_by_remark(
    candidates: CandidateSet, near: Numbers, cue: Cue, threshold: RelevanceThreshold
) -> Mask:
    """Which candidates a remark touches, by itself or by what was said before it.

    More than :func:`above_threshold`: enough to come to mind, too little to be strengthened by
    it, or small talk would be kept alive by every other remark. ``near`` says how near each is to
    what is read as a remark.
    """
    cuts = threshold.remark.of(candidates.is_chinese, asked_in_chinese=is_chinese(cue.text))
    return _above(candidates, near, cuts)


def _above(candidates: CandidateSet, near: Numbers, cuts: Numbers) -> Mask:
    evidence = near + COVERAGE * coverage(candidates)
    return (evidence >= cuts) | (candidates.date_match >= WEEK)


def coverage(candidates: CandidateSet) -> Numbers:
    """The share of what was asked that each candidate's own words hold, by how much each tells.

    With an embedder related words do not count: meaning knows them, and each would let more
    through that nobody asked for. Without one nothing else knows that a word stands for another.
    """
    held = candidates.lexical
    if not candidates.dense.any():
        held = held + candidates.related
    return held / candidates.asked if candidates.asked > 0 else np.zeros(len(candidates))


def on_relevant_day(candidates: CandidateSet, is_relevant: Mask) -> Mask:
    """Which candidates were said on a day that holds one which matters by itself."""
    return np.isin(candidates.day, candidates.day[is_relevant])
