"""Five matters, each told twice in each language: which of them the bundled embedder joins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from siliconfriend.extraction.topics.assignment import JOIN_THRESHOLD
from siliconfriend.extraction.topics.drafts import TopicDraft
from siliconfriend.language.words import extract_keywords
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.similarity import calibration_of
from tests.extraction.topics.people import a_topic, similarities

FIRST_EN = (
    "They talked about her sister Nora moving to Bergen and carrying a piano.",
    "He is worried about his exam in marine biology.",
    "Plans for a camping trip in the mountains next weekend.",
    "A fight with the boss about overtime and salary.",
    "Learning to play the guitar, practising chords every night.",
)
THEN_EN = (
    "The move of Nora to Bergen and her piano.",
    "Preparing for the marine biology exam and asking for more time.",
    "The camping trip in the mountains: tent and weather.",
    "Trouble with the boss, and whether to quit the job.",
    "Guitar lessons and a first song.",
)
FIRST_CN = (
    "聊到姐姐诺拉搬去卑尔根，帮忙搬了钢琴。",
    "他担心海洋生物学的考试。",
    "计划下周末去山里露营。",
    "和老板因为加班和工资吵了一架。",
    "学弹吉他，每天晚上练和弦。",
)
THEN_CN = (
    "诺拉搬到卑尔根和她的钢琴。",
    "准备海洋生物学考试，想申请延期。",
    "山里露营：帐篷和天气。",
    "和老板的矛盾，要不要辞职。",
    "吉他课和第一首曲子。",
)


@pytest.fixture(scope="module")
def embedder() -> CachedEmbedder:
    """The bundled embedder, which embeds each text once."""
    return CachedEmbedder(BundledEmbedder())


@pytest.mark.parametrize(
    ("first", "then", "right"),
    [
        pytest.param(FIRST_EN, THEN_EN, 4, id="English"),
        pytest.param(FIRST_CN, THEN_CN, 4, id="Chinese"),
        pytest.param(FIRST_CN, THEN_EN, 2, id="Chinese, then English"),
    ],
)
def test_what_is_told_again_joins_its_own_topic_and_no_other(
    embedder: CachedEmbedder, first: Sequence[str], then: Sequence[str], right: int
) -> None:
    """Of the pairs that say the same, so many are similar enough; of the others none."""
    topics = [a_topic(it, (), words=extract_keywords(it)[:5]) for it in first]
    found = np.stack(
        [
            similarities(
                TopicDraft(it, extract_keywords(it)[:5], (), continues=False),
                topics,
                embed=embedder.passages,
                calibration=calibration_of(embedder),
            )
            for it in then
        ]
    )
    same = np.eye(5, dtype=bool)
    assert (found[same] >= JOIN_THRESHOLD).sum() >= right
    assert not (found[~same] >= JOIN_THRESHOLD).any()
