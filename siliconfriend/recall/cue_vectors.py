"""The vectors of a cue: of the message as it stands, and of a remark in its conversation.

A question is embedded alone. A remark is one vector with what was said before it, each
utterance by its weight, less the vector of a usual message in its language. What all messages
have in common, that somebody talks to somebody about themselves, lies near to the same few
memories whatever is talked about, and these would come to mind in every talk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import language_of
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.texts import Language

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CueVectors:
    """What is searched by meaning; None without an embedder, or where nothing is said.

    Attributes:
        message: of the message, length 1.
        talk: of a remark with its conversation; None for a question.
        beside: of a question with what the person said before it, where both are of one matter.
    """

    message: Vector | None = None
    talk: Vector | None = None
    beside: Vector | None = None

    @property
    def searched(self) -> Vector | None:
        """The one whose nearest memories become candidates: that which ranks them."""
        return self.message if self.talk is None else self.talk


def cue_vectors(
    cue: Cue, embedder: Embedder | None, usual: Mapping[Language, Vector]
) -> CueVectors:
    """Embed a cue.

    Args:
        cue: what is embedded.
        embedder: None gives no vectors.
        usual: the mean of many messages by their language, empty where nobody measured it.

    Raises:
        ModelUnavailable: the embedder is a service that failed.
    """
    if embedder is None or not cue.text.strip():
        return CueVectors()
    said = (*cue.context, *cue.before)
    texts = [cue.text, *(utterance.text for utterance in said)]
    vectors = embedder.queries(texts)
    weights = [1.0, *(utterance.weight for utterance in said)]
    if usual:
        common = np.stack([usual[language_of(text)] for text in texts])
        talk = _mean(vectors - common, weights)
    else:
        talk = _mean(vectors, weights)
        talk = talk / max(float(np.linalg.norm(talk)), 1e-9)
    if not cue.is_question:
        return CueVectors(vectors[0], talk)
    # Where nobody measured the usual message, nothing says which messages are of one matter.
    is_one_matter = bool(usual and cue.before) and _are_alike(vectors - common, weights)
    return CueVectors(vectors[0], beside=talk if is_one_matter else None)


def _mean(vectors: Vector, weights: Sequence[float]) -> Vector:
    return np.asarray(np.average(vectors, axis=0, weights=weights), dtype=np.float32)


def _are_alike(vectors: Vector, weights: Sequence[float]) -> bool:
    """True if the first has more in common with the others than two usual messages have."""
    return float(vectors[0] @ _mean(vectors[1:], weights[1:])) > 0.0
