"""Answer a message about hurting or killing oneself, with help lines first.

No model writes that text. The turn is stored and listed, but never recalled, summed up or
extracted. Patterns miss much, so the meaning of a message counts too (:func:`likelihood_of_danger`):
where danger is possible, a model is told to judge, by :data:`MARK`. The instruction is not sent
with every message, since small models would refuse harmless ones. Without a model, help is named
above a higher threshold.
"""

import math
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import cache
from importlib import resources

import numpy as np

from siliconfriend.config import Settings
from siliconfriend.language.characters import fold
from siliconfriend.language.message import read_message
from siliconfriend.language.word_lists import without_matches
from siliconfriend.language.words import beginning_and_end
from siliconfriend.recall.embedders.base import Embedder, Vector
from siliconfriend.recall.likelihood import BUNDLED
from siliconfriend.texts import Language, text

MARK = "[HELP]"
"""Marker that a model answers for such words (``watch`` in ``distress.toml``)."""

WEIGHTS = "distress_weights.txt"
"""File in this directory: bias, then a weight for each dimension of the bundled embedder's
vectors.
"""

POSSIBLE, LIKELY = 0.28, 0.45
"""Probability thresholds for telling a model about the marker, and for naming help without a model.
Missing danger is worse than a false alarm.
"""


def help_opening(settings: Settings, language: Language) -> str:
    """Return the help lines before the answer, from the settings or the built-in list."""
    named = [line.strip() for line in (settings.help_lines or "").split(";")]
    lines = "\n".join(f"- {line}" for line in named if line)
    lines = lines or text("distress", "lines", language).strip("\n")
    return text("distress", "opening", language, lines=lines)


def help_before(said: str, settings: Settings, language: Language) -> str:
    """Return the help lines to show before an answer to these words, or an empty text."""
    if not read_message(said).is_distress:
        return ""
    return help_opening(settings, language) + "\n\n"


def likelihood_of_danger(message: str, embedder: Embedder | None) -> float:
    """Estimate the probability that a message means danger to life, by logistic regression.

    The weights are learned for the bundled embedder; 0 without it: the patterns alone judge.
    """
    if embedder is None or embedder.name != BUNDLED:
        return 0.0
    weights = _weights()
    # Of a long message the part that recall embeds, so that it is embedded once.
    meant = beginning_and_end(message)
    plain = fold(meant).replace("’", "'")
    if (rest := without_matches("message", "distress.not_meant", plain)) != plain:
        meant = rest
    odds = float(embedder.queries([meant])[0] @ weights[1:] + weights[0])
    return 1.0 / (1.0 + math.exp(-odds))


@cache
def _weights() -> Vector:
    with resources.files(__package__).joinpath(WEIGHTS).open() as file:
        return np.loadtxt(file, dtype=np.float32).ravel()


def replace_mark(
    pieces: Generator[str, None, None], words: str, answer_again: Callable[[], Iterable[str]]
) -> Generator[str, None, None]:
    """Stream an answer; if it begins with :data:`MARK`, stream the help text and another answer."""
    with closing(pieces):
        begun = ""
        for piece in pieces:
            begun = (begun + piece).lstrip()
            if not MARK.startswith(begun):
                break
        if not begun.startswith(MARK):
            if begun:
                yield begun
            yield from pieces
            return
    yield words
    yield from answer_again()
