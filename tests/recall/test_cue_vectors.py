"""The vectors of a message: by itself, less the baseline, and with its conversation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.recall.cue import Cue, Utterance, build_cue, cue_vectors
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.texts import Language

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
BASELINE: dict[Language, Vectors] = {
    "en": np.array([0.0, 0.0, 0.5], dtype=np.float32),
    "cn": np.array([0.0, 0.5, 0.0], dtype=np.float32),
}


class Axes:
    """An embedder with three directions: rowing, nerves, and everything else."""

    name, revision, dimension = "axes", "1", 3

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The direction of the first word that has one."""
        return np.stack([self._vector(text) for text in texts])

    passages = queries

    def _vector(self, text: str) -> Vectors:
        for at, words in enumerate((("rowing", "划船"), ("nervous", "紧张"))):
            if any(word in text for word in words):
                return np.eye(3, dtype=np.float32)[at]
        return np.eye(3, dtype=np.float32)[2]


def _cue(message: str, *talk: Utterance) -> Cue:
    profile = Profile("Nora", "en", "UTC", NOW)
    return build_cue(message, PersonMemory(profile, {}), now=NOW, talk=talk)


def test_a_question_is_embedded_alone() -> None:
    """Whatever was said before it."""
    found = cue_vectors(
        _cue("Where do I go rowing on Sundays?", Utterance("I am nervous.")), Axes(), BASELINE
    )
    assert found.message is not None
    assert found.centred is not None
    assert found.message.tolist() == [1.0, 0.0, 0.0]
    assert found.centred.tolist() == [1.0, 0.0, -0.5]
    assert found.conversation is None
    assert found.searched is found.message


def test_a_remark_is_the_mean_of_its_conversation_less_the_baseline() -> None:
    """(1 · nerves + 0.7 · rowing) / 1.7, less the baseline; worked out by hand."""
    cue = _cue("I am so nervous about the race.", Utterance("I have joined a rowing club."))
    found = cue_vectors(cue, Axes(), BASELINE)
    assert found.conversation is not None
    assert found.conversation.tolist() == pytest.approx([0.7 / 1.7, 1 / 1.7, -0.5])
    assert found.searched is found.conversation
