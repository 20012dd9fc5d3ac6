"""Estimate the likelihood that a candidate is meant by a message: the only judge of recall.

A rank alone cannot tell whether any memory is relevant. A logistic
regression over a few features of a candidate can. Its weights are learned by
``siliconfriend evaluate likelihood``, one set for all kinds of message, and stored in
``likelihood.json`` by the embedder's name. The log odds rank the default recipe.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import is_chinese
from siliconfriend.recall.candidate_set import PRIOR_COUNT, CandidateSet
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.embedders.base import Vector
from siliconfriend.recall.scoring import Mask, Numbers
from siliconfriend.texts import LANGUAGES, Language

FILE_NAME = "likelihood.json"
"""The project's weights beside this file; the operator's own in the data directory."""

WORDS_ONLY = "none"
"""The name of the weights without an embedder."""

BUNDLED = "bundled"
"""Default weights for embedders without learned ones: features are in standard deviations."""

DEFAULT_SPREAD = 0.1
"""Default standard deviation of the similarities of unrelated texts."""

DEFAULT_RARITY = 0.75
"""Rarity of a memory's words, used while memories are few and every word would be rare."""

USUAL_RARITY = 0.6
"""Rarity that tells nothing: only what is rarer counts. Below it, the words of long messages differ
by their length rather than by what they tell."""

FEATURES = ("similarity", "words", "date", "rarity", "neighbours")
"""The features that rank candidates; see :func:`features`."""

FURTHER = ("few", "question", "date", "script")
"""The features that change the likelihood and not the ranking."""

DEVIATIONS_PER_WORD = 3.0
"""Standard deviations of similarity that weigh as much as one shared rare word."""

LIKELY = 0.5
"""Threshold of ``is_likely``."""


@dataclass(frozen=True, slots=True)
class Model:
    """Learned model of one embedder.

    Attributes:
        bias: log odds of a candidate whose features are all 0.
        weights: weight of each of :data:`FEATURES`; the weighted sum ranks.
        further: what is added to the log odds for each of :data:`FURTHER`.
        baseline: mean vector of many messages, by language; empty if not measured.
        spread: standard deviation of the similarities of unrelated texts, by language.
    """

    bias: float
    weights: Mapping[str, float]
    further: Mapping[str, float] = field(default_factory=dict)
    baseline: Mapping[Language, Vector] = field(default_factory=dict)
    spread: Mapping[Language, float] = field(default_factory=dict)

    def without(self, feature: str) -> Model:
        """Return the model with the weight 0 for a feature; itself for no feature."""
        return replace(self, weights={**self.weights, feature: 0.0}) if feature else self


@dataclass(frozen=True, slots=True)
class Judgement:
    """The likelihood of each candidate.

    Attributes:
        parts: weighted features of each candidate; their sum ranks.
        likelihood: 0 to 1.
        similarity: the feature of this name, unweighted.
        is_matched: a word, the meaning or the day of the message speaks for it, or for its neighbour.
    """

    parts: Mapping[str, Numbers]
    likelihood: Numbers
    similarity: Numbers
    is_matched: Mask


def judge(candidates: CandidateSet, cue: Cue, model: Model) -> Judgement:
    """Judge all candidates for a message, by the model of the embedder."""
    values = features(candidates, cue, model)
    parts = {name: weight * values[name] for name, weight in model.weights.items()}
    parts["bias"] = np.full(len(candidates), model.bias)
    odds = sum(parts.values(), np.zeros(len(candidates)))
    odds += sum(weight * values[name] for name, weight in model.further.items())
    matches = (candidates.similarity != 0, candidates.lexical != 0, values["neighbours"] != 0)
    return Judgement(
        parts,
        likelihood=1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))),
        similarity=values["similarity"],
        is_matched=candidates.is_dated | np.any(matches, axis=0),
    )


