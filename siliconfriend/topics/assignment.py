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

from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.changes import Change, PutDerived
from siliconfriend.memory.identity import memory_id, parse_memory_id
from siliconfriend.memory.knowledge import Topic, TopicSegment
from siliconfriend.memory.lazy_days import last_turn_before
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.recall.score_calibration import PLAIN, ScoreCalibration
from siliconfriend.topics.drafts import TopicDraft
from siliconfriend.topics.topic_index import TopicIndex

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
    index: TopicIndex | None = None,
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
        index: of the topics of this memory as they once were, to be brought in step; it saves
            whoever assigns many drafts from going through all topics for each.
    """
    index = TopicIndex() if index is None else index
    index.sync(memory)
    changes: list[Change] = [PutDerived(topic) for topic in _reopen_analysed(index, drafts)]
    for change in changes:
        memory = change.apply(memory)
    before = _page_before(memory, drafts)
    for draft in drafts:
        index.sync(memory)
        turns = _joining_turns(memory, index, draft)
        if not turns:
            continue
        best = index.most_similar(
            draft, embed=embed, calibration=calibration, threshold=JOIN_THRESHOLD
        )
        if best is None:
            best = _open_topic(memory, scope, draft, turns, now, made_by)
        link = before if draft.continues else ""
        pages = [turn.id for turn in turns]
        topic = _extend_topic(memory, index, best, draft, pages, link, now)
        changes.append(PutDerived(topic))
        memory = changes[-1].apply(memory)
    return changes


def _reopen_analysed(index: TopicIndex, drafts: Sequence[TopicDraft]) -> list[Topic]:
    """The topics some of whose analysed pages were read anew, so that they are analysed again."""
    named = {page for draft in drafts for page in draft.pages}
    reopened = {topic.id: topic for page in named for topic in index.analysed(page)}
    return [
        replace(topic, analysed=tuple(it for it in topic.analysed if it not in named))
        for topic in sorted(reopened.values(), key=lambda it: (it.date, it.position))
    ]


def _joining_turns(memory: PersonMemory, index: TopicIndex, draft: TopicDraft) -> list[Turn]:
    """The turns of a draft that are remembered and in no topic yet, each once, oldest first."""
    pages = [page for page in dict.fromkeys(draft.pages) if index.holding(page) is None]
    turns = [turn for turn in map(memory.find, pages) if isinstance(turn, Turn)]
    kept = [turn for turn in turns if not turn.is_left_alone]
    return sorted(kept, key=lambda turn: (turn.date, turn.position))


def _page_before(memory: PersonMemory, drafts: Sequence[TopicDraft]) -> str:
    """The turn said right before the first page of the batch; empty for none."""
    pages = {page for draft in drafts for page in draft.pages}
    dates = {place.date for place in map(parse_memory_id, pages) if place is not None}
    for date in sorted(dates & memory.days.keys()):
        last = ""
        for turn in memory.days[date].turns:
            if turn.id in pages:
                return last or _id_of(last_turn_before(memory, date))
            last = last if turn.is_left_alone else turn.id
    return ""


def _id_of(turn: Turn | None) -> str:
    return "" if turn is None else turn.id


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
    index: TopicIndex,
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
