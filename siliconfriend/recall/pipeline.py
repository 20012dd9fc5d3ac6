"""One recall: cue, candidates, scores, likelihood, ranking, results."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from siliconfriend.clock import day_of
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.candidate_set import FACT, CandidateSet, find_candidates
from siliconfriend.recall.cue import Cue, CueVectors, Utterance, build_cue, cue_vectors, name_words
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.likelihood import FILE_NAME, Judgement, Model, judge, model_of
from siliconfriend.recall.recipes import Parts, Searched, recipe_named
from siliconfriend.recall.results import Recalled, RecallResult, place_of_fact, put_right, recalled
from siliconfriend.recall.scoring import Mask, Numbers
from siliconfriend.recall.similarity import calibration_of
from siliconfriend.recall.succession import find_chains
from siliconfriend.recall.times import asks_only_for_time, spread_over_span

MOST_CHAINS = 4
"""Number of memories whose chains are searched."""


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """Arguments of ``Recaller.recall``, described there."""

    query: str
    now: datetime
    top: int = 0
    recipe: str = "siliconfriend"
    talk: Sequence[Utterance] = ()
    exclude: Collection[str] = ()
    top_facts: int = 0
    companion_name: str = ""


@dataclass(frozen=True, slots=True)
class Examined:
    """A message with its candidates."""

    memory: PersonMemory
    cue: Cue
    vectors: CueVectors
    weights: Mapping[str, float] | None
    candidates: CandidateSet


class RecallPipeline:
    """Runs recalls over any index.

    Args:
        embedder: None ranks by words alone.
        policy: forgetting policy for retention and states.
        home: the data directory, which may hold the operator's own files.
    """

    def __init__(
        self,
        embedder: Embedder | None,
        policy: ForgettingPolicy,
        home: Path | None = None,
    ) -> None:
        self._embedder = embedder
        self._policy = policy
        self._home = home
        self.model = model_of(
            None if embedder is None else embedder.name, home and home / FILE_NAME
        )

    def run(
        self, index: ScopeIndex, load: Callable[[], PersonMemory], request: RecallRequest
    ) -> RecallResult:
        """Run a recall request.

        ``load`` gives the newest snapshot of the index's memory. Errors as
        :meth:`siliconfriend.recall.recaller.Recaller.recall`.
        """
        recipe, timer, now = recipe_named(request.recipe), _Timer(), request.now
        found = self.examine(index, load, request, timer)
        known = self._facts(index, found, request)
        timer.step("facts")
        judged = judge(found.candidates, found.cue, self.model.without(recipe.without))
        parts = recipe.score(found.candidates) if recipe.score else judged.parts
        chosen = _choose(found.candidates, found.cue, parts, judged, request)
        memories = self._results(found.candidates, chosen, parts, judged, found.memory, now)
        timer.step("rank")
        chains = find_chains(
            found.candidates,
            _with_chains(memories, known),
            judged.similarity,
            calibration_of(self._embedder),
        )
        timer.step("chains")
        return RecallResult(
            request.query,
            request.recipe,
            now,
            put_right(memories, known),
            known,
            timer.steps,
            spans=found.cue.spans,
            chains=chains,
        )

    def _facts(
        self, index: ScopeIndex, found: Examined, request: RecallRequest
    ) -> tuple[Recalled, ...]:
        """Rank facts separately, and order the likeliest for a reply.

        The two speakers' names occur in nearly every fact, so they are not searched.
        """
        if not (request.top_facts and (index.rows["kind"] == FACT).any()):
            return ()
        names = name_words((found.memory.profile.called, request.companion_name))
        searched = found.weights or dict.fromkeys(found.cue.search_tokens, 1.0)
        with index.lock:
            facts = find_candidates(
                index,
                found.cue,
                found.vectors,
                now=request.now,
                exclude=request.exclude,
                weights={token: weight for token, weight in searched.items() if token not in names},
                facts=True,
            )
        judged = judge(facts, found.cue, self.model)
        chosen = _rank(facts, judged.likelihood, judged.is_matched, request.top_facts)
        known = self._results(facts, chosen, judged.parts, judged, found.memory, request.now)
        return tuple(sorted(known, key=place_of_fact))

    def _results(
        self,
        candidates: CandidateSet,
        chosen: Iterable[int],
        parts: Parts,
        judged: Judgement,
        memory: PersonMemory,
        now: datetime,
    ) -> tuple[Recalled, ...]:
        """Build the results of the candidates at some positions."""
        return tuple(
            recalled(
                candidates.memories[at],
                {name: float(values[at]) for name, values in parts.items()},
                float(judged.likelihood[at]),
                policy=self._policy,
                person=memory,
                now=now,
            )
            for at in chosen
        )

    def examine(
        self,
        index: ScopeIndex,
        load: Callable[[], PersonMemory],
        request: RecallRequest,
        timer: _Timer | None = None,
        model: Model | None = None,
    ) -> Examined:
        """Find the candidates of a message, by the baseline of ``model`` or the pipeline's own."""
        recipe, timer = recipe_named(request.recipe), timer or _Timer()
        with index.lock:
            # Load under the lock, so that no thread reverts the index to an older snapshot.
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
                always_joined=recipe.joins_reply,
            )
            timer.step("cue")
            names = name_words((memory.profile.name, request.companion_name))
            searched = Searched(index, memory, cue, names, self._home, self._embedder)
            weights = recipe.search_weights(searched) if recipe.search_weights else None
            timer.step("expansion")
        vectors = cue_vectors(cue, self._embedder, (model or self.model).baseline)
        timer.step("embed")
        present = () if cue.is_question else (said.turn for said in request.talk if said.turn)
        with index.lock:
            # Still current, or synchronised with a newer snapshot by another thread.
            candidates = find_candidates(
                index,
                cue,
                vectors,
                now=request.now,
                exclude={*request.exclude, *present},
                weights=weights,
            )
            if recipe.extend:
                candidates = recipe.extend(candidates, replace(searched, vectors=vectors))
        timer.step("search")
        return Examined(memory, cue, vectors, weights, candidates)


