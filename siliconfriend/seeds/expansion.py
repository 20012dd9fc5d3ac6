"""Word expansion: search also by words that are associated with those of a message.

The dynamic memory of a virtual human (``docs/sources.md``, part eleven) looks its heaviest words up
in a table of associated words, in one of two ways: an answer is seldom told in the question's words.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, NamedTuple, get_args

from siliconfriend.errors import UsageError
from siliconfriend.language.characters import is_chinese
from siliconfriend.language.tokenizer import token_pairs, tokenize
from siliconfriend.language.word_lists import generic_words
from siliconfriend.language.words import word_set
from siliconfriend.recall.cue import Cue, TokenPair
from siliconfriend.seeds.association_table import HIGHEST, AssociatedWord, AssociationTable

Strategy = Literal["first", "second", "mixed"]
"""``first`` takes in turns, ``second`` pools all by level; ``mixed`` is another name of it."""

MOST_TERMS = 10  # words kept by TF-IDF, as the dynamic memory's third version keeps ten

MESSAGE_COUNTS = 3
"""A word of the message counts as often as so many of the reply: a long reply must not push out
what the person asks for."""

RISE = 2  # levels that a word rises each time it comes up again

EXPANDED_WEIGHT = 0.3
"""Weight of a word at level 9 relative to an average word of the message. With equal weights, a
hundred associated words would outvote the few actual ones."""


class QueryTerm(NamedTuple):
    """A word as it was said, folded; as it is indexed; and its share of the TF-IDF of all terms."""

    word: str
    token: str
    weight: float


class ExpandedQuery(NamedTuple):
    """The heaviest words of a message and the last reply, with associated words."""

    terms: tuple[QueryTerm, ...] = ()
    associated: tuple[AssociatedWord, ...] = ()


@dataclass(frozen=True, slots=True)
class Expansion:
    """Expansion of a sentence.

    Attributes:
        original_key_words: its words without those that every sentence has, in order, each once.
        input_words: those that were expanded, at most ten: what the table has an entry of
            several words for, then the heaviest.
        expanded_words: their associated words with levels, best first.
    """

    original_key_words: tuple[str, ...]
    input_words: tuple[str, ...]
    expanded_words: tuple[AssociatedWord, ...]

    def to_json(self) -> dict[str, Any]:
        """Serialize to plain lists, each expanded word with its level as ``{word: level}``."""
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
    """Expand a sentence: find the words that come to mind with its own.

    Args:
        sentence: in Chinese, English or both.
        limit: maximum number of expanded words.
        strategy: ``first`` takes from each word in turn what it most readily brings to mind;
            ``second`` (or ``mixed``) pools everything, lets a word rise by two levels each time
            it comes up again, and sorts by level.
        filter_values: levels of the table that are left out; there is no level 0, so ``[0]``
            leaves out none.
        table: where to look.

    Raises:
        UsageError: there is no such strategy, or the limit is below 0.
    """
    if limit < 0:
        raise UsageError("expansion_limit", limit=limit)
    if strategy not in get_args(Strategy):
        known = ", ".join(get_args(Strategy))
        raise UsageError("expansion_strategy", strategy=repr(strategy), known=known)
    pairs = token_pairs(sentence)
    words = _input_words(sentence, pairs, query_terms(pairs), table)
    found = [[entry for entry in table.of(word) if entry[1] not in filter_values] for word in words]
    expanded = (_in_turn if strategy == "first" else _pooled)(found)
    return Expansion(
        tuple(dict.fromkeys(word for word, _ in pairs)),
        tuple(words),
        tuple(islice(expanded, limit)),
    )


def expand_query(
    cue: Cue,
    table: AssociationTable,
    *,
    names: Collection[str],
    frequency: Callable[[str], int],
    documents: int,
) -> ExpandedQuery:
    """Build the expanded search tokens of a cue; arguments as for :func:`query_terms`.

    ``table``: where to look up what the words bring to mind.
    """
    terms = query_terms(
        cue.tokens, cue.reply_tokens, names=names, frequency=frequency, documents=documents
    )
    words = _input_words(cue.message, cue.tokens, terms, table)
    return ExpandedQuery(terms, tuple(islice(_pooled([table.of(word) for word in words]), 100)))


def query_terms(
    message: Sequence[TokenPair],
    last_reply: Sequence[TokenPair] = (),
    *,
    names: Collection[str] = frozenset(),
    frequency: Callable[[str], int] | None = None,
    documents: int = 0,
) -> tuple[QueryTerm, ...]:
    """Select the heaviest words of the last reply and the message by TF-IDF, heaviest first.

    Generic words ("remember", 喜欢) are terms only where there are no others.

    Args:
        message: the tokens of what is said now.
        last_reply: those of the end of what the companion said before.
        names: the words of the names of the two who speak, which stand in nearly every fact; they
            are left out.
        frequency: in how many documents a token occurs; without it words weigh by their number.
        documents: how many documents there are; idf = ln(1 + N/(n + 1)).
    """
    counts: Counter[str] = Counter()
    surface_forms: dict[str, str] = {}
    for pairs, worth in ((message, MESSAGE_COUNTS), (last_reply, 1)):
        for word, token in pairs:
            is_name = token in names or word in names
            if not is_name and (len(word) > 1 or is_chinese(word)):
                counts[token] += worth
                surface_forms.setdefault(token, word)

    def tf_idf(token: str) -> float:
        idf = 1.0 if frequency is None else math.log(1 + documents / (frequency(token) + 1))
        return counts[token] * idf

    informative = [token for token in counts if surface_forms[token] not in generic_words()]
    heaviest = sorted(informative or counts, key=lambda token: -tf_idf(token))[:MOST_TERMS]
    total = sum(map(tf_idf, heaviest))
    return tuple(
        QueryTerm(
            surface_forms[token], token, tf_idf(token) / total if total > 0 else 1 / len(heaviest)
        )
        for token in heaviest
    )


def search_weights(query: ExpandedQuery, cue: Cue) -> Mapping[str, float]:
    """Compute the weight of each token to search for, 1 in the mean of the terms; no words of days.

    As the dynamic memory's fourth version searches.
    """
    dated = word_set(*(span.words for span in cue.spans))
    terms = {
        term.token: term.weight * len(query.terms)
        for term in query.terms
        if term.token not in dated
    }
    associated = {
        token: EXPANDED_WEIGHT * min(level, HIGHEST) / HIGHEST
        for word, level in reversed(query.associated)
        for token in tokenize(word)
    }
    return {**associated, **terms}


def _input_words(
    text: str, pairs: Sequence[TokenPair], terms: Iterable[QueryTerm], table: AssociationTable
) -> list[str]:
    phrases = table.phrases_in(text, [token for _, token in pairs])
    return list(dict.fromkeys([*phrases, *(term.word for term in terms)]))[:MOST_TERMS]


def _in_turn(found: Sequence[Sequence[AssociatedWord]]) -> Iterator[AssociatedWord]:
    """Take from each word in turn the best that is not there yet."""
    taken: set[str] = set()
    waiting = [iter(associated) for associated in found]
    while waiting:
        for left in [*waiting]:
            best = next((entry for entry in left if entry[0] not in taken), None)
            if best is None:
                waiting.remove(left)
            else:
                taken.add(best[0])
                yield best


def _pooled(found: Sequence[Sequence[AssociatedWord]]) -> Iterator[AssociatedWord]:
    """Sort all by level, two levels higher for each repeat; equals as they came."""
    levels: dict[str, int] = {}
    repeats: dict[str, int] = {}
    for associated in found:
        for word, level in associated:
            repeats[word] = repeats.get(word, -1) + 1
            levels[word] = max(level, levels.get(word, 0))
    risen = [(word, level + RISE * repeats[word]) for word, level in levels.items()]
    yield from sorted(risen, key=lambda entry: -entry[1])
