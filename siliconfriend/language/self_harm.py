"""Finds words in which somebody speaks of hurting or killing themselves.

The patterns are data (``texts/*/distress.toml``) and of both languages, whichever the person's
is. They find plain words and miss hints; where a model answers, it judges as well.
"""

from __future__ import annotations

from functools import lru_cache

from siliconfriend.language.characters import fold
from siliconfriend.language.word_lists import matches, without_matches
from siliconfriend.language.words import beginning_and_end


@lru_cache(maxsize=64)
def speaks_of_self_harm(text: str) -> bool:
    """True if the words say so, and not as a figure of speech, an accident or a denial."""
    plain = fold(beginning_and_end(text)).replace("\u2019", "'")
    return matches("distress", "signs", without_matches("distress", "not_meant", plain))
