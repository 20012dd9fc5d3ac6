"""Word expansion: from the words of a sentence to those that come to mind with them.

A question hardly ever has the words that the answer was told in. The dynamic memory of a
virtual human (``docs/sources.md``) puts its key words through a table of associated words,
in one of two ways (part eleven), and searches with what comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from numbers import Integral
from typing import Any, Literal, TypeGuard

from siliconfriend.errors import UsageError
from siliconfriend.language.tokenizer import surface_forms
from siliconfriend.recall.association_table import HIGHEST, Associated, AssociationTable
from siliconfriend.recall.query_terms import MOST, QueryTerm, query_terms

Strategy = Literal["first", "second", "mixed"]
"""``first`` takes in turns, ``second`` pools all by level; ``mixed`` is another name of it."""

RISE = 2
"""Levels that a word rises each time it comes up again."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What became of a sentence.

    Attributes:
        original_key_words: its words without those that every sentence has, in order, each once.
        input_words: those put in, at most ten: what the table has an entry of several words
            for, then the heaviest.
        expanded_words: what they brought to mind, with levels, best first.
    """

    original_key_words: tuple[str, ...]
    input_words: tuple[str, ...]
    expanded_words: tuple[Associated, ...]

    def to_json(self) -> dict[str, Any]:
        """The same in plain lists, each expanded word with its level as ``{word: level}``."""
        return {
            "original_key_words": list(self.original_key_words),
            "input_words": list(self.input_words),
            "expanded_words": [{word: level} for word, level in self.expanded_words],
        }


def expand(
    sentence: str,
    limit: int = 100,
    strategy: Strategy = "first",
    filter_values: Collection[int] = (0,),
    *,
    table: AssociationTable,
) -> Expansion:
    """Expand a sentence.

    Args:
        sentence: in Chinese, English or both.
        limit: at most so many expanded words.
        strategy: ``first`` takes from each word in turn what it most readily brings to mind,
            until the limit; ``second`` (or ``mixed``) pools everything, lets a word rise by
            two levels each time it comes up again, and sorts by level.
        filter_values: levels of the table that are left out; there is no level 0, so ``[0]``
            leaves out none.
        table: where to look.

    Raises:
        UsageError: an argument cannot be what it is.
    """
    if not isinstance(sentence, str):
        raise UsageError("expansion_sentence")
    _check(limit, strategy, filter_values)
    put_in = select_input_words(sentence, query_terms(sentence), table)
    return Expansion(
        tuple(dict.fromkeys(surface_forms(sentence))),
        tuple(put_in),
        expanded(put_in, table, limit, strategy, filter_values),
    )


def select_input_words(text: str, terms: Iterable[QueryTerm], table: AssociationTable) -> list[str]:
    """The words that a text is expanded by: what the table has as a whole, then its key terms."""
    return list(dict.fromkeys([*table.phrases_in(text), *(it.word for it in terms)]))[:MOST]


def expanded(
    put_in: Sequence[str],
    table: AssociationTable,
    limit: int = 100,
    strategy: Strategy = "first",
    filter_values: Collection[int] = (0,),
) -> tuple[Associated, ...]:
    """What some words bring to mind, as :func:`expand` describes it; each word once.

    Raises:
        UsageError: an argument cannot be what it is.
    """
    _check(limit, strategy, filter_values)
    left_out = frozenset(filter_values)
    found = [
        [it for it in table.of(word) if it[1] not in left_out] for word in dict.fromkeys(put_in)
    ]
    return tuple(islice(_WAYS[strategy](found), limit))


def _in_turn(found: Sequence[Sequence[Associated]]) -> Iterator[Associated]:
    """From each word in turn the best that is not there yet."""
    taken: set[str] = set()
    waiting = [iter(it) for it in found]
    while waiting:
        going_on = []
        for left in waiting:
            best = next((it for it in left if it[0] not in taken), None)
            if best is not None:
                taken.add(best[0])
                going_on.append(left)
                yield best
        waiting = going_on


def _pooled(found: Sequence[Sequence[Associated]]) -> Iterator[Associated]:
    """All by level, each time a word comes up again two levels higher; equals as they came."""
    levels: dict[str, int] = {}
    again: dict[str, int] = {}
    for others in found:
        for word, level in others:
            again[word] = again.get(word, -1) + 1
            levels[word] = max(level, levels.get(word, 0))
    risen = [(word, level + RISE * again[word]) for word, level in levels.items()]
    yield from sorted(risen, key=lambda it: -it[1])


_WAYS: dict[str, Callable[[Sequence[Sequence[Associated]]], Iterator[Associated]]] = {
    "first": _in_turn,
    "second": _pooled,
    "mixed": _pooled,
}


def _check(limit: object, strategy: object, filter_values: object) -> None:
    if not _is_whole(limit) or limit < 0:
        raise UsageError("expansion_limit", limit=repr(limit))
    if not isinstance(strategy, str) or strategy not in _WAYS:
        raise UsageError("expansion_strategy", strategy=repr(strategy), known=", ".join(_WAYS))
    if isinstance(filter_values, str) or not isinstance(filter_values, Collection):
        raise UsageError("expansion_filter", value=repr(filter_values), highest=HIGHEST)
    for value in filter_values:
        if not _is_whole(value) or not 0 <= value <= HIGHEST:
            raise UsageError("expansion_filter", value=repr(value), highest=HIGHEST)


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, Integral) and not isinstance(value, bool)
