"""The pipeline of one recall, from the message to the memories that matter to it.

It reads top to bottom in :meth:`RecallPipeline.run`: the message becomes a cue, the cue finds
candidates, the recipe scores them, the threshold says which matter, the best are ranked and
become results. What is known is searched beside them, by the same cue.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from siliconfriend.clock import day_of
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.language.characters import is_chinese
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.answers import MOST_READ, asks_of_life, find_answers
from siliconfriend.recall.association import OwnWeights
from siliconfriend.recall.candidate_set import POOL, CandidateSet, Mask, find_candidates
from siliconfriend.recall.cue import Cue, Utterance, build_cue
from siliconfriend.recall.cue_vectors import CueVectors, Vector, cue_vectors
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.echoes import is_echo, with_new_shares
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.expansion import ExpandedQuery, expand_query, search_weights
from siliconfriend.recall.facts import FoundFact, find_facts
from siliconfriend.recall.found_answer import FoundAnswer
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.learned_associations import AssociationTables
from siliconfriend.recall.ranking import rank, rank_within_spans
from siliconfriend.recall.rareness import Rareness
from siliconfriend.recall.recipes import Parts, Recipe, recipe_named
from siliconfriend.recall.references import resolve_references
from siliconfriend.recall.related_words import related_weights
from siliconfriend.recall.relevance_threshold import (
    above_threshold,
    coverage,
    on_relevant_day,
    touched_by_remark,
)
from siliconfriend.recall.results import (
    RecallResult,
    is_retelling,
    recalled_answer,
    recalled_candidate,
    recalled_fact,
)
from siliconfriend.recall.score_calibration import calibration_of
from siliconfriend.recall.signs import SignReader, Usual
from siliconfriend.recall.similarity import similarity_to, with_topics
from siliconfriend.recall.situations import situation_weights
from siliconfriend.recall.thresholds import threshold_of
from siliconfriend.recall.time_spans import asks_only_for_time
from siliconfriend.recall.variety import with_variety


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What a recall is asked for: the arguments of ``Recaller.recall``, described there."""

    query: str
    now: datetime
    top: int
    recipe: str
    talk: Sequence[Utterance]
    exclude: Collection[str]
    use_threshold: bool
    top_facts: int
    companion_name: str
    near: int | None = None


