"""Recognise messages that ask the companion to do something about memory or about how it talks."""

from functools import cache
from importlib import resources
from typing import Literal, get_args

import numpy as np

from siliconfriend.language.characters import fold
from siliconfriend.language.message import read_message
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import beginning_and_end
from siliconfriend.recall.embedders.base import Embedder, Vector
from siliconfriend.recall.likelihood import BUNDLED

WishAct = Literal[
    "forget",
    "silence",
    "allow",
    "name",
    "language",
    "style",
    "timezone",
    "birthday",
    "correct",
    "other",
]
"""``forget``: erase something. ``silence``: do not bring it up. ``style``: how to answer from now on.
``allow``: such a wish no longer holds. ``name``: what the person is called. ``correct``: put right what
was said. ``other``: no wish."""

ACTS: tuple[WishAct, ...] = get_args(WishAct)

LEAST = 0.5
"""Minimum probability of an act, unless it only lists and asks (``forget``) or adds (``birthday``)."""

LEAST_ASKED = 0.9
"""Minimum probability of an act in the form of a question to the companion: "Can you be brief?"."""

SURELY_NONE = 0.96
"""Probability of ``other`` from which no sentence of a message is judged alone."""

LEAST_IN_CONTEXT = 0.1
"""Probability of ``correct`` from which a message may correct the statement before it."""

WITH_FORMS: tuple[WishAct, ...] = ("correct", "name", "language", "silence")
"""Acts whose plainest forms are patterns (``[wishes]`` of ``message.toml``), for any embedder."""

WEIGHTS = "wish_weights.txt"
"""File beside this one: a row for each act, its bias and a weight for each dimension of the vector."""


def likely_act(message: str, embedder: Embedder | None) -> WishAct:
    """Return the act of a message: by an unmistakable form, else by multinomial regression.

    The weights are learned for the bundled embedder; without it all else is ``other``. A question is
    no wish unless it is one to the companion, and never a correction.
    """
    plain = " ".join(fold(message).replace("’", "'").split())
    for act in WITH_FORMS:
        if matches("message", f"wishes.{act}_forms", plain):
            return act
    shares, reading = _probabilities(message, embedder), read_message(message)
    if shares is None:
        return "other"
    best, least = ACTS[int(shares.argmax())], LEAST
    if best == "correct" and _asks(message):
        return "other"
    if reading.only_asks:
        least = LEAST_ASKED if reading.addresses_companion else 1.0
    is_harmless = best == "forget" or (best == "birthday" and not reading.only_asks)
    return best if is_harmless or shares.max() >= least else "other"


def may_be_wish(message: str, embedder: Embedder | None) -> bool:
    """Return True unless a message surely has no wish, also in one of its sentences."""
    shares = _probabilities(message, embedder)
    return shares is None or shares[ACTS.index("other")] < SURELY_NONE


def may_correct(message: str, embedder: Embedder | None) -> bool:
    """Return True if a message that asks nothing may correct a statement about the same."""
    shares = None if _asks(message) else _probabilities(message, embedder)
    return shares is not None and shares[ACTS.index("correct")] >= LEAST_IN_CONTEXT


def _asks(message: str) -> bool:
    """Return True if a sentence of a message asks: "I shouted at Ben. Was I wrong?"."""
    return any(read_message(sentence).asks for sentence in read_message(message).sentences)


def _probabilities(message: str, embedder: Embedder | None) -> Vector | None:
    """Return the probability of each act; None without the bundled embedder."""
    if embedder is None or embedder.name != BUNDLED:
        return None
    weights = _weights()
    vector = embedder.queries([beginning_and_end(message)])[0]
    odds = weights[:, 1:] @ vector + weights[:, 0]
    shares = np.exp(odds - odds.max())
    return np.asarray(shares / shares.sum())


@cache
def _weights() -> Vector:
    with resources.files(__package__).joinpath(WEIGHTS).open() as file:
        return np.loadtxt(file, dtype=np.float32)
