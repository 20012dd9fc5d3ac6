"""Recipes: named ways to rank candidates, ours and those the project's sources describe.

Every recipe sees the same candidates and gives a score each with its parts, so one table
can compare them. To add one, write a function from a :class:`CandidateSet` to the parts of
the scores, whose docstring names its source, and add it to :data:`RECIPES`; the commands and
the evaluation take it from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siliconfriend.errors import UsageError
from siliconfriend.language.words import content_set
from siliconfriend.recall.association import DECAY, reverie_parts
from siliconfriend.recall.candidate_set import CandidateSet
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.scoring import Numbers, min_max

Parts = Mapping[str, Numbers]
"""The parts of the scores by name, each of the candidates' length; their sum is the score."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to rank candidates.

    Attributes:
        score: gives the parts of each candidate's score; None where likelihood ranks and leaves out
            what is unlikely. The recipes of other sources always recall their best.
        expands_query: it searches by weighted and expanded words, and always joins the last
            reply to the message.
        uses_topics: it looks at the stored topics; the others are not made to pay for them.
        is_plain: it searches by the words of the message as they are.
    """

    score: Callable[[CandidateSet], Parts] | None
    expands_query: bool = False
    uses_topics: bool = False
    is_plain: bool = False


TIME_GAP = 0.1
"""What was said a moment ago gets this beside a perfect match in words. Chosen, with what an
expanded word counts, on the tables of ``docs/evaluation.md``."""

TOPICS = 5  # how many topics MemoryOS looks into

TOPIC_FLOOR = 0.1
"""The least a topic's similarity and share of keywords must come to, MemoryOS's number."""


RRF_K = 60  # constant of reciprocal rank fusion


def bm25(candidates: CandidateSet) -> Parts:
    """Baseline: BM25 alone (k1 1.2, b 0.75)."""
    return {"lexical": candidates.lexical}


def cosine(candidates: CandidateSet) -> Parts:
    """Baseline: cosine of the message with each memory alone."""
    return {"dense": candidates.dense}


def rrf(candidates: CandidateSet) -> Parts:
    """Baseline: reciprocal rank fusion of BM25 and cosine (Cormack et al., 2009; k = 60)."""
    return {
        "lexical": _reciprocal_ranks(candidates.lexical),
        "dense": _reciprocal_ranks(candidates.dense),
    }


def memorybank(candidates: CandidateSet) -> Parts:
    """MemoryBank (arXiv 2305.10250): the nearest memory pieces by meaning alone."""
    return {"dense": _dense_or_lexical(candidates)}


def generative_agents(candidates: CandidateSet) -> Parts:
    """Generative Agents (arXiv 2304.03442).

    Recency 0.99 to the seconds since the last access and cosine, each min-max normalised,
    and importance, with weight 1 each. The power is taken in log space, where it does not
    underflow.
    """
    recency = min_max(-candidates.idle_days * 86_400.0 * -np.log(0.99))
    return {
        "recency": recency,
        "importance": candidates.importance,
        "relevance": min_max(_dense_or_lexical(candidates)),
    }


def reverie(candidates: CandidateSet) -> Parts:
    """The retrieval of the code of Generative Agents.

    Recency 0.99 to the rank by last use, relevance and importance, each min-max normalised,
    weighted 0.5, 3 and 2.
    """
    relevance = _dense_or_lexical(candidates)
    return reverie_parts(DECAY**candidates.use_rank, relevance, candidates.importance)


def reverie_words(candidates: CandidateSet) -> Parts:
    """The other retrieval of the code of Generative Agents: association.

    The memories that share most key words with the question, whatever their letter case and
    width; among those that share as many, the more recently used. Meaning plays no part.
    """
    asked = content_set(candidates.text)
    shared = [len(asked & content_set(searched_text(it))) for it in candidates.memories]
    return {
        "shared": np.array(shared, dtype=np.float64),
        "recency": 0.5 * min_max(DECAY**candidates.use_rank),
    }


def dynamic(candidates: CandidateSet) -> Parts:
    """The dynamic memory of a virtual human (its fourth version).

    Key words, the time gap and meaning, weighed beside each other. The words of the last
    reply and the message count by their TF-IDF and those that come to mind with them by
    their level (:func:`siliconfriend.recall.expansion.search_weights`); meaning is that of
    both together. A memory loses with the logarithm of its age.
    """
    gap = 1.0 / (1.0 + np.log1p(np.maximum(candidates.age_days, 0.0)))
    return {
        "keywords": _share_of_best(candidates.lexical),
        "meaning": min_max(_dense_or_lexical(candidates)),
        "time": TIME_GAP * gap,
    }


def memoryos(candidates: CandidateSet) -> Parts:
    """MemoryOS (arXiv 2506.06326): first the topics nearest to the question, then their pages.

    Of the stored topics the five nearest by their summary's meaning and key words, from 0.1
    on, and in them the pages by meaning. Where no topic is stored, a day's talk is one: it
    scores by its best page's meaning plus its share of the question's words.
    """
    page = _dense_or_lexical(candidates)
    if candidates.topic is not None and candidates.topic_scores is not None:
        nearest = np.argsort(-candidates.topic_scores, kind="stable")[:TOPICS]
        chosen = nearest[candidates.topic_scores[nearest] >= TOPIC_FLOOR]
        return {"topic": np.isin(candidates.topic, chosen).astype(np.float64), "page": page}
    pages, topic = _by_day(candidates, page)
    words, _ = _by_day(candidates, _share_of_best(candidates.lexical))
    chosen = np.argsort(-(pages + words), kind="stable")[:TOPICS]
    return {"topic": np.isin(topic, chosen).astype(np.float64), "page": page}


RECIPES: Mapping[str, Recipe] = {
    "siliconfriend": Recipe(None),
    "bm25": Recipe(bm25, is_plain=True),
    "cosine": Recipe(cosine, is_plain=True),
    "rrf": Recipe(rrf, is_plain=True),
    "memorybank": Recipe(memorybank),
    "generative_agents": Recipe(generative_agents),
    "reverie": Recipe(reverie),
    "reverie_words": Recipe(reverie_words),
    "dynamic": Recipe(dynamic, expands_query=True),
    "memoryos": Recipe(memoryos, uses_topics=True),
}


def recipe_named(name: str) -> Recipe:
    """Return a recipe; UsageError for an unknown name."""
    if name not in RECIPES:
        raise UsageError("recipe_unknown", name=name, known=", ".join(RECIPES))
    return RECIPES[name]


def _reciprocal_ranks(scores: Numbers) -> Numbers:
    """Return 1 / (k + rank) of each score, 0 where it is 0."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(scores != 0, 1.0 / (RRF_K + ranks), 0.0)


def _share_of_best(values: Numbers) -> Numbers:
    best = values.max(initial=0.0)
    return values / best if best > 0 else np.zeros_like(values)


def _dense_or_lexical(candidates: CandidateSet) -> Numbers:
    return candidates.dense if candidates.dense.any() else _share_of_best(candidates.lexical)


def _by_day(candidates: CandidateSet, values: Numbers) -> tuple[Numbers, NDArray[np.int64]]:
    """Return the best value of each day, oldest first, and the day of each candidate."""
    days, day = np.unique(candidates.day, return_inverse=True)
    best = np.full(len(days), -np.inf)
    np.maximum.at(best, day, values)
    return best, day
