"""Whose memories a question with a name looks at, and how sure they have to be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import Turn
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.relevance_threshold import Cuts, RelevanceThreshold
from siliconfriend.recall.thresholds import add_thresholds
from siliconfriend.testing import WordEmbedder
from tests.memory.people import NORA
from tests.recall.people import NOW, a_recaller, found, remember, turns


@pytest.mark.parametrize(
    ("of_kit", "to_kit", "question"),
    [
        ("Kit: The oboe is what I play.", "Robin: Kit, do play!", "What does Kit play?"),
        ("小雨：我会拉二胡。", "小明：小雨，拉得真好！", "小雨会拉什么？"),
    ],
    ids=["en", "cn"],
)
def test_where_it_is_said_who_speaks_that_name_counts(
    of_kit: str, to_kit: str, question: str
) -> None:
    """The words of whom the question names get something for the name, those to them nothing."""
    store = InMemoryStore()
    remember(store, turns([("2026-03-01", of_kit, ""), ("2026-03-01", to_kit, "")]))
    recalled = a_recaller(store, WordEmbedder()).recall(NORA, question, now=NOW).memories
    named = {it.memory.query: it.parts["named"] for it in recalled if isinstance(it.memory, Turn)}
    assert named == {of_kit: pytest.approx(0.2), to_kit: 0.0}


class Halfway:
    """Everything that asks points one way, and everything told 0.6 that way."""

    name, dimension, revision = "halfway", 2, "1"

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One direction."""
        return np.array([(1.0, 0.0)] * len(texts), dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Another one."""
        return np.array([(0.6, 0.8)] * len(texts), dtype=np.float32)


@pytest.mark.parametrize(
    ("told", "question", "is_found"),
    [
        ("Kit Penrose sold a barge.", "What was sold by Kit Penrose?", True),
        ("We met Kit Penrose there.", "Where was Kit?", True),
        ("We met Kit there.", "Where was Kit Penrose?", False),
        ("I looked up, then down.", "When did we watch “Looking Up”?", False),
        ("王芳卖掉了一条船。", "王芳最近怎么样？", True),
        ("那座城市很大。", "那个海滨城市是哪里？", False),
    ],
    ids=["whole", "part asked", "part told", "generic words", "cn", "common word"],
)
def test_what_is_told_of_whom_a_question_names_needs_to_be_less_near(
    tmp_path: Path, told: str, question: str, is_found: bool
) -> None:
    """At 0.6 it passes a cut of 0.8 less half of 0.5, where all of the name stands in it."""
    store = InMemoryStore()
    filler = [("2026-03-02", f"It rained for {number} hours.", "") for number in range(20)]
    remember(store, turns([("2026-03-01", told, ""), *filler]))
    file = tmp_path / "thresholds.json"
    usual = {"en": np.zeros(2, np.float32), "cn": np.zeros(2, np.float32)}
    cuts = RelevanceThreshold(Cuts(0.8, 0.8, 0.8, few=0.5), Cuts(0.5, 0.5, 0.5), usual)
    add_thresholds(file, "halfway", cuts)
    policy = ForgettingPolicy.named("companion")
    recaller = Recaller(store, Halfway(), policy=policy, thresholds=file)
    best = found(recaller.recall(NORA, question, now=NOW))[:1]
    assert best == ([told] if is_found else [])
