"""Recipes: named ways to rank candidates.

``siliconfriend`` is the default; the recipes of other systems, for comparison, are in
:mod:`siliconfriend.seeds.recipes`, which is loaded when one of them is named. To add a recipe, write
a function from a :class:`CandidateSet` to the parts of the scores and add it to a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from siliconfriend.errors import UsageError
from siliconfriend.recall.candidate_set import CandidateSet
from siliconfriend.recall.cue import Cue, CueVectors
from siliconfriend.recall.likelihood import FEATURES
from siliconfriend.recall.scoring import Numbers, ranks

if TYPE_CHECKING:
    from siliconfriend.memory.records import PersonMemory
    from siliconfriend.recall.embedders.base import Embedder
    from siliconfriend.recall.index import ScopeIndex

Parts = Mapping[str, Numbers]
"""The parts of the scores by name, each of the candidates' length; their sum is the score."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The index, memory and message available to a recipe besides its candidates.

    Attributes:
        index: its lock is held.
        names: the words of the names of the two who speak.
        home: the data directory, which may hold the operator's own files.
        vectors: of the message; None before the search.
    """

    index: ScopeIndex
    memory: PersonMemory
    cue: Cue
    names: frozenset[str]
    home: Path | None
    embedder: Embedder | None
    vectors: CueVectors | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to rank candidates.

    Attributes:
        score: gives the parts of each candidate's score; None where likelihood ranks and leaves out
            what is unlikely. The other recipes always recall their best.
        search_weights: the weight of each token to search for; None searches for the tokens of the
            cue, some of them from the talk.
        joins_reply: always join the last reply to the message.
        extend: adds values to the candidates that only this recipe scores.
        without: the feature that the likelihood leaves out, to measure what it brings.
    """

    score: Callable[[CandidateSet], Parts] | None
    search_weights: Callable[[Searched], Mapping[str, float]] | None = None
    joins_reply: bool = False
    extend: Callable[[CandidateSet, Searched], CandidateSet] | None = None
    without: str = ""


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


def message_weights(searched: Searched) -> Mapping[str, float]:
    """Search for the words of the message as they are."""
    return dict.fromkeys((token for _, token in searched.cue.tokens), 1.0)


RECIPES: Mapping[str, Recipe] = {
    "siliconfriend": Recipe(None),
    "bm25": Recipe(bm25, search_weights=message_weights),
    "cosine": Recipe(cosine, search_weights=message_weights),
    "rrf": Recipe(rrf, search_weights=message_weights),
}
DEFAULT, WITHOUT = "siliconfriend", " without "
"""The name of the default recipe, and what stands between it and a feature that is left out."""

SEED_RECIPES = "siliconfriend.seeds.recipes"
"""The module with the recipes of other systems."""


def recipe_named(name: str) -> Recipe:
    """Return a recipe, or the default one "without" a feature; UsageError for an unknown name."""
    if name in RECIPES:
        return RECIPES[name]
    usual, _, feature = name.partition(WITHOUT)
    if usual == DEFAULT and feature in FEATURES:
        return Recipe(None, without=feature)
    seeds: Mapping[str, Recipe] = import_module(SEED_RECIPES).RECIPES
    if name not in seeds:
        raise UsageError("recipe_unknown", name=name, known=", ".join(recipe_names()))
    return seeds[name]


def name_without(feature: str) -> str:
    """Return the name of the default recipe without a feature of the judge."""
    return f"{DEFAULT}{WITHOUT}{feature}"


def recipe_names() -> tuple[str, ...]:
    """Return the names of all recipes, the default first."""
    return (*RECIPES, *import_module(SEED_RECIPES).RECIPES)


def _reciprocal_ranks(scores: Numbers) -> Numbers:
    """Return 1 / (k + rank) of each score, 0 where it is 0."""
    return np.where(scores != 0, 1.0 / (RRF_K + ranks(scores)), 0.0)
