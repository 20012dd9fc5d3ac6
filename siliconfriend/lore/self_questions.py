"""Whether a message asks the companion about itself.

"What do you like?" has no word that an entry of lore could be found by. Unless one knows that
it is about the companion, its story would stay shut at the very questions it was written for.
"""

from __future__ import annotations

from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.word_lists import matches


def asks_about_companion(message: str) -> bool:
    """Whether a sentence asks about "you" alone: not about the person, nor about what was said."""
    return any(map(_asks, split_sentences(message)))


def _asks(sentence: str) -> bool:
    folded = fold(sentence).replace("’", "'")
    if _is("wants_story", folded):
        return True
    if not is_question(sentence) or not _is("companion", folded):
        return False
    return not _is("person", folded) and not _is("looks_back", folded)


def _is(sign: str, folded: str) -> bool:
    return matches("lore", f"itself.{sign}", folded)
