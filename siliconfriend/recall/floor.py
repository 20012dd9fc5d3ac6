"""When nothing that was found matters: the floor.

After ranking the best always looks good, so whether it matters is asked of the raw scores:
how near in meaning, and how much of what was asked the memory's own words hold. A single
cut for all embedders cannot work (E5's cosines all lie between 0.75 and 0.97), so the
meaning is measured in spreads above the mean of the person's own memories, with a cut for
each embedder; ``evaluate probing`` prints what the cuts keep and refuse.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.candidates import asked_words
from siliconfriend.recall.cues import Cue
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.field import Field
from siliconfriend.recall.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class Floor:
    """What a memory must reach to matter by itself; any one of these is enough.

    Attributes:
        cosine: its cosine with the question.
        coverage: the share of the question's words, each weighed by how much it tells (idf),
            that the best match in words comes to by BM25; words nobody ever said count too.
    """

    cosine: float
    coverage: float


FLOORS = {
    # E5 in four bits: unrelated sentences lie near 0.80, paraphrases above 0.88.
    "bundled": Floor(cosine=0.855, coverage=0.30),
    # MiniLM: unrelated sentences lie near 0.1, paraphrases above 0.5.
    "sentence-transformers": Floor(cosine=0.40, coverage=0.30),
    "openai": Floor(cosine=0.40, coverage=0.30),
}
WORDS_ONLY = Floor(cosine=2.0, coverage=0.30)
"""Without an embedder only the words decide."""


def floor_of(embedder: Embedder | None) -> Floor:
    """The floor of an embedder; that of its family where it has none of its own."""
    if embedder is None:
        return WORDS_ONLY
    family = embedder.name.partition(":")[0]
    if "e5" in embedder.name.lower():
        family = "bundled"
    return FLOORS.get(family, FLOORS["sentence-transformers"])


def passes(field: Field, cue: Cue, lexicon: Lexicon, floor: Floor) -> NDArray[np.bool_]:
    """Which candidates matter by their own score; a day that is named always does."""
    asked = sum(lexicon.idf(word) for word in set(asked_words(cue)))
    coverage = field.lexical / asked if asked > 0 else np.zeros(len(field))
    return (field.dense >= floor.cosine) | (coverage >= floor.coverage) | (field.dated > 0)