def features(candidates: CandidateSet, cue: Cue, model: Model) -> dict[str, Numbers]:
    """Compute the features of every candidate, by name; shape (n,) each.

    - ``similarity``: standard deviations of similarity above the mean of all turns; of a remark in
      a conversation the similarity with both. Less for a turn that only asks.
    - ``words``: log of BM25, in rare words. Less for a turn that only asks.
    - ``date``: where the message names the candidate's day, the share of all turns whose day it
      does not name.
    - ``rarity``: how far that of the candidate's own words exceeds :data:`USUAL_RARITY`; 0 for a
      remark, which asks for no detail.
    - ``neighbours``: matches of its neighbours, which may hold what its own words refer to; 0 for
      a remark.
    - ``script``: 1 if the candidate is in another script than the message.
    - ``question``: 1 if the message asks for something that was told.
    - ``few``: near 1 where there are few memories, towards 0 for many.
    """
    language: Language = "cn" if is_chinese(cue.message) else "en"
    # With few memories, the learned spread counts more than the observed one.
    own = candidates.number_of_turns / (candidates.number_of_turns + PRIOR_COUNT)
    prior_spread = model.spread.get(language, DEFAULT_SPREAD)
    spread = max(own * candidates.similarity_spread + (1 - own) * prior_spread, 1e-6)
    tells = 1.0 - candidates.asks
    similarity = tells * (candidates.similarity - candidates.similarity_mean) / spread
    words = tells * np.log1p(candidates.lexical / max(candidates.one_word, 1e-9))
    rarity = own * candidates.rarity + (1 - own) * DEFAULT_RARITY
    matches = np.maximum(similarity, 0.0) / DEVIATIONS_PER_WORD + words
    return {
        "similarity": similarity,
        "words": words,
        "date": candidates.is_dated * (1.0 - candidates.dated_share),
        "rarity": cue.is_question * np.maximum(rarity - USUAL_RARITY, 0.0),
        "neighbours": cue.is_question * _of_neighbours(candidates, matches),
        "script": (candidates.is_chinese != (language == "cn")).astype(np.float64),
        "question": np.full(len(candidates), float(cue.is_question)),
        "few": np.full(len(candidates), 1.0 - own),
    }


def _of_neighbours(candidates: CandidateSet, own: Numbers) -> Numbers:
    """Sum the better of two neighbours, a quarter of the other, half the better of those two away.

    An answer often stands beside the words of the question ("Which park?" — "Green Meadow"), and
    who speaks every other time goes on with a matter two turns later.
    """
    # Position -1 means no neighbour.
    matches = np.append(own, 0.0)
    before, after = np.append(candidates.previous, -1), np.append(candidates.following, -1)
    left, right = matches[before], matches[after]
    farther = np.maximum(matches[before[before]], matches[after[after]])
    best = np.maximum(left, right) + 0.25 * np.minimum(left, right) + 0.5 * farther
    return np.asarray(best[:-1])


def model_of(embedder: str | None, file: Path | None = None) -> Model:
    """Return the model of an embedder: the operator's, the project's, or the bundled embedder's.

    Args:
        embedder: its name; None for words alone.
        file: the operator's own, which need not be there.

    Raises:
        ConfigurationError: the operator's file cannot be read.
    """
    name = embedder or WORDS_ONLY
    if file is not None and file.is_file():
        learned = read_models(file.read_bytes(), file)
        if name in learned:
            return learned[name]
    ours = _ours()
    # The baseline is a vector of the bundled embedder; another has none until it is learned.
    return ours[name] if name in ours else replace(ours[BUNDLED], baseline={}, spread={})


@cache
def _ours() -> Mapping[str, Model]:
    """Return the bundled models."""
    return read_models(resources.files(__package__).joinpath(FILE_NAME).read_bytes(), FILE_NAME)


def read_models(data: bytes, path: Path | str) -> Mapping[str, Model]:
    """Return the models of a file by the embedder's name.

    Raises:
        ConfigurationError: it has another form.
    """
    try:
        document: Any = json.loads(data)
        return {name: _model(learned) for name, learned in document.items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ConfigurationError("likelihood_unreadable", path=path, cause=error) from error


def write_model(file: Path, embedder: str | None, model: Model) -> None:
    """Write an embedder's model into a file that may contain other models.

    Raises:
        ConfigurationError: the file cannot be read or written.
    """
    document: dict[str, Any] = json.loads(file.read_bytes()) if file.is_file() else {}
    document[embedder or WORDS_ONLY] = {
        "bias": round(model.bias, 3),
        "weights": {name: round(weight, 3) for name, weight in model.weights.items()},
        "further": {name: round(weight, 3) for name, weight in model.further.items()},
        "baseline": {
            language: base64.b64encode(vector.astype(np.float16).tobytes()).decode()
            for language, vector in model.baseline.items()
        },
        "spread": {language: round(spread, 4) for language, spread in model.spread.items()},
    }
    try:
        file.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=file, cause=error) from error


def _model(learned: Mapping[str, Any]) -> Model:
    languages = [language for language in LANGUAGES if language in learned["baseline"]]
    return Model(
        float(learned["bias"]),
        {name: float(learned["weights"][name]) for name in FEATURES},
        {name: float(learned["further"][name]) for name in FURTHER},
        {language: _vector(learned["baseline"][language]) for language in languages},
        {language: float(learned["spread"][language]) for language in languages},
    )


def _vector(encoded: str) -> Vector:
    return np.frombuffer(base64.b64decode(encoded), dtype=np.float16).astype(np.float32)
