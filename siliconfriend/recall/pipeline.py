"""One recall: the message becomes a cue, finds candidates, is scored and judged, and the best become results."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from siliconfriend.clock import day_of
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.associations import table_of
from siliconfriend.recall.candidate_set import CandidateSet, Mask, Numbers, find_candidates
from siliconfriend.recall.cue import (
    Cue,
    CueVectors,
    Utterance,
    build_cue,
    cue_vectors,
    name_words,
)
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.expansion import ExpandedQuery, expand_query, search_weights
from siliconfriend.recall.facts import find_facts
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.likelihood import Judgement, Model, judge, model_of
from siliconfriend.recall.named_days import asks_only_for_time, spread_over_span
from siliconfriend.recall.recipes import Parts, Recipe, recipe_named
from siliconfriend.recall.results import (
    RecallResult,
    recalled_candidate,
    recalled_fact,
)
from siliconfriend.recall.similarity import calibration_of, similarity_to, with_topics


def rank(candidates: CandidateSet, scores: Numbers, is_eligible: Mask, top: int) -> list[int]:
    """Positions of the ``top`` best eligible candidates, best first; ties are broken by id."""
    eligible = np.flatnonzero(is_eligible)
    if top <= 0:
        return []
    if len(eligible) > top:
        least = -np.partition(-scores[eligible], top - 1)[top - 1]
        eligible = eligible[scores[eligible] >= least]
    memories = candidates.memories
    ranked = sorted(eligible.tolist(), key=lambda at: (-scores[at], memories[at].id))
    return ranked[:top]


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """Arguments of ``Recaller.recall``, described there."""

    query: str
    now: datetime
    top: int = 0
    recipe: str = "siliconfriend"
    talk: Sequence[Utterance] = ()
    exclude: Collection[str] = ()
    use_threshold: bool = True
    top_facts: int = 0
    companion_name: str = ""


@dataclass(frozen=True, slots=True)
class Examined:
    """A message with its candidates."""

    memory: PersonMemory
    cue: Cue
    query: ExpandedQuery
    vectors: CueVectors
    candidates: CandidateSet


class RecallPipeline:
    """Runs recalls over any index.

    Args:
        embedder: None ranks by words alone.
        policy: what retention and states go by.
        associations: the operator's table of associated words, which need not be there.
        likelihood: the operator's file of learned weights, which need not be there.
    """

    def __init__(
        self,
        embedder: Embedder | None,
        policy: ForgettingPolicy,
        associations: Path | None = None,
        likelihood: Path | None = None,
    ) -> None:
        self._embedder = embedder
        self._policy = policy
        self._associations = associations
        self.model = model_of(None if embedder is None else embedder.name, likelihood)
        self._calibration = calibration_of(embedder)

    def run(
        self, index: ScopeIndex, load: Callable[[], PersonMemory], request: RecallRequest
    ) -> RecallResult:
        """Recall: cue, candidates, scores, likelihood, ranking, results.

        Args:
            index: of the scope.
            load: gives the newest snapshot of the memory.
            request: what is asked for.

        Raises:
            As :meth:`siliconfriend.recall.recaller.Recaller.recall`.
        """
        recipe, timer = recipe_named(request.recipe), _Timer()
        found = self.examine(index, load, request, timer)
        with index.lock:
            facts = find_facts(
                index,
                found.cue.message,
                found.query,
                found.vectors.message,
                now=request.now,
                calibration=self._calibration,
                most=request.top_facts,
                exclude=request.exclude,
            )
        timer.step("facts")
        candidates, cue = found.candidates, found.cue
        judged = judge(candidates, cue, self.model)
        parts = recipe.score(candidates) if recipe.score else judged.parts
        chosen = _choose(candidates, cue, parts, judged, request, recipe)
        recalled = tuple(
            recalled_candidate(candidates, at, parts, self._policy, judged, request.now)
            for at in chosen
        )
        timer.step("rank")
        return RecallResult(
            request.query,
            request.recipe,
            request.now,
            recalled,
            tuple(recalled_fact(fact, found.memory, self._policy, request.now) for fact in facts),
            timer.steps,
        )

    def examine(
        self,
        index: ScopeIndex,
        load: Callable[[], PersonMemory],
        request: RecallRequest,
        timer: _Timer | None = None,
        model: Model | None = None,
    ) -> Examined:
        """Find the candidates of a message.

        Args:
            index: of the scope.
            load: gives the newest snapshot of the memory.
            request: what is asked for.
            timer: told of each step.
            model: whose baseline counts; the pipeline's own where it is not given.
        """
        recipe, timer = recipe_named(request.recipe), timer or _Timer()
        with index.lock:
            # Loaded under the lock, so that no thread takes the index back to an older snapshot.
            memory = load()
            timer.step("load")
            index.sync(memory, request.exclude)
            timer.step("index")
            cue = build_cue(
                request.query,
                memory,
                now=request.now,
                talk=request.talk,
                companion_name=request.companion_name,
                days=index.days_spoken,
                planned=index.times.days_after(day_of(request.now, memory.profile.zone)),
                frequency=index.word_index.frequency,
                always_joined=recipe.expands_query,
            )
            timer.step("cue")
            query = expand_query(
                cue,
                table_of(index, self._associations) if recipe.expands_query else None,
                names=name_words((memory.profile.name, request.companion_name)),
                frequency=index.word_index.frequency,
                documents=len(index.word_index),
            )
            timer.step("expansion")
        vectors = cue_vectors(cue, self._embedder, (model or self.model).baseline)
        timer.step("embed")
        with index.lock:
            # In step still, or with a newer snapshot that another thread asked with meanwhile.
            candidates = self._candidates(index, memory, cue, query, vectors, request, recipe)
        timer.step("search")
        return Examined(memory, cue, query, vectors, candidates)

    def _candidates(
        self,
        index: ScopeIndex,
        memory: PersonMemory,
        cue: Cue,
        query: ExpandedQuery,
        vectors: CueVectors,
        request: RecallRequest,
        recipe: Recipe,
    ) -> CandidateSet:
        """Find what the recipe ranks, with the stored topics where it looks at them."""
        candidates = find_candidates(
            index,
            cue,
            vectors,
            now=request.now,
            exclude=_excluded(cue, request),
            weights=search_weights(query, cue) if recipe.expands_query else None,
        )
        if not recipe.uses_topics:
            return candidates
        tokens = [token for _, token in cue.text_tokens]
        similarity = similarity_to(
            index, cue.text, tokens, vectors.message, self._calibration, request.now
        )
        return with_topics(candidates, memory.topics(), similarity, tokens)


def _excluded(cue: Cue, request: RecallRequest) -> Collection[str]:
    """Return the excluded rows: for a remark also the present conversation."""
    if cue.is_question:
        return request.exclude
    return {*request.exclude, *(said.turn for said in request.talk if said.turn)}


def _choose(
    candidates: CandidateSet,
    cue: Cue,
    parts: Parts,
    judged: Judgement,
    request: RecallRequest,
    recipe: Recipe,
) -> list[int]:
    """Positions of what is recalled, best first.

    Where the message asks for nothing but a time, what was told within it comes first. What lies
    outside a span may speak of it: a plan for February is made in January.
    """
    scores = sum(parts.values(), np.zeros(len(candidates)))
    is_left = np.ones(len(candidates), dtype=np.bool_)
    is_judged, only_time = recipe.score is None, asks_only_for_time(cue)
    if is_judged and request.use_threshold:
        is_left = judged.may_be & (candidates.new_share > 0)
        if only_time:
            is_left &= candidates.is_dated
    ranking: list[int] = []
    if is_judged and only_time and cue.spans:
        memories, days = candidates.memories, candidates.day_of_span
        ranking = spread_over_span(memories, days, scores, cue.spans, request.top)[: request.top]
    is_left[ranking] = False
    return ranking + rank(candidates, scores, is_left, request.top - len(ranking))


class _Timer:
    """Milliseconds between steps, so that a slow step can be named and not only felt.

    Attributes:
        steps: how long each took, by name, in order.
    """

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self._last = time.perf_counter()

    def step(self, name: str) -> None:
        """End a step, which began with the end of the one before."""
        now = time.perf_counter()
        self.steps[name] = round((now - self._last) * 1000, 3)
        self._last = now
