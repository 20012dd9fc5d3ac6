"""Detect role-play: what is said in it is true of a part and of nobody.

The beginning and the end are said in words that a rule knows (``texts/*/extraction.toml``);
an end that is not said is the end of the scene. Taking play for earnest would make the
queen of Mars of a nurse, so a scene is rather played too long than too short.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from siliconfriend.extraction.patterns import matches_any
from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.records import Turn
from siliconfriend.texts import LANGUAGES


def role_play_turns(scene: Sequence[Turn]) -> frozenset[str]:
    """Ids of the turns of one scene that are play, the one that begins it among them.

    The turn that ends the play is in earnest again.
    """
    found: set[str] = set()
    is_on = False
    for turn in scene:
        said = [fold(sentence).replace("’", "'") for sentence in split_sentences(turn.query)]
        ends = max(_matching("play_ends", said), default=-1)
        begins = max(_matching("play_begins", said), default=-1)
        if begins > ends:
            is_on = True
        elif ends >= 0:
            is_on = False
        if is_on:
            found.add(turn.id)
    return frozenset(found)


def ends_role_play(sentence: str) -> bool:
    """True if a sentence only says that the play is over."""
    said = fold(sentence).replace("’", "'")
    return any(matches_any("play_ends", language, said) for language in LANGUAGES)


def _matching(key: str, said: Iterable[str]) -> list[int]:
    """The indexes of the sentences in which one of the patterns is found."""
    return [
        index
        for index, sentence in enumerate(said)
        if any(matches_any(key, language, sentence) for language in LANGUAGES)
    ]
