"""Learns what messages do: writes siliconfriend/dialogue/act_weights.json.

From three of every four examples of each act in ``tests/data/acts.toml``, and from the questions that
some lives of ``tests/life`` ask about what was told. Prints how many of the held-out examples are
classified correctly, and how many questions of the other lives. Takes some minutes and no network.
"""

import json
import tomllib
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from siliconfriend.dialogue import acts
from siliconfriend.language.message import read_message
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.texts import LANGUAGES, Language

TESTS = Path(__file__).parents[1] / "tests"
HELD = 4
"""Every so manieth example of an act is held out."""

TEACHING_LIVES = ("tuned", "more", "fresh", "held", "plain_b", "plain_c", "plain_e")
"""Lives whose questions are learned from."""

KINDS = ("fact", "direct", "correction", "several", "other", "none")
"""Kinds of questions of a life that ask about something told."""

QUESTION_WEIGHT = 0.25
"""Weight of a question of a life; they are as many as all examples of ``recall``."""


class Example(NamedTuple):
    """A message, its act, its weight in learning, and whether it is held out."""

    words: str
    act: str
    language: Language
    is_held: bool
    weight: float = 1.0


def examples() -> list[Example]:
    """Return all examples of the file."""
    document = tomllib.loads((TESTS / "data" / "acts.toml").read_text(encoding="utf-8"))
    return [
        Example(words, act, language, number % HELD == HELD - 1)
        for language in LANGUAGES
        for act, said in document[language].items()
        for number, words in enumerate(said)
    ]


def questions() -> list[Example]:
    """Return the questions of all lives about what was told."""
    found = []
    for language, file in product(LANGUAGES, sorted((TESTS / "life").glob("*.json"))):
        if file.name.startswith(language):
            asked = json.loads(file.read_text(encoding="utf-8"))["ask"]
            is_held = file.stem.partition("_")[2] not in TEACHING_LIVES
            found += [
                Example(words, "recall", language, is_held, QUESTION_WEIGHT)
                for kind, words, _ in asked
                if kind in KINDS
            ]
    return found


def main() -> None:
    """Learn the weights, write them, and print how well they read what is held out."""
    from sklearn.linear_model import LogisticRegression

    every, embedder = [*examples(), *questions()], BundledEmbedder()
    learned = [example for example in every if not example.is_held]
    vectors = embedder.queries([example.words for example in learned])
    of = np.array([example.language for example in learned])
    mean = {language: vectors[of == language].mean(axis=0) for language in LANGUAGES}
    centred = vectors - np.stack([mean[example.language] for example in learned])
    deviation = float(vectors.std(axis=0).mean())
    form = [acts.ASKS_BY_FORM * read_message(example.words).is_question for example in learned]
    features = np.column_stack([centred / deviation, form])
    labels = [acts.ACTS.index(example.act) for example in learned]
    weights_of = [example.weight for example in learned]
    model = LogisticRegression(C=0.05, max_iter=3000).fit(features, labels, weights_of)
    of_vector = model.coef_[:, :-1] / deviation
    bias = {name: model.intercept_ - of_vector @ mean[name] for name in LANGUAGES}
    weights = acts.ActWeights(of_vector, model.coef_[:, -1], bias)
    file = Path(acts.__file__).with_name(acts.WEIGHTS)
    file.write_text(weights.to_json(), encoding="utf-8")
    for language in LANGUAGES:
        held = [example for example in every if example.is_held and example.language == language]
        for name, weight in (("examples", 1.0), ("questions of lives", QUESTION_WEIGHT)):
            of_kind = [example for example in held if example.weight == weight]
            right = [acts.read_act(example.words, embedder) == example.act for example in of_kind]
            print(language, f"{sum(right)} of {len(right)} held-out {name}")


if __name__ == "__main__":
    main()
