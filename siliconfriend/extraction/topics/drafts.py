"""Drafts of topics, from one batch of talk; and topics rebuilt by rule.

One batch can be about several things and one model call names them all, together with the events
and facts. Were it worked out a page at a time, each page would cost a call of its own.
Offline talk and imports get theirs by rule, from what the person said: nothing is made up.

A topic some of whose pages left or changed their words is made again from the rest, also by
rule: what was said of pages that are gone must not live on in a summary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import surface_forms
from siliconfriend.language.words import extract_keywords
from siliconfriend.memory.knowledge import Topic, TopicSegment
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Turn


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


MAX_KEY_WORDS = 8
MAX_QUOTED = 2
"""Sentences of the person that the summary is made of."""
MAX_QUOTE = 240
"""Characters after which a quoted sentence is cut."""


def draft_topics(turns: Sequence[Turn], *, continues: bool = False) -> tuple[TopicDraft, ...]:
    """Draft by rule the one topic of turns said in a row; none where nothing was told.

    A turn that only asks about what was said before (its ``index_text`` is empty) is no page:
    the question would stand in a topic's summary in the place of what it asks about.

    Args:
        turns: of one scene, oldest first.
        continues: they go on from the turn right before them.
    """
    statements = [turn for turn in turns if turn.index_text != ""]
    said = [turn.query.strip() for turn in statements if turn.query.strip()]
    if not said:
        return ()
    named = _top_key_words(said)
    summary = _summary(said, frozenset(named))
    return (TopicDraft(summary, tuple(named), tuple(turn.id for turn in statements), continues),)


def _top_key_words(said: Sequence[str]) -> list[str]:
    """The key words that most turns have, then those said most often, then those said first.

    Of a Chinese word and one that holds it (收音, 收音机), both of the same turns, the longer stays.
    """
    turns: dict[str, set[int]] = {}
    times: Counter[str] = Counter()
    for at, text in enumerate(said):
        for word in extract_keywords(text):
            turns.setdefault(word, set()).add(at)
        times.update(surface_forms(text))
    parts = {
        word
        for word, its in turns.items()
        if is_chinese(word)
        and any(word != other and word in other and its == turns[other] for other in turns)
    }
    whole = [word for word in turns if word not in parts]
    return sorted(whole, key=lambda word: (-len(turns[word]), -times[word]))[:MAX_KEY_WORDS]


def _summary(said: Sequence[str], named: frozenset[str]) -> str:
    """The sentences with most of the key words, in the order they were said."""
    spoken = list(
        dict.fromkeys(sentence for text in said for sentence in split_sentences(text))
    ) or [said[0]]
    shared = [len(named.intersection(extract_keywords(sentence))) for sentence in spoken]
    best = sorted(sorted(range(len(spoken)), key=lambda at: (-shared[at], at))[:MAX_QUOTED])
    quoted = [spoken[at][:MAX_QUOTE] for at in best]
    return ("" if is_chinese(quoted[0]) else " ").join(quoted)


def rebuild_topic(
    topic: Topic, pages: Mapping[str, Turn], touched: Collection[str]
) -> Topic | None:
    """Rebuild a topic from these pages alone; None where they say nothing.

    Args:
        topic: as it was.
        pages: the turns that stay in it, by id, with the words they have now.
        touched: ids of the pages that are gone or reworded; the overviews of their talks,
            the summary and the key words are made anew.
    """
    talks = []
    for talk in topic.talks:
        left = tuple(page for page in talk.pages if page in pages)
        if left:
            is_touched = not set(talk.pages).isdisjoint(touched)
            overview = _overview(left, pages) if is_touched else talk.overview
            follows = "" if talk.follows in touched else talk.follows
            talks.append(TopicSegment(left, overview, follows))
    turns = [pages[page] for talk in talks for page in talk.pages]
    drafts = draft_topics(turns)
    if not drafts:
        return None
    (draft,) = drafts
    stays = {turn.id for turn in turns}
    return replace(
        topic,
        text=draft.summary,
        key_words=draft.key_words,
        talks=tuple(talks),
        provenance=replace(
            topic.provenance,
            made_by=OFFLINE,
            from_ids=tuple(
                identifier for identifier in topic.provenance.from_ids if identifier in stays
            ),
        ),
        length=min(topic.length, len(turns)),
        analysed=tuple(it for it in topic.analysed if it in stays),
    )


def _overview(ids: Collection[str], pages: Mapping[str, Turn]) -> str:
    drafts = draft_topics([pages[identifier] for identifier in ids])
    return drafts[0].summary if drafts else ""
