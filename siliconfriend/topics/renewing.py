"""A topic after some of its pages left or changed their words: made again from the rest.

What was said of pages that are gone must not live on in a summary. No model is asked: what
is left says by rule what it is about, and the next pages that join may say it better.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from siliconfriend.memory.knowledge import Talk, Topic
from siliconfriend.memory.records import Turn
from siliconfriend.topics.by_rule import themes_of


def renewed(topic: Topic, pages: Mapping[str, Turn], touched: Collection[str]) -> Topic | None:
    """The topic with these pages alone, or None where they say nothing.

    Args:
        topic: as it was.
        pages: the turns that stay in it, by id, with the words they have now.
        touched: ids of the pages that are gone or reworded; the overviews of their talks,
            the summary and the key words are made anew.
    """
    talks = []
    for talk in topic.talks:
        left = tuple(it for it in talk.pages if it in pages)
        if left:
            is_touched = not set(talk.pages).isdisjoint(touched)
            overview = _told(left, pages) if is_touched else talk.overview
            follows = "" if talk.follows in touched else talk.follows
            talks.append(Talk(left, overview, follows))
    turns = [pages[page] for talk in talks for page in talk.pages]
    themes = themes_of(turns)
    if not themes:
        return None
    stays = {turn.id for turn in turns}
    return replace(
        topic,
        text=themes[0].summary,
        key_words=themes[0].key_words,
        talks=tuple(talks),
        provenance=replace(
            topic.provenance,
            made_by="offline",
            from_ids=tuple(it for it in topic.provenance.from_ids if it in stays),
        ),
        length=min(topic.length, len(turns)),
        analysed=tuple(it for it in topic.analysed if it in stays),
    )


def _told(ids: Collection[str], pages: Mapping[str, Turn]) -> str:
    themes = themes_of([pages[it] for it in ids])
    return themes[0].summary if themes else ""
