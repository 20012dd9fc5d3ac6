"""Rate the importance of a memory, from 0.1 (brushing teeth) to 1.0 (a break-up).

A rule over cue words of both languages rates; recall and forgetting share the scale.
"""

import math
import re

from siliconfriend.language.characters import fold
from siliconfriend.language.word_lists import word_pattern

LEAST = 0.1

WEIGHTS = {
    "turning_point": 1.0,
    "milestone": 0.65,  # alone it reaches 0.7, the threshold of important memories
    "strong_feeling": 0.45,
    "commitment": 0.35,
    "feeling": 0.25,
    "selfhood": 0.25,  # name, birthday, what they cannot eat
    "novelty": 0.2,
    "bond": 0.15,
    "concrete": 0.1,  # a number, a date or a name
}
"""Weight of each kind of cue, raising importance from 0.1 towards 1.0. Cue words are in
``texts/<language>/importance.toml`` (those of ``concrete`` under ``when``)."""

_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+")


def offline_importance(text: str) -> float:
    """Rate the person's words by cue words of both languages, in steps of 0.1 from 0.1 to 1.0.

    ``0.1 + 0.9 · (1 - Π(1 - w))`` over the kinds of cue in the text, w from ``WEIGHTS``.
    """
    plain = fold(text).replace("’", "'")

    def has(kind: str) -> bool:
        if kind != "concrete":
            return bool(word_pattern("importance", kind).search(plain))
        has_time = word_pattern("importance", "when").search(plain)
        return bool(re.search(r"\d", plain) or has_time or _NAME.search(text))

    doubt = math.prod(1 - weight for kind, weight in WEIGHTS.items() if has(kind))
    return round(LEAST + (1 - LEAST) * (1 - doubt), 1)
