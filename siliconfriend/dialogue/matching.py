"""How well a memory itself matches what was said, apart from its day and its neighbours.

Recall ranks what is worth reading beside one another: a turn also stands high because the turn
next to it matches, or for its day. What is quoted stands alone, so it is judged by its own words
and meaning, and by whether it tells anything: "Thank you for the advice" matches a great deal.
"""

from __future__ import annotations

from siliconfriend.recall.results import Recalled

_OWN = ("dense", "lexical", "related")
"""The parts of a score that a memory's own words and meaning make."""

LEXICAL, RELATED = 0.25, 2.0
"""What shared words, and words that stand for one another, count beside the meaning of a remark:
it shares common words with much ("took", "again"), and a word that stands for another seldom."""

COVERED, RARE, RELEVANT = 0.5, 1.0, 0.2
"""What holding all of a remark, having nothing but rare words, and mattering by itself add."""

AKIN = 0.1
"""From here on what stands for the words of a remark is enough to bring a memory up."""


def own_match(recalled: Recalled) -> float:
    """What a memory's own words and meaning count of its score; without such parts all of it."""
    own = [recalled.parts[name] for name in _OWN if name in recalled.parts]
    return sum(own) if own else recalled.score


def touched(recalled: Recalled) -> float:
    """How strongly a remark touches a memory; without parts of its own its score."""
    parts = recalled.parts
    if not any(name in parts for name in _OWN):
        return recalled.score
    match = parts.get("dense", 0.0) + LEXICAL * parts.get("lexical", 0.0)
    match += RELATED * parts.get("related", 0.0) + COVERED * recalled.coverage
    return match + RARE * recalled.rareness + RELEVANT * recalled.is_relevant


def is_strong(recalled: Recalled) -> bool:
    """True if a remark touches a memory by itself, or by words that stand for some of its own."""
    return recalled.is_relevant or recalled.parts.get("related", 0.0) >= AKIN
