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
from siliconfriend.memory.changes import Change, PutTrace
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.associating import Associations, names_of, sources
from siliconfriend.recall.association import OwnWeights
from siliconfriend.recall.association_table import AssociationTable
from siliconfriend.recall.bringing_back import brought_back, fact_brought_back
from siliconfriend.recall.candidates import find_candidates
from siliconfriend.recall.cues import cue_of
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.expansion import expanded, put_in_for
from siliconfriend.recall.facts import FactQuestion, find_facts
from siliconfriend.recall.field import Field
from siliconfriend.recall.floor import RECIPES_WITH_FLOOR, floor_of, passes, same_talk
from siliconfriend.recall.index import Refreshed, ScopeIndex
from siliconfriend.recall.key_terms import key_terms
from siliconfriend.recall.likeness import likeness_of
from siliconfriend.recall.made_table import made_entries
from siliconfriend.recall.nearness import Nearness, nearness, with_topics
from siliconfriend.recall.open_indexes import OpenIndexes
from siliconfriend.recall.recipes import (
    RECIPES_WITH_TOPICS,
    RECIPES_WITH_WEIGHTS,
    recipe_named,
)
from siliconfriend.recall.recollection import Recollection
from siliconfriend.recall.repeats import without_repeats
from siliconfriend.recall.timer import Timer
from siliconfriend.recall.visits import visits
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
        self._floor = floor_of(embedder)
        self._likeness = likeness_of(embedder)
        self._associations = Associations(associations)
        self._indexes = OpenIndexes(embedder, index_folder)

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
        use_floor: bool = True,
        top_facts: int = 20,
        companion_name: str = "",
    ) -> Recollection:
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
            use_floor: leave out the days on which nothing matters by itself; where nothing is
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
            index.level(memory, exclude)
            timer.step("index")
            cue = cue_of(
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
            asked = FactQuestion(query, ())
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
            field = find_candidates(
                index, cue, vector, now=now, policy=self.policy, exclude=exclude, weights=weights
            )
            own = passes(field, cue, index.lexicon, self._floor)
            if recipe in RECIPES_WITH_TOPICS:
                near = nearness(index, memory, cue.text, vector, self._likeness, now)
                field = with_topics(field, near)
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
        facts = tuple(fact_brought_back(it, memory, self.policy, now) for it in known)
        timer.step("facts")
        parts = rank(replace(field, own=self._own))
        scores = sum(parts.values(), np.zeros(len(field)))
        floored = use_floor and recipe in RECIPES_WITH_FLOOR
        matters = same_talk(field, own) if floored else np.ones(len(field), dtype=np.bool_)
        order = _best(scores, field, matters, top)
        found = tuple(
            brought_back(field, at, float(scores[at]), parts, self.policy, own=bool(own[at]))
            for at in order
        )
        timer.step("rank")
        return Recollection(query, recipe, now, found, facts, timer.steps)

    def reinforce(
        self, scope: Scope, recalled: Recollection | Iterable[str], *, now: datetime
    ) -> None:
        """Strengthen what entered a prompt, in one write; at most once a memory and day.

        Of a recollection only what passed the floor by its own score; ids are taken as given.
        The topics whose pages are among them are visited, each once.
        """
        if isinstance(recalled, Recollection):
            ids = [it.memory.id for it in (*recalled.memories, *recalled.facts) if it.own]
        else:
            ids = list(recalled)

        def decide(memory: PersonMemory) -> Iterable[Change]:
            for identifier in ids:
                found = memory.find(identifier)
                if found is not None:
                    trace = found.trace.recalled(now, memory.profile.zone)
                    if trace is not found.trace:
                        yield PutTrace(identifier, trace)
            yield from visits(memory, ids, now)

        if ids:
            self._store.update(scope, decide)

    def nearness(self, scope: Scope, query: str, *, now: datetime) -> Nearness:
        """How near everything is to a question; changes nothing. Errors as :meth:`recall`."""
        index = self._indexes.of(scope)
        vector = None if self.embedder is None else self.embedder.queries([query])[0]
        with index.lock:
            memory = self._store.load(scope)
            index.level(memory)
            return nearness(index, memory, query, vector, self._likeness, now)

    def passages(self, scope: Scope, texts: Sequence[str]) -> Vectors:
        """Vectors of stored words; those of memories come from the index, the others are made.

        Never call it within a store's ``update``: it reads the store, and may ask a service.

        Returns:
            float32, shape (len(texts), dimension), rows of length 1.

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        assert self.embedder is not None, "words alone have no vectors"
        index = self._indexes.of(scope)
        with index.lock:
            index.level(self._store.load(scope))
            known = index.vectors_of(texts)
        fresh = [it for it in dict.fromkeys(texts) if it not in known]
        if fresh:
            known |= dict(zip(fresh, self.embedder.passages(fresh), strict=True))
        if not texts:
            return np.empty((0, self.embedder.dimension), dtype=np.float32)
        return np.stack([known[it] for it in texts])

    def level(self, scope: Scope) -> int:
        """Take in what the scope's index has not seen; how many texts were embedded.

        After an import of years that takes minutes, once. Errors as :meth:`recall`.
        """
        index = self._indexes.of(scope)
        with index.lock:
            return index.level(self._store.load(scope))

    def taking_in(self, scope: Scope) -> tuple[int, int] | None:
        """How many texts of how many the scope's index has taken in; None while it does not."""
        return self._indexes.of(scope).taking_in

    def refresh(self, scope: Scope) -> Refreshed:
        """Build the scope's index again from its documents; no unchanged text is embedded."""
        index = self._indexes.of(scope)
        with index.lock:
            return index.refresh(self._store.load(scope))

    def associate(self, scope: Scope) -> int:
        """Make the scope's table of associated words with care, and keep it; how many entries.

        Words that were compared before are not embedded again.

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        index = self._indexes.of(scope)
        with index.lock:
            memory = self._store.load(scope)
            index.level(memory)
            found, names = sources(index), names_of(index, memory)
        compared: list[str] = []

        def embed(words: Sequence[str]) -> Vectors:
            compared.extend(words)
            return index.vectors_of_words(words)

        entries = made_entries(found, names=names, embed=embed if self.embedder else None)
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
            index.level(memory)
            return self._associations.of(index, memory)

    def rewrite(self, scope: Scope) -> None:
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
    ) -> FactQuestion:
        """The words put in, without the names of the two, and what they bring to mind."""
        terms = key_terms(
            query,
            last_reply,
            names=names_of(index, memory, companion_name),
            frequency=index.lexicon.frequency,
            documents=len(index.lexicon),
        )
        table = self._associations.of(index, memory)
        put_in = put_in_for(query, terms, table)
        return FactQuestion(query, terms, expanded(put_in, table, strategy="mixed"))


def _best(
    scores: NDArray[np.float64], field: Field, matters: NDArray[np.bool_], top: int
) -> list[int]:
    """Positions of the best that matter, best first; equals by id, so that order never wavers."""
    candidates = np.flatnonzero(matters)
    enough = top + sum(isinstance(field.memories[int(at)], Event) for at in candidates)
    if len(candidates) > enough > 0:
        least = -np.partition(-scores[candidates], enough - 1)[enough - 1]
        candidates = candidates[scores[candidates] >= least]
    places = sorted(map(int, candidates), key=lambda at: (-scores[at], field.memories[at].id))
    at_place = {field.memories[at].id: at for at in places}
    kept = without_repeats([field.memories[at] for at in places], top)
    return [at_place[memory.id] for memory in kept]