def _with_chains(memories: Sequence[Recalled], facts: Sequence[Recalled]) -> list[str]:
    """Return the ids of the likeliest turns, and of the source turns of the likeliest facts."""
    likeliest = sorted((*memories, *facts), key=lambda result: -result.likelihood)[:MOST_CHAINS]
    ids = dict[str, None]()
    for memory in (result.memory for result in likeliest):
        ids.update(
            dict.fromkeys([memory.id] if isinstance(memory, Turn) else memory.provenance.from_ids)
        )
    return list(ids)


def _choose(
    candidates: CandidateSet, cue: Cue, parts: Parts, judged: Judgement, request: RecallRequest
) -> list[int]:
    """Choose the positions of the recalled memories, best first.

    If the message names only a time, memories of it are recalled, evenly spread over it. Where there
    are none, memories that name it in the same words are.
    """
    scores = sum(parts.values(), np.zeros(len(candidates)))
    is_left = np.ones(len(candidates), dtype=np.bool_)
    ranking: list[int] = []
    if parts is judged.parts:
        is_left = judged.is_matched.copy()
        if asks_only_for_time(cue.search_tokens, cue.spans):
            is_named = candidates.is_dated if candidates.is_dated.any() else candidates.lexical > 0
            is_left = is_named.copy()
            memories, days = candidates.memories, candidates.day_of_span
            spread = spread_over_span(memories, days, scores, cue.spans, request.top)
            ranking = spread[: request.top]
    is_left[ranking] = False
    return ranking + _rank(candidates, scores, is_left, request.top - len(ranking))


def _rank(candidates: CandidateSet, scores: Numbers, is_eligible: Mask, top: int) -> list[int]:
    """Rank the ``top`` best eligible candidates, best first; return their positions; ties by id."""
    eligible = np.flatnonzero(is_eligible)
    if top <= 0:
        return []
    if len(eligible) > top:
        least = -np.partition(-scores[eligible], top - 1)[top - 1]
        eligible = eligible[scores[eligible] >= least]
    memories = candidates.memories
    return sorted(eligible.tolist(), key=lambda at: (-scores[at], memories[at].id))[:top]


class _Timer:
    """Milliseconds between steps, by name and in order, so that a slow step can be named."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self._last = time.perf_counter()

    def step(self, name: str) -> None:
        """Record the time since the last step."""
        now = time.perf_counter()
        self.steps[name] = round((now - self._last) * 1000, 3)
        self._last = now
