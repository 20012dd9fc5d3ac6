"""How likely a memory is the one that a message calls for, by signs whose weights are learned.

Of what lies nearest something always lies nearest. Whether it is said, and how surely, must not
hang on numbers set by hand for the sentences that somebody had in view: each sign counts what it
counted for questions and remarks that were learned from (``siliconfriend evaluate likelihood``),
and all together give a share of one, by logistic regression. Without this step the companion
would answer every remark about the weather with a memory, and every question with something.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from math import exp
from pathlib import Path
from typing import Any, Literal

from siliconfriend.dialogue.told_words import said_words, telling_share, tells_something
from siliconfriend.errors import ConfigurationError
from siliconfriend.language.word_coverage import content_forms, held_in
from siliconfriend.memory.records import Turn
from siliconfriend.recall.answers import life_matters_asked
from siliconfriend.recall.cue import asks_memory, find_names
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.results import Recalled
from siliconfriend.recall.signs import Signs

Kind = Literal["question", "remark"]
KINDS: tuple[Kind, ...] = ("question", "remark")

FILE_NAME = "likelihood.json"
"""The project's weights beside this file; the operator's own in the data directory."""

WORDS_ONLY = "none"
"""The name of the weights that count without an embedder."""

BUNDLED = "bundled"
"""Those that count for an embedder which nothing was learned for: signs are in standard deviations."""

NO_SIGNS = Signs(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, is_named=False, asked_rareness=0.0, asked_rarest=0.0)  # fmt: skip

MOST = 0.75
"""From this share of a question's content words on a memory holds most of it."""

LONG = 6
"""More content words than this make a message no longer."""

LEADS: Mapping[str, str] = {"standing": "lead", "situation": "situation_lead"}
"""Signs of which it counts as well how far a memory leads all others, or how far it is behind."""

