"""The wish not to be remembered, said in a message: "don't remember this", 别记这个.

Whoever says it in the middle of a talk must not have to know of a command. The signs are
patterns in ``texts/*/control.toml``, tried on whole clauses, so that "I don't remember
this", "don't remember me this way" and 别记这个仇了 are none. Taking something for a wish
that is none must stay harmless: it is always shown and can be taken back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import matches

_CLAUSE = re.compile(r"[,，;；:：、]|\s[-–—]+\s|——")
_EDGES = " \t.!?。！？…~～\"'“”‘’()（）"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is not to be remembered: always the message itself.

    ``before``: what was said just before as well, because the wish names it or because the
    message holds nothing else that could be meant.
    """

    before: bool


def wish_of(message: str) -> Wish | None:
    """The wish in a message, or None."""
    found, names_before, rest = False, False, []
    for sentence in split_sentences(message):
        kind, others = _read(sentence)
        found = found or kind is not None
        names_before = names_before or kind == "wish_before"
        rest += others
    if not found:
        return None
    return Wish(before=names_before or not any(_says_something(it) for it in rest))


def _says_something(clause: str) -> bool:
    """Whether a clause is more than a filler like "ok" or 好吗."""
    return (
        bool(tokenize(clause))
        or len(clause.split()) >= 3
        or (is_chinese(clause) and len(clause) > 3)
    )


def _read(sentence: str) -> tuple[str | None, list[str]]:
    """Which sign a sentence has, and what else it says."""
    whole = fold(sentence).replace("’", "'").strip(_EDGES)
    if _matches("no_wish", whole):
        return None, [whole]
    clauses = [it.strip(_EDGES) for it in _CLAUSE.split(whole)]
    for kind in ("wish_before", "wish"):
        if _matches(kind, whole):
            return kind, []
        meant = [it for it in clauses if _matches(kind, it)]
        if meant:
            return kind, [it for it in clauses if it not in meant]
    return None, [whole]


def _matches(sign: str, clause: str) -> bool:
    return matches("control", f"signs.{sign}", clause)
