"""The vector of a remark is that of its conversation, less what all messages have in common."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.recall.cue import Cue, Utterance, build_cue
from siliconfriend.recall.cue_vectors import CueVectors, cue_vectors
from siliconfriend.recall.embedders.base import Vectors

NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)
USUAL = {
    "en": np.array([0.2, 0.2, 0.0], np.float32),
    "cn": np.array([0.0, 0.0, 0.5], np.float32),
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
    """Whatever was said before it, and with nothing taken off."""
    cue = _cue("Where do I go rowing on Sundays?", Utterance("I am nervous."))
    found = cue_vectors(cue, Axes(), USUAL)
    assert found.message is not None
    assert found.message.tolist() == [1.0, 0.0, 0.0]
    assert found.talk is None
    assert found.searched is found.message


def test_a_remark_is_the_mean_of_its_talk_less_a_usual_message() -> None:
    """(1 · nerves + 0.7 · rowing) / 1.7, less the usual message; worked out by hand."""
    cue = _cue("I am so nervous about the race.", Utterance("I have joined a rowing club."))
    found = cue_vectors(cue, Axes(), USUAL)
    assert found.message is not None
    assert found.message.tolist() == [0.0, 1.0, 0.0]
    assert found.talk == pytest.approx([0.7 / 1.7 - 0.2, 1 / 1.7 - 0.2, 0.0], abs=1e-6)


def test_a_question_is_read_beside_what_was_said_before_it_of_the_same_matter() -> None:
    """(1 · rowing + 0.7 · rowing) / 1.7 less the usual; of another matter the two are apart.

    Rowing less the usual is (0.8, -0.2, 0), nerves (-0.2, 0.8, 0): their product is -0.32.
    """
    asked = "Where do I go rowing on Sundays?"
    found = cue_vectors(_cue(asked, Utterance("I have joined a rowing club.")), Axes(), USUAL)
    assert found.beside == pytest.approx([0.8, -0.2, 0.0], abs=1e-6)
    assert found.talk is None
    assert cue_vectors(_cue(asked, Utterance("I am nervous.")), Axes(), USUAL).beside is None
    assert cue_vectors(_cue(asked), Axes(), USUAL).beside is None
    rowing = _cue(asked, Utterance("I have joined a rowing club."))
    assert cue_vectors(rowing, Axes(), {}).beside is None


def test_what_is_taken_off_goes_by_the_language_of_each_utterance() -> None:
    """A Chinese line in an English talk has the usual Chinese message taken off."""
    cue = _cue("I am so nervous about the race.", Utterance("我参加了划船俱乐部。"))
    found = cue_vectors(cue, Axes(), USUAL)
    english, chinese = 1 / 1.7, 0.7 / 1.7
    expected = [chinese - 0.2 * english, english - 0.2 * english, -0.5 * chinese]
    assert found.talk == pytest.approx(expected, abs=1e-6)


def test_where_nobody_measured_a_usual_message_the_talk_is_a_direction() -> None:
    """Its length is 1, as that of the message: its inner products are cosines."""
    cue = _cue("I am so nervous about the race.", Utterance("I have joined a rowing club."))
    found = cue_vectors(cue, Axes(), {})
    assert found.talk is not None
    assert np.linalg.norm(found.talk) == pytest.approx(1.0, abs=1e-6)
    assert found.talk[0] / found.talk[1] == pytest.approx(0.7, abs=1e-6)


def test_without_an_embedder_or_words_there_are_no_vectors() -> None:
    """Recall goes by words alone, or by nothing."""
    assert cue_vectors(_cue("I am so nervous."), None, {}) == CueVectors()
    assert cue_vectors(_cue("   "), Axes(), USUAL) == CueVectors()