class RecallPipeline:
    """Runs recalls over any index.

    Args:
        embedder: None ranks by words alone.
        policy: what retention and states go by.
        own_weights: the person's own weights for association.
        associations: the tables that words are expanded by.
        thresholds: the operator's file of thresholds, which need not be there.
    """

    def __init__(
        self,
        embedder: Embedder | None,
        policy: ForgettingPolicy,
        own_weights: OwnWeights,
        associations: AssociationTables,
        thresholds: Path | None = None,
    ) -> None:
        self._embedder = embedder
        self._policy = policy
        self._own_weights = own_weights
        self._associations = associations
        self._threshold = threshold_of(embedder, thresholds)
        self._calibration = calibration_of(embedder)

    def run(
        self, index: ScopeIndex, load: Callable[[], PersonMemory], request: RecallRequest
    ) -> RecallResult:
        """Recall: cue, candidates, scores, threshold, ranking, results.

        Args:
            index: of the scope.
            load: gives the newest snapshot of the memory.
            request: what is asked for.

        Raises:
            As :meth:`siliconfriend.recall.recaller.Recaller.recall`.
        """
        recipe, timer = recipe_named(request.recipe), _Timer()
        with index.lock:
            # Loaded under the lock, so that no thread takes the index back to an older snapshot.
            memory = load()
            timer.step("load")
            index.sync(memory, request.exclude)
            timer.step("index")
            cue = _read_cue(index, memory, request, recipe)
            timer.step("cue")
            query = self._expand(index, memory, cue, request, recipe)
            timer.step("expansion")
        vectors = cue_vectors(cue, self._embedder, self._threshold.usual)
        timer.step("embed")
        with index.lock:
            # In step still, or with a newer snapshot that another thread asked with meanwhile.
            rareness = Rareness(index)
            candidates = self._candidates(
                index, rareness, memory, cue, query, vectors, request, recipe
            )
            is_relevant = above_threshold(candidates, cue, self._threshold)
            is_relevant &= ~is_echo(candidates)
            matters = self._matters(candidates, cue, is_relevant)
            timer.step("search")
            found = self._facts(index, cue, query, vectors.message, request)
            answers = find_answers(
                index,
                cue,
                vectors.message,
                now=request.now,
                exclude=request.exclude,
                nearest=candidates.nearest,
            )
            timer.step("facts")
            is_told = _is_told(candidates)
            is_eligible = _eligible(candidates, is_told, matters, request, recipe)
            parts = _score(index, candidates, cue, is_eligible, request, recipe)
            spans = cue.spans if recipe.has_threshold and asks_only_for_time(cue) else ()
            ranking = _ranking(candidates, parts, is_told, is_eligible, spans, request.top)
            signs = self._signs(rareness, candidates, cue, request)
            wanted = [*ranking, *_near(signs, candidates, ranking, answers, request)]
            of_wanted = signs.of(wanted) if signs else [None] * len(wanted)
            recalled = tuple(
                recalled_candidate(
                    candidates,
                    at,
                    parts,
                    self._policy,
                    is_relevant=bool(is_relevant[at]),
                    signs=sign,
                )
                for at, sign in zip(wanted, of_wanted, strict=True)
            )
        facts = tuple(recalled_fact(fact, memory, self._policy, request.now) for fact in found)
        answering = tuple(recalled_answer(it, self._policy, request.now) for it in answers)
        timer.step("rank")
        return RecallResult(
            request.query,
            request.recipe,
            request.now,
            recalled[: len(ranking)],
            facts,
            timer.steps,
            answering,
            recalled[len(ranking) :],
        )

    def _expand(
        self,
        index: ScopeIndex,
        memory: PersonMemory,
        cue: Cue,
        request: RecallRequest,
        recipe: Recipe,
    ) -> ExpandedQuery:
        """The weighted words of the cue and what they bring to mind, where anything is found by it."""
        is_for_facts = request.top_facts > 0 and len(index.facts.rows) > 0
        if not (is_for_facts or recipe.expands_query or recipe.uses_related):
            return ExpandedQuery()
        return expand_query(
            cue,
            self._associations.of(index, memory, in_passing=is_for_facts or recipe.expands_query),
            names=index.speaker_words(memory, request.companion_name),
            frequency=index.word_index.frequency,
            documents=len(index.word_index),
        )

    def _candidates(
        self,
        index: ScopeIndex,
        rareness: Rareness,
        memory: PersonMemory,
        cue: Cue,
        query: ExpandedQuery,
        vectors: CueVectors,
        request: RecallRequest,
        recipe: Recipe,
    ) -> CandidateSet:
        """Find what the recipe ranks, with the stored topics where it looks at them."""
        judges_near = bool(request.near) and recipe.has_threshold
        tokens = [token for _, token in cue.tokens]
        candidates = find_candidates(
            index,
            cue,
            vectors,
            now=request.now,
            policy=self._policy,
            exclude=_excluded(cue, request),
            weights=search_weights(query, cue) if recipe.expands_query else None,
            related=related_weights(query, cue, rareness) if recipe.uses_related else None,
            situations=situation_weights(tokens, index.word_index.frequency)
            if judges_near
            else None,
            rareness=rareness,
            own_weights=self._own_weights,
            reach=MOST_READ if asks_of_life(cue) else POOL,
        )
        if recipe.has_threshold:
            candidates = with_new_shares(candidates, cue)
        if not recipe.uses_topics:
            return candidates
        text_tokens = [token for _, token in cue.text_tokens]
        similarity = similarity_to(
            index,
            memory,
            cue.text,
            text_tokens,
            vectors.message,
            self._calibration,
            request.now,
        )
        return with_topics(candidates, similarity)

    def _matters(self, candidates: CandidateSet, cue: Cue, is_relevant: Mask) -> Mask:
        """Which candidates come to mind: what is relevant by itself, and mostly more.

        A remark touches more, a question in a conversation of its matter too. What asks outside a
        conversation is refused where nothing is relevant; where something is, further pieces of
        the answer may lie farther away.
        """
        near = candidates.dense if candidates.talk is None else candidates.talk
        if not is_relevant.any():
            if cue.asks_alone or (cue.is_question and candidates.beside is None):
                return is_relevant
            near = near if candidates.beside is None else candidates.beside
        return touched_by_remark(candidates, near, cue, self._threshold)

    def _signs(
        self, rareness: Rareness, candidates: CandidateSet, cue: Cue, request: RecallRequest
    ) -> SignReader | None:
        """What reads the signs of candidates; None where nobody judges by them."""
        if request.near is None:
            return None
        usual = Usual.of(self._calibration, self._threshold, in_chinese=is_chinese(cue.message))
        return SignReader(rareness, candidates, cue, coverage(candidates), usual)

    def _facts(
        self,
        index: ScopeIndex,
        cue: Cue,
        query: ExpandedQuery,
        vector: Vector | None,
        request: RecallRequest,
    ) -> list[FoundFact]:
        """Find what is known that bears on the message."""
        return find_facts(
            index,
            cue.message,
            query,
            vector,
            now=request.now,
            threshold=self._threshold,
            calibration=self._calibration,
            most=request.top_facts,
            exclude=request.exclude,
        )


