"""The retrievals of the systems that the project grew from, as recipes.

Every recipe scores the same candidates as the default, so one table can compare them.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.words import content_set, jaccard, word_set
from siliconfriend.memory.knowledge import Topic
from siliconfriend.recall.candidate_set import CandidateSet
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.recipes import Parts, Recipe, Searched
from siliconfriend.recall.scoring import Numbers, ranks
from siliconfriend.recall.similarity import calibration_of
from siliconfriend.recall.vector_index import inner_products
from siliconfriend.seeds.association import DECAY, reverie_parts
from siliconfriend.seeds.association_table import table_in
from siliconfriend.seeds.expansion import expand_query, search_weights
from siliconfriend.seeds.memorybank_search import with_distances
from siliconfriend.seeds.scoring import DEFAULT_IMPORTANCE, min_max

TIME_GAP = 0.1
"""Recency weight of the newest memory, relative to a perfect match in words."""
TOPICS = 5  # MemoryOS's number of topics
TOPIC_FLOOR = 0.1
"""MemoryOS's minimum of a topic's similarity plus its share of key words."""


def memorybank(candidates: CandidateSet) -> Parts:
    """MemoryBank (arXiv 2305.10250): the nearest memory pieces by meaning alone."""
    return {"dense": _dense_or_lexical(candidates)}


def generative_agents(candidates: CandidateSet) -> Parts:
    """Generative Agents (arXiv 2304.03442): recency, importance and relevance with weight 1 each.

    Recency is 0.99 to the seconds since the last access, in log space, where it does not underflow.
    """
    used = np.array([memory.trace.last_recall.timestamp() for memory in candidates.memories])
    recency = min_max(np.minimum(used - candidates.now.timestamp(), 0.0) * -np.log(0.99))
    return {
        "recency": recency,
        "importance": _importance(candidates),
        "relevance": min_max(_dense_or_lexical(candidates)),
    }


def _importance(candidates: CandidateSet) -> Numbers:
    """Return the importance of each candidate; unrated ones get the middle of the scale."""
    rated = (memory.trace.importance for memory in candidates.memories)
    return np.array([importance or DEFAULT_IMPORTANCE for importance in rated])


def _use_ranks(candidates: CandidateSet) -> Numbers:
    """Rank the candidates by their last use, the most recent first; ties share the better rank."""
    return ranks(np.array([memory.trace.last_recall.timestamp() for memory in candidates.memories]))


def reverie(candidates: CandidateSet) -> Parts:
    """The first retrieval of the code of Generative Agents (:func:`reverie_parts`)."""
    relevance = _dense_or_lexical(candidates)
    return reverie_parts(DECAY ** _use_ranks(candidates), relevance, _importance(candidates))


def reverie_words(candidates: CandidateSet) -> Parts:
    """The second retrieval of the code of Generative Agents: by the number of shared key words.

    Ties are broken by the last use.
    """
    asked = content_set(candidates.text)
    shared = [len(asked & content_set(searched_text(memory))) for memory in candidates.memories]
    return {
        "shared": np.array(shared, dtype=np.float64),
        "recency": 0.5 * min_max(DECAY ** _use_ranks(candidates)),
    }


def dynamic(candidates: CandidateSet) -> Parts:
    """The dynamic memory of a virtual human (fourth version): key words, meaning and time gap.

    The key words are those of :func:`siliconfriend.seeds.expansion.search_weights`; meaning is that
    of message and last reply together. The time gap grows with the logarithm of the age.
    """
    told = np.array([memory.trace.created.timestamp() for memory in candidates.memories])
    days = np.maximum(candidates.now.timestamp() - told, 0.0) / 86_400.0
    gap = 1.0 / (1.0 + np.log1p(days))
    return {
        "keywords": _share_of_best(candidates.lexical),
        "meaning": min_max(_dense_or_lexical(candidates)),
        "time": TIME_GAP * gap,
    }


def memoryos(candidates: CandidateSet) -> Parts:
    """MemoryOS (arXiv 2506.06326): select the nearest topics, then rank their pages by meaning.

    Without stored topics, each day is a topic, scored by its best page.
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


def expanded_weights(searched: Searched) -> Mapping[str, float]:
    """Return the search weights of the words and their associated words."""
    index, cue = searched.index, searched.cue
    query = expand_query(
        cue,
        table_in(searched.home),
        names=searched.names,
        frequency=index.word_index.frequency,
        documents=len(index.word_index),
    )
    return search_weights(query, cue)


def with_stored_topics(candidates: CandidateSet, searched: Searched) -> CandidateSet:
    """Add the stored topics of the memory and how similar each is to the message."""
    tokens = [token for _, token in searched.cue.text_tokens]
    similarity = _similarity(searched, tokens)
    return with_topics(candidates, searched.memory.topics(), similarity, tokens)


def _similarity(searched: Searched, tokens: Collection[str]) -> dict[str, float]:
    """Return the similarity of the message to each active memory by id, 0 to 1.

    Without an embedder, the similarity is the share of the message's words, weighted by idf.
    """
    index, text = searched.index, searched.cue.text
    rows, asked = index.rows, frozenset(tokens)
    found = np.flatnonzero(rows["alive"] & ~rows["archived"])
    vector = None if searched.vectors is None else searched.vectors.message
    if vector is None or index.vector_index is None:
        total = sum(index.word_index.idf(token) for token in asked)
        scores = index.word_index.scores(asked)[found]
        similarities = np.minimum(scores / max(total, 1e-9), 1.0)
    else:
        similarities = calibration_of(searched.embedder).calibrate(
            inner_products(index.vector_index.vectors(found), vector),
            rows["is_chinese"][found],
            asked_in_chinese=is_chinese(text),
        )
    ids = (rows.ids[row] for row in found)
    return dict(zip(ids, similarities.tolist(), strict=True))


def with_topics(
    candidates: CandidateSet,
    topics: Iterable[Topic],
    similarity: Mapping[str, float],
    tokens: Collection[str],
) -> CandidateSet:
    """Add the topic of each candidate and the topics' scores, if topics are stored.

    A topic's score is its similarity plus the Jaccard similarity of its key words.
    """
    active = [topic for topic in topics if topic.id in similarity]
    if not active:
        return candidates
    number = {page: at for at, topic in enumerate(active) for page in topic.pages}
    scores = [
        similarity[topic.id] + jaccard(tokens, word_set(*topic.key_words)) for topic in active
    ]
    return replace(
        candidates,
        topic=np.array(
            [number.get(memory.id, -1) for memory in candidates.memories], dtype=np.int64
        ),
        topic_scores=np.array(scores, dtype=np.float64),
    )


RECIPES: Mapping[str, Recipe] = {
    "memorybank": Recipe(memorybank),
    "memorybank_langchain": Recipe(memorybank, extend=with_distances),
    "generative_agents": Recipe(generative_agents),
    "reverie": Recipe(reverie),
    "reverie_words": Recipe(reverie_words),
    "dynamic": Recipe(dynamic, search_weights=expanded_weights, joins_reply=True),
    "memoryos": Recipe(memoryos, extend=with_stored_topics),
}


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
