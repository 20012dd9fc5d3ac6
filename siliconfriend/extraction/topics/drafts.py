"""Drafts of topics, as a model reads them from one batch of talk; and topics rebuilt by rule.

A topic some of whose pages left or changed their words is made again from the rest, in the person's
words: what was said of pages that are gone must not live on in a summary.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from siliconfriend.extraction.day_sentences import weightiest_sentences
from siliconfriend.language.sentences import join_sentences
from siliconfriend.language.words import top_keywords
from siliconfriend.memory.knowledge import Topic, TopicSegment
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Turn

MAX_KEY_WORDS = 8
MAX_SUMMARY = 480
"""Characters of a summary that is made by rule."""


@dataclass(frozen=True, slots=True)
class TopicDraft:
    """Pages of one batch that belong together.

    Attributes:
        summary: what they are about, in a sentence or a few.
        key_words: the words for it, most telling first.
        pages: ids of turns, oldest first.
        continues: its first page goes on from the page right before the batch.
    """

    summary: str
    key_words: tuple[str, ...]
    pages: tuple[str, ...]
    continues: bool


def rebuild_topic(
    topic: Topic, pages: Mapping[str, Turn], touched: Collection[str]
) -> Topic | None:
    """Rebuild a topic from these pages alone; None where they say nothing.

    Args:
        topic: as it was.
        pages: the turns that stay in it, by id, with the words they have now.
        touched: ids of the pages that are gone or reworded.
    """
    talks = []
    for talk in topic.talks:
        left = tuple(page for page in talk.pages if page in pages)
        if left:
            is_touched = not set(talk.pages).isdisjoint(touched)
            overview = _summary(map(pages.__getitem__, left)) if is_touched else talk.overview
            follows = "" if talk.follows in touched else talk.follows
            talks.append(TopicSegment(left, overview, follows))
    turns = [pages[page] for talk in talks for page in talk.pages]
    summary = _summary(turns)
    if not summary:
        return None
    stays = {turn.id for turn in turns}
    from_ids = tuple(it for it in topic.provenance.from_ids if it in stays)
    return replace(
        topic,
        text=summary,
        key_words=tuple(top_keywords((turn.query for turn in turns), MAX_KEY_WORDS)),
        talks=tuple(talks),
        provenance=replace(topic.provenance, made_by=OFFLINE, from_ids=from_ids),
        length=min(topic.length, len(turns)),
        analysed=tuple(it for it in topic.analysed if it in stays),
    )


def _summary(turns: Iterable[Turn]) -> str:
    return join_sentences(weightiest_sentences(turns))[:MAX_SUMMARY]
