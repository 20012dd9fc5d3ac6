"""Finds of whom a question asks nothing was ever told: a sister, a dog, a car.

What comes nearest to "Did I ever tell you I have a sister?" is five things that have nothing to do
with a sister; that none was told of is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from siliconfriend.dialogue.answering import Answer
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.language.belongings import belongings_in, is_belonging
from siliconfriend.language.characters import is_chinese
from siliconfriend.language.kinship import Relation, relatives_in
from siliconfriend.recall.standing import is_told_of, standing_asked

_OWN = re.compile(r"^(?:my|our) |^(?:我们?|咱们?|俺)(?:家)?的?", re.IGNORECASE)

DWELLINGS = (("ohouse",), ("oflat",))
"""What anybody has without telling of it."""


def untold_whom(context: ReplyContext, answer: Answer) -> str:
    """Say of whom a question asks nothing was told, as a reply calls them; empty for nobody.

    Nothing is said of a boss or a friend, who are told of by their names, nor where what shares
    words with the question may answer it.
    """
    if context.answers or answer.certainty == "sure":
        return ""
    standing = standing_asked(context.said)
    if standing is None and answer.certainty == "unsure" and answer.found:
        return ""
    asked = [(standing.whom, standing.relations)] if standing else _own_in(context.said)
    for words, relations in asked:
        is_role = any(it[0].startswith("x") for it in relations)
        if words and relations and not is_role and not is_told_of(relations, _told(context)):
            return _as_spoken_to(words, is_thing=is_belonging(relations[0]))
    return ""


def _own_in(said: str) -> Iterator[tuple[str, tuple[Relation, ...]]]:
    """The words for one's own in a question, and what they stand for."""
    plain = said.replace("’", "'")
    for it in relatives_in(plain):
        words = plain[it.start : it.end]
        if is_chinese(words) or _OWN.match(words):
            yield words if _OWN.match(words) else f"我{words}", (it.relation,)
    for it in belongings_in(plain):
        words = plain[it.start : it.end]
        if _OWN.match(words) and it.relation not in DWELLINGS:
            yield words, (it.relation,)


def _told(context: ReplyContext) -> Iterator[str]:
    """All that was told."""
    yield from (turn.query for turn in context.memory.turns())
    yield from (fact.text for fact in context.memory.facts())


def _as_spoken_to(words: str, *, is_thing: bool) -> str:
    """One's own as it is said to the person: "your dog", 你爸; "a sister" and 妹妹 stay."""
    if not is_chinese(words):
        return _OWN.sub("your ", words)
    return _OWN.sub("你的" if is_thing else "你", words)
