"""Learns what messages do: writes siliconfriend/dialogue/act_weights.json.

From three of every four examples of each act in ``tests/data/acts.toml``; prints how many of the others
it reads rightly. It takes some minutes and no network.
"""

import tomllib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from siliconfriend.dialogue import acts
from siliconfriend.language.message import read_message
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.texts import LANGUAGES, Language

FILE = Path(__file__).parents[1] / "tests" / "data" / "acts.toml"
HELD = 4
"""Every so manieth example of an act is held out."""


class Example(NamedTuple):
    """A message, what it does, and whether it is held out."""

    words: str
    act: str
    language: Language
    is_held: bool


def examples() -> list[Example]:
    """Return all examples of the file."""
    document = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [
        Example(words, act, language, number % HELD == HELD - 1)
        for language in LANGUAGES
        for act, said in document[language].items()
        for number, words in enumerate(said)
    ]


def main() -> None:
    """Learn the weights, write them, and print how well they read what is held out."""
    from sklearn.linear_model import LogisticRegression

    learned = [example for example in examples() if not example.is_held]
    vectors = BundledEmbedder().queries([example.words for example in learned])
    of = np.array([example.language for example in learned])
    mean = {language: vectors[of == language].mean(axis=0) for language in LANGUAGES}
    centred = vectors - np.stack([mean[example.language] for example in learned])
    deviation = float(vectors.std(axis=0).mean())
    form = [acts.ASKS_BY_FORM * read_message(example.words).is_question for example in learned]
    features = np.column_stack([centred / deviation, form])
    labels = [acts.ACTS.index(example.act) for example in learned]
    model = LogisticRegression(C=0.05, max_iter=3000).fit(features, labels)
    of_vector = model.coef_[:, :-1] / deviation
    bias = {name: model.intercept_ - of_vector @ mean[name] for name in LANGUAGES}
    weights = acts.ActWeights(of_vector, model.coef_[:, -1], bias)
    file = Path(acts.__file__).with_name(acts.WEIGHTS)
    file.write_text(weights.to_json(), encoding="utf-8")
    embedder = BundledEmbedder()
    for language in LANGUAGES:
        held = [
            example for example in examples() if example.is_held and example.language == language
        ]
        right = [acts.read_act(example.words, embedder) == example.act for example in held]
        print(language, f"{sum(right)} of {len(right)} held out")


if __name__ == "__main__":
    main()
