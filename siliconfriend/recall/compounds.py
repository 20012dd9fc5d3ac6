"""Words inside words: 琴 in 玻璃琴 and 弹琴, "shop" in "bookshop".

A dictionary of words knows nothing of what they are made of, so 弹琴 would not find 玻璃琴. A
Chinese word is made of its characters. An English one is taken apart only where both halves are
everyday words of their own, or "heart" would find what was said of the earth.
"""

from __future__ import annotations

from functools import lru_cache

from siliconfriend.language.characters import is_chinese
from siliconfriend.recall.base_associations import english_beginning, english_endings

SHORTEST_BEGINNING, SHORTEST_END = 3, 4
"""Letters of the two halves of an English compound: "season" is no son of the sea."""

SHORTEST_STEM = 3
"""Letters of the end as the whole is stemmed: "cheesecak"."""

LONGEST = 64
"""Letters of a compound; a row of a million digits is none, and would be cut at each of them."""


@lru_cache(maxsize=65_536)
def parts_of(token: str) -> tuple[str, ...]:
    """The tokens inside a token, without itself: its characters, or the halves of a compound."""
    if is_chinese(token):
        return tuple(dict.fromkeys(token)) if len(token) > 1 else ()
    if len(token) > LONGEST:
        return ()
    for at in range(SHORTEST_BEGINNING, len(token) - SHORTEST_STEM + 1):
        first = english_beginning(token[:at])
        ends = [end for end in english_endings(token[at:]) if len(end) >= SHORTEST_END]
        if first is not None and ends:
            return first, *ends
    return ()
