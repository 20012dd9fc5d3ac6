"""The thresholds of each embedder: learned for the bundled one, by one command for any other.

``thresholds.json`` beside this file holds what was learned for the embedder that is always
there; a file of the same name in the data directory adds the operator's own, which
``siliconfriend evaluate thresholds --out`` writes. An embedder that stands in neither has
numbers of its family, without what is taken off a remark.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, cast

import numpy as np

from siliconfriend.errors import ConfigurationError
from siliconfriend.recall.cue_vectors import Vector
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.relevance_threshold import Cuts, RelevanceThreshold
from siliconfriend.recall.score_calibration import is_e5
from siliconfriend.texts import LANGUAGES, Language

FILE_NAME = "thresholds.json"
"""The operator's own thresholds in the data directory, an embedder's by its name."""

E5 = RelevanceThreshold(question=Cuts(0.84, 0.90, 0.75, few=0.055), remark=Cuts(0.76, 0.82, 0.67))
WIDE = RelevanceThreshold(question=Cuts(0.30, 0.35, 0.25, few=0.05), remark=Cuts(0.20, 0.25, 0.15))
"""For embedders whose unrelated texts lie near 0, as those of MiniLM and of OpenAI do."""
WORDS_ONLY = RelevanceThreshold(question=Cuts(0.02, 0.02, 0.02), remark=Cuts(0.01, 0.01, 0.01))
"""Without an embedder: a fifth of what was asked, each word weighed by how much it tells; a tenth
of a remark and what was said before it."""

CUTS = ("english", "chinese", "across", "few")
"""The numbers of a kind of message in a file."""

DIGITS = 5
"""Decimals of a stored vector; far more than the cosines of two texts differ by."""


def threshold_of(embedder: Embedder | None, file: Path | None = None) -> RelevanceThreshold:
    """The threshold of an embedder: the operator's, the project's, or that of its family.

    Raises:
        ConfigurationError: the operator's file cannot be read.
    """
    if embedder is None:
        return WORDS_ONLY
    if file is not None and file.is_file():
        learned = _read(file.read_bytes(), file).get(embedder.name)
        if learned is not None:
            return _parse(learned, embedder, file)
    ours = resources.files(__package__).joinpath(FILE_NAME)
    learned = _read(ours.read_bytes(), FILE_NAME).get(embedder.name)
    if learned is not None:
        return _parse(learned, embedder, FILE_NAME)
    return family_threshold(embedder)


def family_threshold(embedder: Embedder) -> RelevanceThreshold:
    """What goes for an embedder that nothing was learned for."""
    return E5 if is_e5(embedder) else WIDE


def add_thresholds(file: Path, embedder: str, threshold: RelevanceThreshold) -> None:
    """Write an embedder's thresholds into a file beside those of others.

    Raises:
        ConfigurationError: the file cannot be read or written.
    """
    document = dict(_read(file.read_bytes(), file)) if file.is_file() else {}
    document[embedder] = {
        **{kind: _cuts_json(getattr(threshold, kind)) for kind in ("question", "remark")},
        "usual": {
            language: np.round(vector.astype(np.float64), DIGITS).tolist()
            for language, vector in threshold.usual.items()
        },
    }
    lines = [f"{json.dumps(name)}: {json.dumps(document[name])}" for name in sorted(document)]
    try:
        file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=file, cause=error) from error


def _cuts_json(cuts: Cuts) -> dict[str, float]:
    return {name: round(getattr(cuts, name), 4) for name in CUTS}


def _read(data: bytes, path: Path | str) -> Mapping[str, Any]:
    try:
        document = json.loads(data)
    except ValueError as error:
        raise ConfigurationError("thresholds_unreadable", path=path, cause=error) from error
    if not isinstance(document, dict):
        raise ConfigurationError("thresholds_unreadable", path=path, cause="no object")
    return cast("Mapping[str, Any]", document)


def _parse(learned: Any, embedder: Embedder, path: Path | str) -> RelevanceThreshold:
    try:
        question, remark = (
            Cuts(**{name: float(cut) for name, cut in learned[kind].items()})
            for kind in ("question", "remark")
        )
        usual: dict[Language, Vector] = {
            language: np.array(learned["usual"][language], dtype=np.float32).reshape(
                embedder.dimension
            )
            for language in LANGUAGES
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigurationError("thresholds_unreadable", path=path, cause=error) from error
    return RelevanceThreshold(question, remark, usual)
