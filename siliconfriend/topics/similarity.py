"""How near a theme is to the topics there are: meaning and words, added up.

MemoryOS (arXiv 2506.06326): the cosine of the two summaries plus the Jaccard share of their
key words; from 0.6 on they are one topic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import is_chinese
from siliconfriend.memory.knowledge import Topic
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.likeness import Likeness, jaccard, word_cosine, word_set
from siliconfriend.topics.theme import Theme

JOINS = 0.6
"""From this similarity on a theme goes on with a topic (MemoryOS's number)."""

Embed = Callable[[Sequence[str]], Vectors]
"""Vectors of stored texts: float32, shape (len(texts), dimension), rows of length 1."""


def similarities(
    theme: Theme, topics: Sequence[Topic], *, embed: Embed | None, likeness: Likeness
) -> NDArray[np.float64]:
    """The similarity of a theme with each topic, shape (len(topics),).

    Without ``embed`` the cosine of the words of the two summaries, each counted once, stands
    for the cosine of their meanings.
    """
    if not topics:
        return np.zeros(0)
    named = word_set(theme.key_words)
    words = np.array([jaccard(named, word_set(it.key_words)) for it in topics])
    return words + _meanings(theme.summary, [it.text for it in topics], embed, likeness)


def _meanings(
    summary: str, texts: Sequence[str], embed: Embed | None, likeness: Likeness
) -> NDArray[np.float64]:
    if embed is None:
        said = word_set([summary])
        return np.array([word_cosine(said, word_set([it])) for it in texts])
    vectors = embed([summary, *texts]).astype(np.float64)
    chinese = np.array([is_chinese(it) for it in texts], dtype=np.bool_)
    return likeness.scaled(vectors[1:] @ vectors[0], chinese, asked_in_chinese=is_chinese(summary))
