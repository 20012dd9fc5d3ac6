"""The names that a message asks about: which memories have them, and whose words those are.

"What does Kit play?" names somebody of whom something was told, and so it is another question
than a stranger's; and of the lines of a talk that say who speaks, Kit's own tell of Kit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.dictionary import dictionary_entries, is_proper_name
from siliconfriend.language.keywords import extract_keywords
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.records import Memory
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.index import ScopeIndex

Mask = NDArray[np.bool_]

_SPEAKER = re.compile(r"\s*([^\W\d_][^:：\n]{0,30})[:：]")
"""What a memory begins with that says who speaks."""


def has_part_of_name(index: ScopeIndex, cue: Cue) -> Mask:
    """Which rows have a name that is asked about, or a part of it."""
    is_named = np.zeros(len(index.rows), dtype=np.bool_)
    for name in cue.names:
        for token in tokenize(name):
            is_named[index.word_index.rows(token)] = True
    return is_named


def has_whole_name(index: ScopeIndex, cue: Cue) -> Mask:
    """Which rows have all words of a name that is asked about, and that is a name beyond doubt."""
    has_name = np.zeros(len(index.rows), dtype=np.bool_)
    for name in cue.names:
        held = [index.word_index.rows(token) for token in set(tokenize(name))]
        if held and extract_keywords(name) and not _is_common(name):
            has_name[reduce(np.intersect1d, held)] = True
    return has_name


def is_of_another(memories: Sequence[Memory], is_named: Mask, cue: Cue) -> Mask:
    """Which of the memories with a name that is asked about are the words of somebody else."""
    asked = {token for name in cue.names for token in tokenize(name)}
    found = np.zeros(len(memories), dtype=np.bool_)
    for at in np.flatnonzero(is_named).tolist():
        speaker = _SPEAKER.match(own_words(memories[at]))
        found[at] = speaker is not None and asked.isdisjoint(tokenize(speaker[1]))
    return found


def _is_common(name: str) -> bool:
    """True if a Chinese word that was taken for a name is another word before all else: 城市."""
    return is_chinese(name) and bool(dictionary_entries(name)) and not is_proper_name(name)
