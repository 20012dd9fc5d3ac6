"""Who somebody is: questions that name somebody and ask nothing else, and what introduces them.

"Who is Nadia?" shares one word with every talk of Nadia, and the likeliest of them may say what
she cooked. What answers is what names her, before all what tells who she is: "my sister Nadia",
"a cat called Bean".
"""

from __future__ import annotations

import re
from functools import cache

from siliconfriend.language.characters import HAN, fold
from siliconfriend.language.kinship import relatives_in
from siliconfriend.language.sentences import split_sentences
from siliconfriend.texts import LANGUAGES, Language, area

BESIDE = 4
"""Most characters between a word for a relative and the name: "my sister, Nadia"."""

_KIN: dict[Language, str] = {"en": r"(?:my|our) [\w -]+?", "cn": rf"我的?[{HAN}]{{1,4}}?"}
_NAMES: dict[Language, str] = {
    "en": rf"(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z])[\w-]*)*|{_KIN['en']}",
    "cn": rf"(?![我你您他她它这那谁])[^，。？?！!、\s的]{{1,8}}?|{_KIN['cn']}",
}
"""Whom a question can be about: somebody with a name, or one of one's own people."""

_OWN = re.compile(r"(?:my|our)\b|[我咱俺]", re.IGNORECASE)


def asked_of(said: str) -> str:
    """Return whom a question asks about, who it is or what is known: a name, or "my brother".

    Empty where it asks about nobody, or for something else as well.
    """
    return _asked_by(said, "asked") or _asked_by(said, "known")


def asks_who(said: str) -> bool:
    """True if it is asked who somebody is, and not what all is known of them."""
    return bool(_asked_by(said, "asked"))


def _asked_by(said: str, key: str) -> str:
    found = (pattern.search(said.strip()) for pattern in _questions(key))
    name = next((it["name"] for it in found if it), "")
    is_relative = any(it.end == len(name) for it in relatives_in(name))
    return name if is_relative or not _OWN.match(name) else ""


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
def _questions(key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(
            it.replace("NAME", f"(?P<name>{_NAMES[language]})").replace(
                "KIN", f"(?P<name>{_KIN[language]})"
            ),
            re.IGNORECASE,
        )
        for language in LANGUAGES
        for it in area("dialogue", language)["who_is"][key]
    )


@cache
def _introductions(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(it.replace("NAME", re.escape(name)))
        for language in LANGUAGES
        for it in area("dialogue", language)["who_is"]["told"]
    )
