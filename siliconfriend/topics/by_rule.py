"""What a batch was about where no model says it: its strongest words, in a sentence of its own.

Offline talk and imports come into topics this way. Nothing is made up: the summary is what
the person said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.keywords import extract_keywords
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import surface_forms
from siliconfriend.memory.records import Turn
from siliconfriend.topics.theme import Theme

KEY_WORDS = 8
QUOTED = 2
"""Sentences of the person that the summary is made of."""
LONGEST = 240
"""Characters after which a quoted sentence is cut."""


def themes_of(turns: Sequence[Turn], *, continues: bool = False) -> tuple[Theme, ...]:
    """The one theme of turns that were said in a row; none where nothing was told.

    A turn that only asks about what was said before (its ``index_text`` is empty) is no page:
    the question would stand in a topic's summary in the place of what it asks about.

    Args:
        turns: of one scene, oldest first.
        continues: they go on from the turn right before them.
    """
    telling = [turn for turn in turns if turn.index_text != ""]
    said = [turn.query.strip() for turn in telling if turn.query.strip()]
    if not said:
        return ()
    named = _strongest(said)
    summary = _summary(said, frozenset(named))
    return (Theme(summary, tuple(named), tuple(turn.id for turn in telling), continues),)


def _strongest(said: Sequence[str]) -> list[str]:
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
    return sorted(whole, key=lambda word: (-len(turns[word]), -times[word]))[:KEY_WORDS]


def _summary(said: Sequence[str], named: frozenset[str]) -> str:
    """The sentences with most of the key words, in the order they were said."""
    spoken = list(dict.fromkeys(it for text in said for it in split_sentences(text))) or [said[0]]
    told = {at: len(named.intersection(extract_keywords(it))) for at, it in enumerate(spoken)}
    best = sorted(sorted(told, key=lambda at: (-told[at], at))[:QUOTED])
    quoted = [spoken[at][:LONGEST] for at in best]
    return ("" if is_chinese(quoted[0]) else " ").join(quoted)
