"""Retrieve memories as reverie, the code of Generative Agents, does: by key words or focal points.

Two defects of that code are fixed (``docs/sources.md``): it folded letter case in stored words but
not in the query, and it gave the highest recency to the memory used longest ago.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import fold
from siliconfriend.language.words import keywords
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import DaySummary, PersonMemory, kind_of
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.scoring import Numbers, ranks
from siliconfriend.seeds.scoring import DEFAULT_IMPORTANCE, FLOAT_NOISE, cosines, min_max

EVENTS = ("turn", "event")
THOUGHTS = ("insight",)

RECENCY, RELEVANCE, IMPORTANCE = 0.5, 3.0, 2.0  # the common weights
DECAY = 0.99


@dataclass(frozen=True, slots=True)
class OwnWeights:
    """Factors of one person for the common weights, and the decay of recency."""

    recency: float = 1.0
    relevance: float = 1.0
    importance: float = 1.0
    decay: float = DECAY


COMMON = OwnWeights()


@dataclass(frozen=True, slots=True)
class Concept:
    """A memory, or a perceived thing, which may have any id.

    Attributes:
        kind: ``turn``, ``event`` or ``insight``.
        created, last_accessed, expires: aware.
        importance: 0.1 to 1.0.
        subject, predicate, object: empty if unknown.
        vector: embedding of the description; None until it is computed.
    """

    id: str
    kind: str
    description: str
    created: datetime
    last_accessed: datetime
    importance: float
    subject: str = ""
    predicate: str = ""
    object: str = ""
    expires: datetime | None = None
    vector: NDArray[np.floating] | None = field(default=None, compare=False)

    @property
    def key_words(self) -> frozenset[str]:
        """Subject, predicate and object, folded; without any, the key words of the description."""
        known = (fold(word).strip() for word in (self.subject, self.predicate, self.object))
        return frozenset(word for word in known if word) or frozenset(keywords(self.description))


def concepts_of(memory: PersonMemory) -> Iterator[Concept]:
    """Yield turns, events, facts and insights of a person as concepts, oldest day first.

    Day summaries, archived memories and turns that only ask a question are skipped.
    """
    for record in memory.memories():
        words = searched_text(record)
        if isinstance(record, DaySummary) or not record.trace.is_active or not words:
            continue
        trace = record.trace
        triple = record.triple if isinstance(record, Event) else ()
        subject, predicate, obj = triple or ("", "", "")
        yield Concept(
            id=record.id,
            kind=kind_of(record),
            description=words,
            created=trace.created,
            last_accessed=trace.last_recall,
            importance=trace.importance or DEFAULT_IMPORTANCE,
            subject=subject,
            predicate=predicate,
            object=obj,
            expires=trace.expires,
        )


class Association:
    """An inverted index from key words to memories, by kind.

    Args:
        concepts: the memories.
        now: moment of recall, aware; expired memories are not found.
        embedder: needed by :meth:`new_retrieve` only.
        own: the person's own weights.

    Attributes:
        accessed: ids of the memories that :meth:`new_retrieve` marked as accessed, in order; the
            caller stores the change.
    """

    def __init__(
        self,
        concepts: Iterable[Concept],
        *,
        now: datetime,
        embedder: Embedder | None = None,
        own: OwnWeights = COMMON,
    ) -> None:
        self.accessed: list[str] = []
        self._now = now
        self._embedder = embedder
        self._own = own
        self._concepts = {concept.id: concept for concept in concepts}
        self._index: dict[str, dict[str, list[str]]] = {}
        for concept in self._concepts.values():
            words = self._index.setdefault(concept.kind, {})
            for word in concept.key_words:
                words.setdefault(word, []).append(concept.id)

    def strength(self, kind: str) -> dict[str, int]:
        """Return the number of memories of a kind with each key word."""
        return {word: len(ids) for word, ids in self._index.get(kind, {}).items()}

    def sharing(self, words: Iterable[str], kinds: Sequence[str]) -> list[Concept]:
        """Return memories of these kinds that share a key word, ignoring letter case and width.

        Memories that share most words come first, then the most recently used.
        """
        shared: Counter[str] = Counter()
        for word in {fold(word).strip() for word in words}:
            for kind in kinds:
                shared.update(self._index.get(kind, {}).get(word, ()))
        found = [concept for concept in self._alive(kinds) if concept.id in shared]
        return sorted(found, key=lambda concept: (-shared[concept.id], *_newest(concept)))

    def retrieve(self, perceived: Iterable[Concept]) -> dict[str, dict[str, Any]]:
        """Return the associations of each perceived thing by its description, strongest first.

        Each has ``curr_event``, the thing, and lists of ``events`` and ``thoughts`` without the thing.
        """
        found: dict[str, dict[str, Any]] = {}
        for event in perceived:
            events, thoughts = (
                [other for other in self.sharing(event.key_words, kinds) if other.id != event.id]
                for kinds in (EVENTS, THOUGHTS)
            )
            found[event.description] = {
                "curr_event": event,
                "events": events,
                "thoughts": thoughts,
            }
        return found

    def new_retrieve(
        self, focal_points: Iterable[str], n_count: int = 30
    ) -> dict[str, list[Concept]]:
        """Return the ``n_count`` best memories of each focal point, best first.

        The score is ``0.5·recency + 3·relevance + 2·importance``, each part scaled to 0..1 over all
        memories and multiplied by the person's own weight. Recency is 0.99^rank by last access,
        relevance the cosine. Returned memories count as accessed for the next focal points.

        Raises:
            ValueError: there is no embedder.
            ModelError: the embedder failed.
        """
        found: dict[str, list[Concept]] = {}
        for focal_point in focal_points:
            best = [
                replace(concept, last_accessed=self._now)
                for concept in self._best(focal_point, n_count)
            ]
            self._concepts.update((concept.id, concept) for concept in best)
            self.accessed += [concept.id for concept in best if concept.id not in self.accessed]
            found[focal_point] = best
        return found

    def _best(self, focal_point: str, count: int) -> list[Concept]:
        alive = self._alive(EVENTS + THOUGHTS)
        if not alive or count < 1:
            return []
        if self._embedder is None:
            msg = "new_retrieve compares meanings and needs an embedder"
            raise ValueError(msg)
        lacking = [concept for concept in alive if concept.vector is None]
        made = self._embedder.passages([concept.description for concept in lacking])
        for concept, vector in zip(lacking, made, strict=True):
            self._concepts[concept.id] = replace(concept, vector=vector)
        alive = self._alive(EVENTS + THOUGHTS)
        used = np.array([concept.last_accessed.timestamp() for concept in alive])
        parts = reverie_parts(
            self._own.decay ** ranks(used),
            cosines(
                self._embedder.queries([focal_point])[0],
                np.stack([concept.vector for concept in alive if concept.vector is not None]),
            ),
            np.array([concept.importance for concept in alive]),
            self._own,
        )
        score = sum(parts.values(), np.zeros(len(alive)))
        order = sorted(range(len(alive)), key=lambda at: (-score[at], *_newest(alive[at])))
        return [alive[at] for at in order[:count]]

    def _alive(self, kinds: Sequence[str]) -> list[Concept]:
        return [
            concept
            for concept in self._concepts.values()
            if concept.kind in kinds and (concept.expires is None or concept.expires >= self._now)
        ]


def reverie_parts(
    recency: Numbers, relevance: Numbers, importance: Numbers, own: OwnWeights = COMMON
) -> dict[str, Numbers]:
    """Return the weighted parts of the score of n memories; their sum ranks.

    Args:
        recency: decay to the power of the rank by last use, shape (n,).
        relevance: cosines, shape (n,).
        importance: 0.1 to 1.0, shape (n,).
        own: the person's own weights.
    """
    return {
        "recency": own.recency * RECENCY * min_max(recency),
        "relevance": own.relevance * RELEVANCE * min_max(relevance, noise=FLOAT_NOISE),
        "importance": own.importance * IMPORTANCE * min_max(importance),
    }


def _newest(concept: Concept) -> tuple[float, float, str, str]:
    accessed, created = concept.last_accessed.timestamp(), concept.created.timestamp()
    return (-accessed, -created, concept.description, concept.id)
