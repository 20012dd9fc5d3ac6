"""Find words about hurting or killing oneself, by the patterns of ``texts/*/distress.toml``.

The patterns of both languages are tried. They find plain words and miss hints; a model that
answers judges too.
"""

from __future__ import annotations

from functools import lru_cache

from siliconfriend.language.characters import fold
from siliconfriend.language.word_lists import matches, without_matches
from siliconfriend.language.words import beginning_and_end


@lru_cache(maxsize=64)
def speaks_of_self_harm(text: str) -> bool:
    """Return True if the words say so, other than as a figure of speech, accident or denial."""
    plain = fold(beginning_and_end(text)).replace("\u2019", "'")
    return matches("distress", "signs", without_matches("distress", "not_meant", plain))
