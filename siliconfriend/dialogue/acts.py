"""What a message does: asks for something told, asks for advice, tells good news, says good night.

A logistic regression over the vector of the bundled embedder, as for danger in
:mod:`siliconfriend.dialogue.distress`; ``docs/make_act_weights.py`` learns it from
``tests/data/acts.toml``. The classifier covers what word lists miss: imperative requests,
questions about the program, moods. With another embedder only the form of a message counts.
"""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal, get_args

import numpy as np

from siliconfriend.language.characters import language_of
from siliconfriend.language.message import read_message
from siliconfriend.language.sentences import CLAUSE
from siliconfriend.recall.embedders.base import Embedder, Vector
from siliconfriend.recall.likelihood import BUNDLED
from siliconfriend.texts import LANGUAGES, Language

WEIGHTS = "act_weights.json"
"""File beside this one: see :class:`ActWeights`."""

Asking = Literal[
    "recall",
    "period",
    "advice",
    "create",
    "about_me",
    "just_said",
    "keeping",
    "erasing",
    "storage",
    "model",
    "identity",
    "today",
    "name",
]
"""Acts that need an answer: recalling something told (``recall``) or a time (``period``),
``advice`` and ``create`` (a joke, a poem), which need a model, and questions about the companion, the last message, the program, the day, or
the person's name.
"""

Telling = Literal["news", "plan", "joy", "loss", "worry", "anger", "tired", "joke", "wish"]
"""Acts that state something; ``wish`` is a wish about the companion's behaviour."""

CourtesyAct = Literal["greeting", "thanks", "farewell"]

Act = Asking | Telling | CourtesyAct | Literal["hard"]
"""``hard`` is one of :data:`HARD` without being clear which."""

HARD: tuple[Telling, ...] = ("loss", "worry", "anger", "tired")

ASKING: tuple[Act, ...] = get_args(Asking)
COURTESIES: tuple[Act, ...] = get_args(CourtesyAct)
ACTS: tuple[Act, ...] = (*get_args(Asking), *get_args(Telling), *get_args(CourtesyAct))

ASKS_BY_FORM = 2.0
"""Value of the question-form feature, in standard deviations of the vector dimensions; 0 without a
question form.
"""

ASKS, ASKS_BY_WORD = 0.7, 0.2
"""Probability thresholds for a question without a question mark: without and with a question
word.
"""

SURELY_ASKS = 0.8
"""Probability from which a message asks a question that stands before its last sentence."""

CLEAR_QUESTION, CLEAR_TELLING, SURELY_HARD = 0.35, 0.8, 0.6
"""Minimum probability of each act, of a question and of a statement, and of :data:`HARD` together.
Below them, a question counts as ``recall`` and a statement as plain news.
"""


@dataclass(frozen=True, slots=True)
class ActWeights:
    """Learned weights; rows are acts in the order of :data:`ACTS`.

    Attributes:
        of_vector: shape (acts, dimensions of the vector).
        of_form: for the form of a question; shape (acts,).
        bias: by language, since the mean vectors of two languages differ; shape (acts,) each.
    """

    of_vector: Vector
    of_form: Vector
    bias: dict[Language, Vector]

    def probabilities(self, vector: Vector, words: str) -> Vector:
        """Compute the probability of each act of some words; shape (acts,)."""
        form = ASKS_BY_FORM * read_message(words).is_question
        odds = self.of_vector @ vector + self.of_form * form + self.bias[language_of(words)]
        shares = np.exp(odds - odds.max())
        return np.asarray(shares / shares.sum())

    def to_json(self) -> str:
        """Write the weights of the vector as bytes with a scale for each act, the rest as numbers."""
        scales = np.abs(self.of_vector).max(axis=1) / 127
        quantized = np.rint(self.of_vector / scales[:, None]).astype(np.int8)
        document = {
            "acts": list(ACTS),
            "scales": [float(f"{scale:.4g}") for scale in scales],
            "of_vector": base64.b64encode(quantized.tobytes()).decode(),
            "of_form": [round(float(weight), 3) for weight in self.of_form],
            "bias": {
                name: [round(float(weight), 3) for weight in of] for name, of in self.bias.items()
            },
        }
        return json.dumps(document, indent=1) + "\n"


def read_act(words: str, embedder: Embedder | None) -> Act:
    """Return the act of a message; it asks if its last sentence does, the whole, or a question in it.

    A statement before a question is left out of it ("Ben hit me, was I wrong?"). A last sentence
    without the form of a question is read together with the whole ("We talked. It'll be ok.").
    """
    *others, last = read_message(words).sentences or (words,)
    if embedder is None or embedder.name != BUNDLED:
        return "recall" if read_message(last).is_question else "news"
    clause = CLAUSE.split(last)[-1].strip()
    if read_message(last).tells_before_asking and read_message(clause).is_question:
        last = clause
    asked = next((part for part in reversed(others) if read_message(part).ends_as_question), last)
    read = list(dict.fromkeys((words, last, asked)))
    pairs = zip(embedder.queries(read), read, strict=True)
    shares = {text: _weights().probabilities(vector, text) for vector, text in pairs}
    whole = shares[words]
    for part, least in ((last, _least(last)), (words, ASKS), (asked, SURELY_ASKS)):
        share = shares[part] if least < ASKS or part != last else (shares[part] + whole) / 2
        asking = share[: len(ASKING)]
        if asking.sum() >= least:
            return _clearest(asking / asking.sum(), ASKING, CLEAR_QUESTION, "recall")
    is_hard = sum(whole[ACTS.index(act)] for act in HARD) >= SURELY_HARD
    acts = ACTS[len(ASKING) :]
    return _clearest(whole[len(ASKING) :], acts, CLEAR_TELLING, "hard" if is_hard else "news")


def _least(sentence: str) -> float:
    """Return the probability from which a sentence asks for something, by its form."""
    reading = read_message(sentence)
    if reading.ends_as_question:
        return 0.0
    return ASKS_BY_WORD if reading.is_question else ASKS


def _clearest(shares: Vector, acts: Sequence[Act], least: float, otherwise: Act) -> Act:
    likeliest = int(shares.argmax())
    return acts[likeliest] if shares[likeliest] >= least else otherwise


@cache
def _weights() -> ActWeights:
    document = json.loads(resources.files(__package__).joinpath(WEIGHTS).read_text("utf-8"))
    assert tuple(document["acts"]) == ACTS
    raw = np.frombuffer(base64.b64decode(document["of_vector"]), dtype=np.int8)
    scales = np.array(document["scales"], dtype=np.float32)
    return ActWeights(
        raw.reshape(len(ACTS), -1).astype(np.float32) * scales[:, None],
        np.array(document["of_form"], dtype=np.float32),
        {language: np.array(document["bias"][language], np.float32) for language in LANGUAGES},
    )
