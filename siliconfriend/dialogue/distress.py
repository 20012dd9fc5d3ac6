"""Answer a message about hurting or killing oneself, with help lines first.

No model writes that text. The turn is stored and listed, but never recalled, summed up or
extracted. Patterns miss much, so a model judges too, by :data:`MARK`; it is told so only beside a
message that may be meant (:func:`may_be_distress`), since a small model would refuse harmless ones.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from functools import lru_cache

import numpy as np

from siliconfriend.config import Settings
from siliconfriend.errors import ModelError
from siliconfriend.language.characters import language_of
from siliconfriend.recall.embedders.base import Embedder, Vector
from siliconfriend.texts import Language, area, text

MARK = "[HELP]"
"""Mark with which a model begins its answer to such words (``watch`` in ``distress.toml``)."""

LEAST_COSINE = 0.36
"""Cosine of a message and the mean of the examples in its language, both less the usual message, from
which a model is told of the mark: few everyday messages come so near, and most hints do."""


def help_opening(settings: Settings, language: Language) -> str:
    """Return the text before the answer: whom one can call, by the settings or the program's own."""
    named = [line.strip() for line in (settings.help_lines or "").split(";")]
    lines = "\n".join(f"- {line}" for line in named if line)
    lines = lines or text("distress", "lines", language).strip("\n")
    return text("distress", "opening", language, lines=lines)


def may_be_distress(
    message: str, embedder: Embedder | None, baseline: Mapping[Language, Vector]
) -> bool:
    """Return True if the meaning of a message points where words of distress do (:data:`LEAST_COSINE`).

    ``baseline`` is the embedder's mean vector of many messages; where none was learned, or without
    an embedder, the patterns alone judge. True where the embedder failed.
    """
    language = language_of(message)
    usual = baseline.get(language)
    if embedder is None or usual is None:
        return False
    try:
        said = embedder.queries([message])[0] - usual
        towards = _mean_of_examples(embedder, language) - usual
    except ModelError:
        return True
    return float(said @ towards) > LEAST_COSINE * float(
        np.linalg.norm(said) * np.linalg.norm(towards)
    )


@lru_cache(maxsize=2)
def _mean_of_examples(embedder: Embedder, language: Language) -> Vector:
    vectors = embedder.queries(area("distress", language)["examples"])
    return np.asarray(vectors.mean(axis=0), dtype=np.float32)


def replace_mark(pieces: Generator[str, None, None], words: str) -> Generator[str, None, None]:
    """Pass an answer on, with other words in the place of :data:`MARK` at its beginning."""
    with closing(pieces):
        begun = ""
        for piece in pieces:
            begun = (begun + piece).lstrip()
            after = begun.removeprefix(MARK).lstrip()
            if after if begun.startswith(MARK) else not MARK.startswith(begun):
                break
        if begun.startswith(MARK):
            begun = words + begun.removeprefix(MARK).lstrip()
        if begun:
            yield begun
        yield from pieces
