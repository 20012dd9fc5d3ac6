"""The weightiest sentences of a day in the person's own words: its summary without a model."""

import math
from collections.abc import Iterable

from siliconfriend.extraction.importance import offline_importance
from siliconfriend.language.message import PersonText, read_message
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.words import content_words, is_small_talk
from siliconfriend.memory.records import Turn

LEAST, MOST = 2, 5
"""Sentences of a summary: a third of the statements, between these."""
FULL = 8
"""Number of content words of a full sentence."""
FULLNESS = 0.3
"""Added to the importance of a full sentence."""


def weightiest_sentences(turns: Iterable[Turn]) -> list[str]:
    """Return the weightiest statements of some turns, word by word, in the order they were said.

    Of turns without a statement all sentences count; turns that only ask about the past do not.
    """
    said = [turn.query for turn in turns if not turn.is_quiet]
    said = [words for words in said if not read_message(words).asks_only_for_fact]
    sentences = list(
        dict.fromkeys(sentence for words in said for sentence in split_sentences(words))
    )
    told = (
        said for said in map(PersonText, sentences) if not (said.asks or said.asks_for_reminder)
    )
    worded = [said.text for said in told if not is_small_talk(said.text)]
    every = worded or sentences
    count = min(max(math.ceil(len(every) / 3), LEAST), MOST)
    chosen = sorted(every, key=lambda sentence: -sentence_weight(sentence))[:count]
    return [sentence for sentence in every if sentence in chosen]


def weightiest_turns(turns: Iterable[Turn], most: int) -> list[Turn]:
    """Return the weightiest turns that tell something, in order of time."""
    kept = (turn for turn in turns if not (turn.is_quiet or is_small_talk(turn.query)))
    telling = [turn for turn in kept if not read_message(turn.query).only_asks]
    ranked = sorted(telling, key=lambda turn: -sentence_weight(turn.query))[:most]
    return sorted(ranked, key=lambda turn: (turn.date, turn.position))


def sentence_weight(sentence: str) -> float:
    """Return the weight of a sentence: its importance and fullness."""
    fullness = min(len(content_words(sentence)) / FULL, 1.0)
    return offline_importance(sentence) + FULLNESS * fullness
