"""Who somebody is: the memory in which a name was first said to belong to someone.

"Who is Nadia?" shares one word with every talk of Nadia, and the likeliest of them may say what
she cooked. What answers is the one that tells who she is: "my sister Nadia", "a cat called Bean".
"""

from __future__ import annotations

import re
from functools import cache

from siliconfriend.language.characters import fold
from siliconfriend.language.kinship import relatives_in
from siliconfriend.language.sentences import split_sentences
from siliconfriend.texts import LANGUAGES, area

BESIDE = 4
"""Most characters between a word for a relative and the name: "my sister, Nadia"."""


def asked_name(said: str) -> str:
    """Return the name of which it is asked who or what bears it; empty where none is."""
    found = (pattern.search(said.strip()) for pattern in _questions())
    return next((it["name"].strip() for it in found if it), "")


def introduces(words: str, name: str) -> bool:
    """True if a sentence tells whose name it is, by a relative beside it or by how one is called."""
    return any(_tells_who(sentence, name) for sentence in split_sentences(words))


def _tells_who(sentence: str, name: str) -> bool:
    start = fold(sentence).find(fold(name))
    if start < 0:
        return False
    end = start + len(name)
    beside = (it for it in relatives_in(sentence))
    if any(0 <= start - it.end <= BESIDE or 0 <= it.start - end <= BESIDE for it in beside):
        return True
    return any(pattern.search(fold(sentence)) for pattern in _introductions(fold(name)))


@cache
def _questions() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(it)
        for language in LANGUAGES
        for it in area("dialogue", language)["who_is"]["asked"]
    )


@cache
def _introductions(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(it.replace("NAME", re.escape(name)))
        for language in LANGUAGES
        for it in area("dialogue", language)["who_is"]["told"]
    )
