"""The family: what answers a question for all of one's people at once, "Who is in my family?".

Such a question names nobody, so nothing that was told is nearer to it than a talk of families in
general. What answers is where each relative was first told of: by name, or else at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from siliconfriend.language.characters import fold
from siliconfriend.language.kinship import Relation, is_same_relation, relatives_in
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.word_lists import matches
from siliconfriend.recall.people_named import aliases_of

FARTHEST = 2
"""Most steps to a relative who counts: a brother's daughter does, and no cousin's child."""

STRANGER = "x"
"""The step to somebody who is no relative, such as a boss."""


def asks_family(question: str) -> bool:
    """True if a question asks who one's people are, and for nobody of them."""
    return matches("kinship", "asks_family", fold(question).replace("’", "'"))


def find_family(texts: Sequence[str], moments: Sequence[tuple[str, int]], most: int) -> list[int]:
    """Find where relatives were first told of, the nearest relatives before others.

    Args:
        texts: what was told.
        moments: when, of each.
        most: how many places at most.

    Returns:
        places of ``texts`` in the order they were told, each once.
    """
    in_order = sorted(range(len(texts)), key=moments.__getitem__)
    named: dict[tuple[Relation, str], int] = {}
    unnamed: dict[Relation, int] = {}
    for at in in_order:
        told_there = [it for it in split_sentences(texts[at]) if not is_question(it)]
        for name, relations in aliases_of(told_there).items():
            for relation in relations:
                named.setdefault((relation, name), at)
        for sentence in told_there:
            for relative in relatives_in(sentence):
                unnamed.setdefault(relative.relation, at)
    told = {relation: at for (relation, _), at in reversed(named.items())}
    nameless = {
        relation: at
        for relation, at in unnamed.items()
        if not any(is_same_relation(relation, other) for other in told)
    }
    found = [(relation, at) for (relation, _), at in named.items()] + list(nameless.items())
    near = [it for it in found if len(it[0]) <= FARTHEST and it[0][0][0] != STRANGER]
    near.sort(key=lambda it: len(it[0]))
    places = list(dict.fromkeys(at for _, at in near))[:most]
    return sorted(places, key=moments.__getitem__)
