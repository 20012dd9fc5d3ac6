"""All topics of a memory, to be compared with one draft after another.

Reading years of talk makes thousands of drafts and thousands of topics. Here the words of each
topic are cut and its vector is taken once, and a draft is compared with all of them in a few
operations.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import is_chinese
from siliconfriend.memory.day_view import DayView
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.recall.score_calibration import ScoreCalibration
from siliconfriend.recall.similarity import word_set
from siliconfriend.topics.drafts import TopicDraft
from siliconfriend.topics.word_sets import WordSets

MOST_STALE = 0.5
"""Share of slots of topics that are gone or were reworded, from which all are numbered anew."""

Numbers = NDArray[np.float64]


class TopicIndex:
    """The topics of one memory; bring it in step with :meth:`sync` before every look."""

    def __init__(self) -> None:
        self._view = DayView(_topics_on)
        self._clear()

    def _clear(self) -> None:
        self._topics: list[Topic | None] = []
        self._slot_of: dict[str, int] = {}
        self._topic_of: dict[str, str] = {}
        self._analysed: list[frozenset[str]] = []
        self._key_words = WordSets()
        self._text_words: WordSets | None = None
        self._vectors = np.empty((0, 0))
        self._is_chinese: list[bool] = []

    def sync(self, memory: PersonMemory) -> None:
        """Bring the index in step with a memory."""
        for before, after in list(self._view.sync(memory)):
            left = {topic.id for topic in after or ()}
            for topic in before or ():
                self._forget_pages(topic)
                if topic.id not in left:
                    self._drop(topic.id)
            for topic in after or ():
                self._put(topic)
        if len(self._topics) > len(self._slot_of) / (1 - MOST_STALE):
            topics = [topic for topic in self._topics if topic is not None]
            self._clear()
            for topic in topics:
                self._put(topic)

    def holding(self, page: str) -> Topic | None:
        """The topic that holds a page, in the archive or not; None where none does."""
        identifier = self._topic_of.get(page)
        return None if identifier is None else self._topics[self._slot_of[identifier]]

    def analysed(self, page: str) -> list[Topic]:
        """The topics in which a page was analysed."""
        held = zip(self._topics, self._analysed, strict=True)
        found = (topic for topic, pages in held if topic is not None and page in pages)
        return sorted(found, key=lambda topic: topic.id)

    def most_similar(
        self,
        draft: TopicDraft,
        *,
        embed: Embed | None,
        calibration: ScoreCalibration,
        threshold: float,
    ) -> Topic | None:
        """The topic that is most similar to a draft, from a similarity on; the archive is left alone."""
        active = [topic for topic in self._topics if topic and topic.trace.archived is None]
        if not active:
            return None
        slots = np.array([self._slot_of[topic.id] for topic in active])
        found = self.similarities(draft, embed=embed, calibration=calibration)[slots]
        best = found.max()
        if best < threshold:
            return None
        equals = [active[at] for at in np.flatnonzero(found == best).tolist()]
        return min(equals, key=lambda topic: (topic.date, topic.position))

    def similarities(
        self, draft: TopicDraft, *, embed: Embed | None, calibration: ScoreCalibration
    ) -> Numbers:
        """The similarity of a draft with the topic of each slot."""
        named = self._key_words.jaccard(word_set(draft.key_words))
        if embed is None:
            return named + self._said().cosine(word_set([draft.summary]))
        vector = self._known_vectors(draft.summary, embed)
        meaning = calibration.calibrate(
            self._vectors @ vector,
            np.array(self._is_chinese, dtype=np.bool_),
            asked_in_chinese=is_chinese(draft.summary),
        )
        return named + meaning

    def _known_vectors(self, summary: str, embed: Embed) -> Numbers:
        """The vector of a summary, once those of all topics are known."""
        known = len(self._vectors)
        texts = [topic.text if topic else "" for topic in self._topics[known:]]
        made = embed([summary, *texts]).astype(np.float64)
        if texts:
            self._vectors = np.concatenate([self._vectors, made[1:]]) if known else made[1:]
        return np.asarray(made[0])

    def _said(self) -> WordSets:
        """The words of the texts of all topics; made where nothing embeds."""
        if self._text_words is None:
            self._text_words = WordSets()
        for topic in self._topics[len(self._text_words) :]:
            self._text_words.append(word_set([topic.text] if topic else []))
        return self._text_words

    def _put(self, topic: Topic) -> None:
        slot = self._slot_of.get(topic.id)
        before = None if slot is None else self._topics[slot]
        if slot is not None and before and _says(before) == _says(topic):
            self._topics[slot] = topic
            self._analysed[slot] = frozenset(topic.analysed)
        else:
            self._drop(topic.id)
            self._slot_of[topic.id] = len(self._topics)
            self._topics.append(topic)
            self._analysed.append(frozenset(topic.analysed))
            self._key_words.append(frozenset(chain.from_iterable(map(_tokens, topic.key_words))))
            self._is_chinese.append(is_chinese(topic.text))
        self._topic_of |= dict.fromkeys(topic.provenance.from_ids, topic.id)

    def _drop(self, identifier: str) -> None:
        slot = self._slot_of.pop(identifier, None)
        if slot is not None:
            self._topics[slot] = None

    def _forget_pages(self, topic: Topic) -> None:
        for page in topic.provenance.from_ids:
            if self._topic_of.get(page) == topic.id:
                del self._topic_of[page]


@lru_cache(maxsize=1 << 14)
def _tokens(key_word: str) -> frozenset[str]:
    """The tokens of a key word: thousands of topics share a few hundred of them."""
    return word_set([key_word])


def _topics_on(memory: PersonMemory, date: str) -> tuple[Topic, ...]:
    return tuple(it for it in memory.on(date, "topic") if isinstance(it, Topic))


def _says(topic: Topic) -> tuple[str, tuple[str, ...]]:
    return topic.text, topic.key_words
