"""Assign drafts to topics: each joins the topic it is most similar to, or opens one.

Every page stands in one topic only and joins once, whatever is given twice, so a batch that
is taken in again after a crash changes nothing. Were it not so, one evening would be counted
as often as a program was broken off, and every topic would run hot.

How alike they are is MemoryOS's sum (arXiv 2506.06326): the cosine of the two summaries plus
the Jaccard share of their key words; from 0.6 on they are one topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.changes import Change, PutDerived
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Topic, TopicSegment
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.recall.score_calibration import PLAIN, ScoreCalibration
from siliconfriend.recall.similarity import jaccard, word_cosine, word_set
from siliconfriend.topics.drafts import TopicDraft

JOIN_THRESHOLD = 0.6
"""From this similarity on a draft joins a topic (MemoryOS's number)."""
MAX_OVERVIEW = 600
"""Characters of an overview; from then on its oldest sentences make room."""


def assign_topics(
    memory: PersonMemory,
    scope: Scope,
    drafts: Sequence[TopicDraft],
    *,
    embed: Embed | None,
    now: datetime,
    made_by: str,
    calibration: ScoreCalibration = PLAIN,
) -> list[Change]:
    """Assign the topic drafts of one batch to topics.

    Args:
        memory: the newest snapshot.
        scope: whose.
        drafts: of one batch. A page that two of them name belongs to the first; one that is
            not in the memory, or in a topic already, joins nothing, but is read again when
            its topic is next analysed.
        embed: gives the vectors of the summaries of drafts and topics; None compares words.
        now: aware.
        made_by: what the provenance of a new topic says.
        calibration: of the embedder behind ``embed``
            (:func:`siliconfriend.recall.score_calibration.calibration_of`).
    """
    changes: list[Change] = [PutDerived(topic) for topic in _reopen_analysed(memory, drafts)]
    for change in changes:
        memory = change.apply(memory)
    before = _page_before(memory, drafts)
    for draft in drafts:
        turns = _joining_turns(memory, draft)
        if not turns:
            continue
        best = _most_similar(memory, draft, embed, calibration)
        if best is None:
            best = _open_topic(memory, scope, draft, turns, now, made_by)
        link = before if draft.continues else ""
        topic = _extend_topic(memory, best, draft, [turn.id for turn in turns], link, now)
        changes.append(PutDerived(topic))
        memory = changes[-1].apply(memory)
    return changes


def topic_of(memory: PersonMemory, page: str) -> Topic | None:
    """The topic that holds a page, in the archive or not; None where none does."""
    return next((topic for topic in memory.topics() if page in topic.provenance.from_ids), None)


def _reopen_analysed(memory: PersonMemory, drafts: Sequence[TopicDraft]) -> list[Topic]:
    """The topics some of whose analysed pages were read anew, so that they are analysed again."""
    named = {page for draft in drafts for page in draft.pages}
    return [
        replace(topic, analysed=tuple(it for it in topic.analysed if it not in named))
        for topic in memory.topics()
        if not named.isdisjoint(topic.analysed)
    ]


def _joining_turns(memory: PersonMemory, draft: TopicDraft) -> list[Turn]:
    """The turns of a draft that are remembered and in no topic yet, each once, oldest first."""
    taken = {page for topic in memory.topics() for page in topic.provenance.from_ids}
    found = (memory.find(page) for page in dict.fromkeys(draft.pages) if page not in taken)
    turns = [turn for turn in found if isinstance(turn, Turn) and not turn.is_left_alone]
    return sorted(turns, key=lambda turn: (turn.date, turn.position))


def _page_before(memory: PersonMemory, drafts: Sequence[TopicDraft]) -> str:
    """The turn said right before the first page of the batch; empty for none."""
    pages = {page for draft in drafts for page in draft.pages}
    last = ""
    for turn in memory.turns():
        if turn.id in pages:
            return last
        if not turn.is_left_alone:
            last = turn.id
    return ""


def _most_similar(
    memory: PersonMemory, draft: TopicDraft, embed: Embed | None, calibration: ScoreCalibration
) -> Topic | None:
    """The topic a draft is most similar to, if similar enough; the archive is left alone."""
    topics = [topic for topic in memory.topics() if topic.trace.archived is None]
    found = similarities(draft, topics, embed=embed, calibration=calibration)
    if not len(found) or found.max() < JOIN_THRESHOLD:
        return None
    return topics[int(found.argmax())]


def _open_topic(
    memory: PersonMemory,
    scope: Scope,
    draft: TopicDraft,
    turns: Sequence[Turn],
    now: datetime,
    made_by: str,
) -> Topic:
    """A topic without pages yet, on the day of its newest one."""
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
    topic: Topic,
    draft: TopicDraft,
    pages: list[str],
    link: str,
    now: datetime,
) -> Topic:
    """The topic with these pages as a talk of their own, or at the end of the one they go on.

    Coming back to a topic recalls it.
    """
    talks = list(topic.talks)
    if link and talks and any(link in talk.pages for talk in talks):
        last = talks[-1]
        overview = extend_overview(last.overview, draft.summary)
        talks[-1] = replace(last, pages=(*last.pages, *pages), overview=overview)
    else:
        follows = link if link and topic_of(memory, link) is not None else ""
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


def similarities(
    draft: TopicDraft,
    topics: Sequence[Topic],
    *,
    embed: Embed | None,
    calibration: ScoreCalibration,
) -> NDArray[np.float64]:
    """The similarity of a draft with each topic, shape (len(topics),).

    Without ``embed`` the cosine of the words of the two summaries, each counted once, stands
    for the cosine of their meanings.
    """
    if not topics:
        return np.zeros(0)
    named = word_set(draft.key_words)
    words = np.array([jaccard(named, _words_of(topic.key_words)) for topic in topics])
    return words + _meaning_similarities(
        draft.summary, [topic.text for topic in topics], embed, calibration
    )


@lru_cache(maxsize=8192)
def _words_of(key_words: tuple[str, ...]) -> frozenset[str]:
    """The tokens of a topic's key words, with which each draft of a night is compared."""
    return word_set(key_words)


def _meaning_similarities(
    summary: str, texts: Sequence[str], embed: Embed | None, calibration: ScoreCalibration
) -> NDArray[np.float64]:
    if embed is None:
        said = word_set([summary])
        return np.array([word_cosine(said, word_set([text])) for text in texts])
    vectors = embed([summary, *texts]).astype(np.float64)
    chinese = np.array([is_chinese(text) for text in texts], dtype=np.bool_)
    return calibration.calibrate(
        vectors[1:] @ vectors[0], chinese, asked_in_chinese=is_chinese(summary)
    )


def extend_overview(overview: str, summary: str) -> str:
    """The overview with the sentences of a summary that it lacks, the newest at its end."""
    found = split_sentences(overview)
    known = {fold(it) for it in found}
    found += [sentence for sentence in split_sentences(summary) if fold(sentence) not in known]
    while len(found) > 1 and sum(map(len, found)) > MAX_OVERVIEW:
        del found[0]
    text = found[0] if found else ""
    for sentence in found[1:]:
        text += sentence if is_chinese(text[-2:]) else f" {sentence}"
    return text