def _read_cue(
    index: ScopeIndex, memory: PersonMemory, request: RecallRequest, recipe: Recipe
) -> Cue:
    """Read the message, with the end of the last reply where it leans on it."""
    return build_cue(
        resolve_references(request.query, request.talk),
        memory,
        now=request.now,
        talk=request.talk,
        companion_name=request.companion_name,
        days=index.days_spoken,
        planned=index.times.days_after(day_of(request.now, memory.profile.zone)),
        frequency=index.word_index.frequency,
        always_joined=recipe.expands_query,
    )


def _excluded(cue: Cue, request: RecallRequest) -> Collection[str]:
    """What is no candidate: for a remark also the conversation, which would bring itself back."""
    if cue.is_question:
        return request.exclude
    return {*request.exclude, *(said.turn for said in request.talk if said.turn)}


def _is_told(candidates: CandidateSet) -> Mask:
    """Which candidates are no retellings of others."""
    if candidates.is_turn.all():
        return candidates.is_turn
    return ~is_retelling(candidates.memories)


def _eligible(
    candidates: CandidateSet, is_told: Mask, matters: Mask, request: RecallRequest, recipe: Recipe
) -> Mask:
    """Which candidates that are no retellings may be ranked: all, or those of relevant days."""
    if request.use_threshold and recipe.has_threshold:
        return is_told & on_relevant_day(candidates, matters) & ~is_echo(candidates)
    return is_told


def _score(
    index: ScopeIndex,
    candidates: CandidateSet,
    cue: Cue,
    is_eligible: Mask,
    request: RecallRequest,
    recipe: Recipe,
) -> Parts:
    """Score the candidates; outside a conversation one of each matter before two of the same."""
    parts = recipe.score(candidates)
    vectors, rows = candidates.vectors, candidates.rows
    if cue.context or not recipe.has_threshold or vectors is None:
        return parts
    return with_variety(
        lambda at: index.rows.digests[rows[at]],
        parts,
        is_eligible,
        request.top,
        lambda at: vectors[at],
    )


def _ranking(
    candidates: CandidateSet,
    parts: Parts,
    is_told: Mask,
    is_eligible: Mask,
    spans: Sequence[DateSpan],
    top: int,
) -> list[int]:
    """Positions of what is recalled, best first.

    Where the message asks for nothing but a time, what was told within it comes first. What lies
    outside a span may speak of it: a plan for February is made in January.
    """
    scores = sum(parts.values(), np.zeros(len(candidates)))
    ranking = rank_within_spans(candidates, scores, is_told, spans, top) if spans else []
    is_left = is_eligible.copy()
    is_left[ranking] = False
    return ranking + rank(candidates, scores, is_left, top - len(ranking))


def _near(
    signs: SignReader | None,
    candidates: CandidateSet,
    ranking: Sequence[int],
    answers: Sequence[FoundAnswer],
    request: RecallRequest,
) -> list[int]:
    """Positions of what answers and of the turns that lie near, beside the ranking."""
    if not (signs and request.near and recipe_named(request.recipe).has_threshold):
        return []
    is_eligible = candidates.is_turn & ~is_echo(candidates)
    is_eligible[list(ranking)] = False
    answering = [it.row for it in answers]
    found = set(np.flatnonzero(np.isin(candidates.rows, answering)).tolist())
    near = signs.likeliest(request.near, is_eligible)
    return sorted((found - set(ranking)) | {*near, *signs.of_days(is_eligible)})


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