Features = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one kind of message.

    Attributes:
        bias: the log odds of a memory without any sign.
        signs: what one of each sign adds to it, by name.
        sure, some: from these likelihoods on a memory is what was meant, and may be it.
    """

    bias: float
    signs: Mapping[str, float]
    sure: float
    some: float

    def likelihood(self, features: Features) -> float:
        """The likelihood of a memory with some features, 0 to 1."""
        odds = self.bias + sum(
            weight * features.get(name, 0.0) for name, weight in self.signs.items()
        )
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, odds))))


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a message counts beside the memories: read once for all of them.

    Attributes:
        kind: a question for something that was told, or anything else.
        words: its content words.
        names: it has some.
        is_dated, has_feast: it names days, or a feast of no year, which may be any.
        answers: ids of what tells of the matter it asks about, best first, with their scores.
        has_matter: it asks about a matter of a life.
    """

    kind: Kind
    words: frozenset[str]
    names: bool
    is_dated: bool
    has_feast: bool
    answers: Mapping[str, float]
    has_matter: bool

    @classmethod
    def of(cls, said: str, spans: Sequence[DateSpan], answers: Sequence[Recalled]) -> Asked:
        """Read a message, of which the days it names are known."""
        days = [span for span in spans if not span.vague]
        feasts = [span for span in days if span.told_after and not span.has_year]
        return cls(
            "question" if asks_memory(said) else "remark",
            frozenset(content_forms(said)),
            bool(find_names(said)),
            len(days) > len(feasts),
            bool(feasts),
            {it.memory.id: it.score for it in answers},
            bool(life_matters_asked(said)),
        )

    def features_of(self, found: Iterable[Recalled]) -> list[dict[str, float]]:
        """The features of each memory that was found for this message."""
        each = [self._features(it) for it in found]
        for sign, lead in LEADS.items():
            highest = sorted((it[sign] for it in each), reverse=True)
            for it in each:
                other = highest[it[sign] == highest[0]] if len(highest) > 1 else 0.0
                it[lead] = it[sign] - other
        return each

    def _features(self, recalled: Recalled) -> dict[str, float]:
        signs, words = recalled.signs or NO_SIGNS, said_words(recalled.memory)
        held = len(held_in(words, self.words)) / max(1, len(self.words))
        features = {
            "standing": signs.standing,
            "touch": signs.touch,
            "crowd": signs.crowd,
            "words": signs.words,
            "related": signs.related,
            "situation": signs.situation,
            "coverage": signs.coverage,
            "rareness": signs.rareness,
            "asked_rareness": signs.asked_rareness,
            "asked_rarest": signs.asked_rarest,
            "held": held,
            "shares": float(held > 0),
            "length": float(min(len(self.words), LONG)),
            "telling": telling_share(words),
            "relevant": float(recalled.is_relevant),
        }
        if self.kind == "remark":
            return features
        is_answer = recalled.memory.id in self.answers
        first = next(iter(self.answers), None)
        return {
            **features,
            "holds_most": float(held >= MOST),
            "date": signs.date,
            "of_days": float(signs.date > 0),
            "of_feast": float(self.has_feast and signs.date > 0),
            "of_other_days": float(self.is_dated and signs.date <= 0),
            "names_days": float(self.is_dated),
            "named": float(signs.is_named),
            "not_named": float(self.names and not signs.is_named),
            "answer": self.answers.get(recalled.memory.id, 0.0),
            "is_answer": float(is_answer),
            "is_first_answer": float(is_answer and first == recalled.memory.id),
            "no_answer": float(bool(self.answers) and not is_answer),
            "nothing_told": float(self.has_matter and not self.answers),
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """How likely each memory that was found is the one a message calls for.

    Attributes:
        of: the likelihood of each by its id, 0 to 1.
        sure, some: from these on it is what was meant, and may be it.
    """

    of: Mapping[str, float] = field(default_factory=dict)
    sure: float = 1.0
    some: float = 0.0

    def likelihood(self, recalled: Recalled) -> float:
        """That of a memory; 0 of one that was not judged."""
        return self.of.get(recalled.memory.id, 0.0)


def judge(asked: Asked, found: Iterable[Recalled], weights: Mapping[Kind, Weights]) -> Judged:
    """Judge what was found for a message."""
    learned = weights[asked.kind]
    every = {it.memory.id: it for it in found}
    likelihoods = {
        identifier: learned.likelihood(features)
        for identifier, features in zip(every, asked.features_of(every.values()), strict=True)
    }
    return Judged(likelihoods, learned.sure, learned.some)


def may_be_said(recalled: Recalled) -> bool:
    """True for what tells something in the person's own words, and so can be learned from."""
    memory = recalled.memory
    return not isinstance(memory, Turn) or tells_something(memory.query)


def weights_for(embedder: str | None, file: Path | None = None) -> Mapping[Kind, Weights]:
    """The weights of an embedder: the operator's, the project's, or those of the bundled one.

    Args:
        embedder: its name; None for words alone.
        file: the operator's own, which need not be there.

    Raises:
        ConfigurationError: the operator's file cannot be read.
    """
    name = embedder or WORDS_ONLY
    if file is not None and file.is_file():
        learned = read_weights(file.read_bytes(), file)
        if name in learned:
            return learned[name]
    return _ours().get(name, _ours()[BUNDLED])


@cache
def _ours() -> Mapping[str, Mapping[Kind, Weights]]:
    """The weights that come with the program."""
    return read_weights(resources.files(__package__).joinpath(FILE_NAME).read_bytes(), FILE_NAME)


def read_weights(data: bytes, path: Path | str) -> Mapping[str, Mapping[Kind, Weights]]:
    """The weights of a file by the embedder's name.

    Raises:
        ConfigurationError: it has another form.
    """
    try:
        document: Any = json.loads(data)
        return {
            name: {kind: _weights(learned[kind]) for kind in KINDS}
            for name, learned in document.items()
        }
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ConfigurationError("likelihood_unreadable", path=path, cause=error) from error


def write_weights(file: Path, embedder: str | None, weights: Mapping[Kind, Weights]) -> None:
    """Write an embedder's weights into a file beside those of others.

    Raises:
        ConfigurationError: the file cannot be read or written.
    """
    document: dict[str, Any] = json.loads(file.read_bytes()) if file.is_file() else {}
    document[embedder or WORDS_ONLY] = {
        kind: {
            "bias": round(it.bias, 3),
            "sure": round(it.sure, 3),
            "some": round(it.some, 3),
            "signs": {name: round(weight, 3) for name, weight in it.signs.items()},
        }
        for kind, it in weights.items()
    }
    try:
        file.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=file, cause=error) from error


def _weights(learned: Mapping[str, Any]) -> Weights:
    signs = {str(name): float(weight) for name, weight in learned["signs"].items()}
    return Weights(float(learned["bias"]), signs, float(learned["sure"]), float(learned["some"]))
