"""Named ways to rank candidates: ours, and those the project's sources describe.

Every recipe sees the same candidates and gives a score each with its parts, so one table
can compare them. Each is one small function whose docstring names its source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from siliconfriend.errors import UsageError
from siliconfriend.recall.field import Field, Numbers
from siliconfriend.recall.scoring import min_max

Scored = Mapping[str, Numbers]
"""The parts of the scores by name, each of the field's length; their sum is the score."""

Recipe = Callable[[Field], Scored]

NEIGHBOUR = 0.5
"""Of the better neighbour's own score: an answer often stands one turn beside the words of the
question ("Which park?" — "Green Meadow"), but never weighs more than the words themselves."""

DATED = 1.0
"""A day that the question names counts as much as a perfect match in words or in meaning."""

RECENCY, IMPORTANCE, RETENTION = 0.05, 0.05, 0.1
"""Enough to order memories that match alike, too little to put a worse match first."""

HALF_FRESH_DAYS = 30.0
"""Days after which recency counts half."""


def siliconfriend(field: Field) -> Scored:
    """Meaning and words as equals, the day that is named, and what was said next to it.

    Meaning counts from the mean cosine over all memories (an embedder whose cosines all lie
    between 0.75 and 0.97 says nothing by the cosine itself) to the best; words from no
    match to the best. The default recipe; measured in ``docs/evaluation.md``.
    """
    dense, lexical = _above_mean(field), _share_of_best(field.lexical)
    dated = DATED * field.dated
    own = dense + lexical + dated
    return {
        "dense": dense,
        "lexical": lexical,
        "date": dated,
        "neighbour": NEIGHBOUR * _best_neighbour(field, own),
        "recency": RECENCY * 0.5 ** (field.age_days / HALF_FRESH_DAYS),
        "importance": IMPORTANCE * field.importance,
        "retention": RETENTION * field.retention,
    }


def memorybank(field: Field) -> Scored:
    """MemoryBank (arXiv 2305.10250): the nearest memory pieces by meaning alone."""
    return {"dense": _dense_or_words(field)}


def generative_agents(field: Field) -> Scored:
    """Generative Agents (arXiv 2304.03442), as seed 000 writes it.

    Recency 0.99 to the seconds since the last access and cosine, each min-max normalised,
    and importance, with weight 1 each. The power is taken in log space, where it does not
    underflow.
    """
    recency = min_max(-field.idle_days * 86_400.0 * -np.log(0.99))
    return {
        "recency": recency,
        "importance": field.importance,
        "relevance": min_max(_dense_or_words(field)),
    }


def reverie(field: Field) -> Scored:
    """The retrieval of the Generative Agents code, as seed 001 writes it.

    Recency 0.99 to the rank by last use, relevance and importance, each min-max normalised,
    weighted 0.5, 3 and 2.
    """
    return {
        "recency": 0.5 * min_max(0.99**field.use_rank),
        "relevance": 3.0 * min_max(_dense_or_words(field)),
        "importance": 2.0 * min_max(field.importance),
    }


def dynamic(field: Field) -> Scored:
    """The dynamic memory of a virtual human (seed 003, fourth version).

    Key words, meaning and the time gap fused: words and meaning count alike, and a memory
    loses with the logarithm of its age.
    """
    gap = 1.0 / (1.0 + np.log1p(np.maximum(field.age_days, 0.0)))
    return {
        "keywords": _share_of_best(field.lexical),
        "meaning": min_max(_dense_or_words(field)),
        "time": 0.3 * gap,
    }


def memoryos(field: Field) -> Scored:
    """MemoryOS (seed 004): first the topics nearest to the question, then their pages.

    Until topics are stored, a topic is a day's talk: it scores by its best page's meaning
    plus its share of the question's words, and the pages of the five best topics are
    ranked by meaning.
    """
    dates = np.array([memory.date for memory in field.memories])
    page = _dense_or_words(field)
    words = _share_of_best(field.lexical)
    topics = {date: page[dates == date].max() + words[dates == date].max() for date in set(dates)}
    chosen = sorted(topics, key=lambda date: (-topics[date], date))[:5]
    return {"topic": np.isin(dates, chosen).astype(np.float64), "page": page}


RECIPES: Mapping[str, Recipe] = {
    recipe.__name__: recipe
    for recipe in (siliconfriend, memorybank, generative_agents, reverie, dynamic, memoryos)
}


def recipe_named(name: str) -> Recipe:
    """The recipe of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in RECIPES:
        raise UsageError("recipe_unknown", name=name, known=", ".join(RECIPES))
    return RECIPES[name]


def _above_mean(field: Field) -> Numbers:
    """Cosines from the mean over all memories (0) to the best (1); worse than the mean is 0."""
    best = field.dense.max(initial=field.dense_mean)
    if best - field.dense_mean < 1e-9:
        return np.zeros(len(field))
    return np.asarray(np.clip((field.dense - field.dense_mean) / (best - field.dense_mean), 0, 1))


def _share_of_best(values: Numbers) -> Numbers:
    best = values.max(initial=0.0)
    return values / best if best > 0 else np.zeros_like(values)


def _dense_or_words(field: Field) -> Numbers:
    """The cosine; without an embedder, the words."""
    return field.dense if field.dense.any() else _share_of_best(field.lexical)


def _best_neighbour(field: Field, own: Numbers) -> Numbers:
    padded = np.append(own, 0.0)  # position -1 is nobody, with nothing to give
    return np.asarray(np.maximum(padded[field.previous], padded[field.following]))
