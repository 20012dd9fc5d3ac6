"""Recall: the memories that matter to what is being said, best first.

Looking changes nothing. What strengthens a memory is :meth:`Recaller.reinforce`, called
for what really entered a prompt; anything else that looked would keep alive what nobody
remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.changes import PutTrace
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.associating import Associations, names_of, sources
from siliconfriend.recall.association import OwnWeights
from siliconfriend.recall.association_table import AssociationTable
from siliconfriend.recall.bringing_back import recalled_candidate, recalled_fact
from siliconfriend.recall.candidate_set import CandidateSet
from siliconfriend.recall.candidates import find_candidates
from siliconfriend.recall.cue import build_cue
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.expansion import expanded, select_input_words
from siliconfriend.recall.facts import FactQuery, find_facts
from siliconfriend.recall.index import Refreshed, ScopeIndex
from siliconfriend.recall.learned_associations import learn_associations
from siliconfriend.recall.open_indexes import IndexPool
from siliconfriend.recall.query_terms import query_terms
from siliconfriend.recall.recipes import (
    RECIPES_WITH_TOPICS,
    RECIPES_WITH_WEIGHTS,
    recipe_named,
)
from siliconfriend.recall.reinforcement import visits
from siliconfriend.recall.relevance_threshold import (
    RECIPES_WITH_THRESHOLD,
    on_relevant_day,
    passes,
    threshold_of,
)
from siliconfriend.recall.repeats import drop_repeated_events
from siliconfriend.recall.results import RecallResult
from siliconfriend.recall.score_calibration import calibration_of
from siliconfriend.recall.similarity import QuerySimilarity, similarity_to, with_topics
from siliconfriend.recall.timer import Timer
from siliconfriend.recall.weighting import word_weights


class Recaller:
    """Finds memories in any scope of a store; safe between threads.

    Args:
        store: where the memories are.
        embedder: None ranks by words alone.
        policy: what retention and states go by.
        own: the person's own weights for association.
        index_folder: where a scope's cache lies, or None for none.
        associations: the operator's table of associated words, which need not be there.
    """

    def __init__(
        self,
        store: MemoryStore,
        embedder: Embedder | None,
        *,
        policy: ForgettingPolicy,
        own: OwnWeights | None = None,
        index_folder: Callable[[Scope], Path | None] = lambda _scope: None,
        associations: Path | None = None,
    ) -> None:
        self.embedder = embedder
        self.policy = policy
        self._store = store
        self._own = own or OwnWeights()
        self._floor = threshold_of(embedder)
        self._likeness = calibration_of(embedder)
        self._associations = Associations(associations)
        self._indexes = IndexPool(embedder, index_folder)

    def recall(
        self,
        scope: Scope,
        query: str,
        *,
        now: datetime,
        top: int = 10,
        recipe: str = "siliconfriend",
        last_reply: str = "",
        exclude: Collection[str] = (),
        use_threshold: bool = True,
        top_facts: int = 20,
        companion_name: str = "",
    ) -> RecallResult:
        """The memories that matter to ``query``, and what is known that bears on it.

        Nothing is changed.

        Args:
            scope: whose memories.
            query: what is asked or said.
            now: the moment, aware.
            top: at most so many.
            recipe: the name of the recipe that ranks.
            last_reply: what the companion said last, which a short message leans on.
            exclude: ids that are in the prompt already.
            use_threshold: leave out the days on which nothing matters by itself; where nothing is
                relevant, that is everything. The recipes of other sources have no floor.
            top_facts: at most so many facts; 0 looks for none.
            companion_name: what the companion calls itself, so that its name is not searched.

        Raises:
            UsageError: there is no such recipe.
            UnknownPerson, DamagedMemory: as the store's ``load``.
            ModelUnavailable: the embedder is a service that failed.
        """
        rank = recipe_named(recipe)
        timer = Timer()
        index = self._indexes.of(scope)
        with index.lock:
            # Loaded under the lock, so that no thread takes the index back to an older snapshot.
            memory = self._store.load(scope)
            timer.step("load")
            index.sync(memory, exclude)
            timer.step("index")
            cue = build_cue(
                query,
                memory,
                now=now,
                last_reply=last_reply,
                companion_name=companion_name,
                days=index.spoken.values(),
                frequency=index.lexicon.frequency,
                documents=len(index.lexicon),
                always_joined=recipe in RECIPES_WITH_WEIGHTS,
            )
            timer.step("cue")
            asked = FactQuery(query, ())
            is_searched = top_facts > 0 and len(index.facts.rows) > 0
            if is_searched or recipe in RECIPES_WITH_WEIGHTS:
                asked = self._asked(index, memory, query, last_reply, companion_name)
            timer.step("expansion")
        # Where nothing is asked there is nothing to embed, and so nothing that is near it.
        embedder = self.embedder if cue.text.strip() else None
        vector = None if embedder is None else embedder.queries([cue.text])[0]
        timer.step("embed")
        with index.lock:
            # Level still, or with a newer snapshot that another thread asked with meanwhile.
            weights = word_weights(asked, cue) if recipe in RECIPES_WITH_WEIGHTS else None
            candidates = find_candidates(
                index, cue, vector, now=now, policy=self.policy, exclude=exclude, weights=weights
            )
            own = passes(candidates, cue, index.lexicon, self._floor)
            if recipe in RECIPES_WITH_TOPICS:
                near = similarity_to(index, memory, cue.text, vector, self._likeness, now)
                candidates = with_topics(candidates, near)
            timer.step("search")
            known = find_facts(
                index,
                replace(asked, vector=vector),
                now=now,
                floor=self._floor,
                likeness=self._likeness,
                most=top_facts,
                exclude=exclude,
            )
        facts = tuple(recalled_fact(it, memory, self.policy, now) for it in known)
        timer.step("facts")
        parts = rank(replace(candidates, own=self._own))
        scores = sum(parts.values(), np.zeros(len(candidates)))
        floored = use_threshold and recipe in RECIPES_WITH_THRESHOLD
        matters = (
            on_relevant_day(candidates, own)
            if floored
            else np.ones(len(candidates), dtype=np.bool_)
        )
        order = _best(scores, candidates, matters, top)
        found = tuple(
            recalled_candidate(
                candidates, at, float(scores[at]), parts, self.policy, own=bool(own[at])
            )
            for at in order
        )
        timer.step("rank")
        return RecallResult(query, recipe, now, found, facts, timer.steps)

    def reinforce(
        self, scope: Scope, recalled: RecallResult | Iterable[str], *, now: datetime
    ) -> None:
        """Strengthen what entered a prompt, in one write; at most once a memory and day.

        Of a recollection only what passed the floor by its own score; ids are taken as given.
        The topics whose pages are among them are visited, each once.
        """
        if isinstance(recalled, RecallResult):
            ids = [it.memory.id for it in (*recalled.memories, *recalled.facts) if it.own]
        else:
            ids = list(recalled)

        if not ids:
            return
        with self._store.edit(scope) as edit:
            for identifier in ids:
                found = edit.memory.find(identifier)
                if found is not None:
                    trace = found.trace.recalled(now, edit.memory.profile.zone)
                    if trace is not found.trace:
                        edit.add(PutTrace(identifier, trace))
            edit.add(*visits(edit.memory, ids, now))

    def similarity(self, scope: Scope, query: str, *, now: datetime) -> QuerySimilarity:
        """How near everything is to a question; changes nothing. Errors as :meth:`recall`."""
        index = self._indexes.of(scope)
        vector = None if self.embedder is None else self.embedder.queries([query])[0]
        with index.lock:
            memory = self._store.load(scope)
            index.sync(memory)
            return similarity_to(index, memory, query, vector, self._likeness, now)

    def embed_passages(self, scope: Scope, texts: Sequence[str]) -> Vectors:
        """Vectors of stored words; those of memories come from the index, the others are made.

        Never call it within a store's ``edit``: it reads the store, and may ask a service.

        Returns:
            float32, shape (len(texts), dimension), rows of length 1.

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        assert self.embedder is not None, "words alone have no vectors"
        index = self._indexes.of(scope)
        with index.lock:
            index.sync(self._store.load(scope))
            known = index.vectors_of(texts)
        fresh = [it for it in dict.fromkeys(texts) if it not in known]
        if fresh:
            known |= dict(zip(fresh, self.embedder.passages(fresh), strict=True))
        if not texts:
            return np.empty((0, self.embedder.dimension), dtype=np.float32)
        return np.stack([known[it] for it in texts])

    def update_index(self, scope: Scope) -> int:
        """Take in what the scope's index has not seen; how many texts were embedded.

        After an import of years that takes minutes, once. Errors as :meth:`recall`.
        """
        index = self._indexes.of(scope)
        with index.lock:
            return index.sync(self._store.load(scope))

    def indexing_progress(self, scope: Scope) -> tuple[int, int] | None:
        """How many texts of how many the scope's index has taken in; None while it does not."""
        return self._indexes.of(scope).progress

    def rebuild_index(self, scope: Scope) -> Refreshed:
        """Build the scope's index again from its documents; no unchanged text is embedded."""
        index = self._indexes.of(scope)
        with index.lock:
            return index.rebuild(self._store.load(scope))

    def learn_associations(self, scope: Scope) -> int:
        """Make the scope's table of associated words with care, and keep it; how many entries.

        Words that were compared before are not embedded again.

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        index = self._indexes.of(scope)
        with index.lock:
            memory = self._store.load(scope)
            index.sync(memory)
            found, names = sources(index), names_of(index, memory)
        compared: list[str] = []

        def embed(words: Sequence[str]) -> Vectors:
            compared.extend(words)
            return index.vectors_of_words(words)

        entries = learn_associations(found, names=names, embed=embed if self.embedder else None)
        with index.lock:
            # What was erased meanwhile must not come back by the words it held.
            if self._store.load(scope).erased == memory.erased:
                self._associations.put(index, memory, entries, compared)
        return len(entries)

    def associations(self, scope: Scope) -> AssociationTable:
        """The table of associated words that counts for a scope.

        Raises:
            ConfigurationError: the operator's table cannot be read.
        """
        index = self._indexes.of(scope)
        with index.lock:
            memory = self._store.load(scope)
            index.sync(memory)
            return self._associations.of(index, memory)

    def rewrite_index(self, scope: Scope) -> None:
        """After an erasure: the index and its file hold nothing of what left."""
        index = self._indexes.of(scope)
        with index.lock:
            index.rewrite(self._store.load(scope))

    def _asked(
        self,
        index: ScopeIndex,
        memory: PersonMemory,
        query: str,
        last_reply: str,
        companion_name: str,
    ) -> FactQuery:
        """The words put in, without the names of the two, and what they bring to mind."""
        terms = query_terms(
            query,
            last_reply,
            names=names_of(index, memory, companion_name),
            frequency=index.lexicon.frequency,
            documents=len(index.lexicon),
        )
        table = self._associations.of(index, memory)
        put_in = select_input_words(query, terms, table)
        return FactQuery(query, terms, expanded(put_in, table, strategy="mixed"))


def _best(
    scores: NDArray[np.float64],
    candidates: CandidateSet,
    is_eligible: NDArray[np.bool_],
    top: int,
) -> list[int]:
    """Positions of the ``top`` best eligible candidates, best first; ties are broken by id."""
    memories = candidates.memories
    eligible = np.flatnonzero(is_eligible)
    enough = top + sum(isinstance(memories[int(at)], Event) for at in eligible)
    if len(eligible) > enough > 0:
        least = -np.partition(-scores[eligible], enough - 1)[enough - 1]
        eligible = eligible[scores[eligible] >= least]
    positions = sorted(map(int, eligible), key=lambda at: (-scores[at], memories[at].id))
    position_of = {memories[at].id: at for at in positions}
    kept = drop_repeated_events([memories[at] for at in positions], top)
    return [position_of[memory.id] for memory in kept]
