"""Assign drafts of topics to topics: each joins the most similar one, or opens one.

Every page stands in one topic and joins once. The similarity is MemoryOS's sum (arXiv 2506.06326): the
cosine of the summaries plus the Jaccard share of the key words.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from siliconfriend.extraction.extractor import TopicDraft
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import join_sentences, split_sentences
from siliconfriend.memory.changes import Change, PutDerived
from siliconfriend.memory.days import DayView
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Topic, TopicSegment
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.similarity import calibration_of, jaccard, word_set

JOIN_THRESHOLD = 0.6
"""From this similarity on a draft joins a topic (MemoryOS's number)."""

MAX_OVERVIEW = 600
"""Characters of an overview; from then on its oldest sentences make room."""

Numbers = NDArray[np.float64]


class TopicIndex:
    """The topics of one memory, brought in step with :meth:`sync`; each text is embedded once.

    Args:
        embedder: gives the vectors of summaries; None compares words.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        self._calibration = calibration_of(embedder)
        self._view = DayView(_topics_on)
        self._topics: dict[str, Topic] = {}
        self._holding: dict[str, str] = {}
        self._vectors: dict[str, Numbers] = {}

    def sync(self, memory: PersonMemory) -> None:
        """Bring the index in step with a memory."""
        for before, after in list(self._view.sync(memory)):
            for topic in before or ():
                self._topics.pop(topic.id, None)
                for page in topic.provenance.from_ids:
                    self._holding.pop(page, None)
            for topic in after or ():
                self._topics[topic.id] = topic
                self._holding |= dict.fromkeys(topic.provenance.from_ids, topic.id)

    def holding(self, page: str) -> Topic | None:
        """Return the topic that holds a page, in the archive or not."""
        return self._topics.get(self._holding.get(page, ""))

    def analysed(self, page: str) -> list[Topic]:
        """Return the topics in which a page was analysed."""
        found = (topic for topic in self._topics.values() if page in topic.analysed)
        return sorted(found, key=lambda topic: topic.id)

    def most_similar(self, draft: TopicDraft) -> Topic | None:
        """Find the topic outside the archive that a draft joins, the most similar one."""
        active = [topic for topic in self._topics.values() if topic.trace.archived is None]
        active.sort(key=lambda topic: (topic.date, topic.position))
        if not active:
            return None
        found = self.similarities(draft, active)
        best = int(found.argmax())
        return active[best] if found[best] >= JOIN_THRESHOLD else None

    def similarities(self, draft: TopicDraft, topics: Sequence[Topic]) -> Numbers:
        """Compute the similarity of a draft with each topic."""
        words = word_set(draft.key_words)
        named = np.array([jaccard(words, _key_words(topic.key_words)) for topic in topics])
        if self._embedder is None:
            said = word_set([draft.summary])
            told = [word_set([topic.text]) for topic in topics]
            meant = [len(said & it) / math.sqrt(max(len(said) * len(it), 1)) for it in told]
            return np.asarray(named + np.array(meant))
        texts = [draft.summary, *(topic.text for topic in topics)]
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if missing:
            self._vectors |= zip(
                missing, self._embedder.passages(missing).astype(np.float64), strict=True
            )
        vectors = np.stack([self._vectors[text] for text in texts])
        meaning = self._calibration.calibrate(
            vectors[1:] @ vectors[0],
            np.array([is_chinese(text) for text in texts[1:]], dtype=np.bool_),
            asked_in_chinese=is_chinese(draft.summary),
        )
        return np.asarray(named + meaning)


def assign_topics(
    memory: PersonMemory,
    scope: Scope,
    drafts: Sequence[TopicDraft],
    index: TopicIndex,
    *,
    before: str,
    now: datetime,
    made_by: str,
) -> list[Change]:
    """Assign the topic drafts of one batch to topics.

    A page that two drafts name belongs to the first; one that is gone or in a topic already joins none.

    Args:
        memory: the newest snapshot.
        scope: whose.
        drafts: of one batch.
        index: of the topics of this memory as they are or once were.
        before: id of the turn right before the batch; empty for none.
        now: aware.
        made_by: what the provenance of a new topic says.
    """
    index.sync(memory)
    changes: list[Change] = [PutDerived(topic) for topic in _reopen_analysed(index, drafts)]
    for change in changes:
        memory = change.apply(memory)
    for draft in drafts:
        index.sync(memory)
        turns = _joining_turns(memory, index, draft)
        if not turns:
            continue
        best = index.most_similar(draft)
        if best is None:
            best = _open_topic(memory, scope, draft, turns, now, made_by)
        link = before if draft.continues else ""
        pages = [turn.id for turn in turns]
        topic = _extend_topic(memory, index, best, draft, pages, link, now)
        changes.append(PutDerived(topic))
        memory = changes[-1].apply(memory)
    return changes


def _reopen_analysed(index: TopicIndex, drafts: Sequence[TopicDraft]) -> list[Topic]:
    named = {page for draft in drafts for page in draft.pages}
    reopened = {topic.id: topic for page in named for topic in index.analysed(page)}
    return [
        replace(topic, analysed=tuple(it for it in topic.analysed if it not in named))
        for topic in sorted(reopened.values(), key=lambda it: (it.date, it.position))
    ]


def _joining_turns(memory: PersonMemory, index: TopicIndex, draft: TopicDraft) -> list[Turn]:
    pages = [page for page in dict.fromkeys(draft.pages) if index.holding(page) is None]
    turns = [turn for turn in map(memory.find, pages) if isinstance(turn, Turn)]
    kept = [turn for turn in turns if not turn.is_left_alone]
    return sorted(kept, key=lambda turn: (turn.date, turn.position))


def _open_topic(
    memory: PersonMemory,
    scope: Scope,
    draft: TopicDraft,
    turns: Sequence[Turn],
    now: datetime,
    made_by: str,
) -> Topic:
    newest = max(turns, key=lambda turn: turn.trace.created)
    position = memory.next_position(newest.date, "topic")
    return Topic(
        id=memory_id(scope, "topic", newest.date, position),
        date=newest.date,
        position=position,
        text=draft.summary,
        trace=Trace(now),
        provenance=Provenance(made_by, now),
        key_words=tuple(dict.fromkeys(draft.key_words)),
    )


def _extend_topic(
    memory: PersonMemory,
    index: TopicIndex,
    topic: Topic,
    draft: TopicDraft,
    pages: list[str],
    link: str,
    now: datetime,
) -> Topic:
    """The topic with these pages as a talk of their own, or at the end of the one they go on."""
    talks = list(topic.talks)
    if link and talks and any(link in talk.pages for talk in talks):
        last = talks[-1]
        overview = extend_overview(last.overview, draft.summary)
        talks[-1] = replace(last, pages=(*last.pages, *pages), overview=overview)
    else:
        follows = link if link and index.holding(link) is not None else ""
        talks.append(TopicSegment(tuple(pages), draft.summary, follows))
    from_ids = (*topic.provenance.from_ids, *pages)
    trace = topic.trace
    if topic.pages:
        trace = trace.recalled(now, memory.profile.zone)
    return replace(
        topic,
        trace=trace,
        provenance=replace(topic.provenance, from_ids=from_ids),
        talks=tuple(talks),
        length=topic.length + len(pages),
        last_visit=now,
    )


def extend_overview(overview: str, summary: str) -> str:
    """Add the sentences of a summary that an overview lacks, the newest at its end."""
    found = split_sentences(overview)
    known = {fold(sentence) for sentence in found}
    found += [sentence for sentence in split_sentences(summary) if fold(sentence) not in known]
    while len(found) > 1 and sum(map(len, found)) > MAX_OVERVIEW:
        del found[0]
    return join_sentences(found)


@lru_cache(maxsize=1 << 14)
def _key_words(words: tuple[str, ...]) -> frozenset[str]:
    return word_set(words)


def _topics_on(memory: PersonMemory, date: str) -> tuple[Topic, ...]:
    return tuple(it for it in memory.on(date, "topic") if isinstance(it, Topic))
