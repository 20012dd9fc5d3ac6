"""Word expansion: also search by words that are associated with those of a message.

The dynamic memory of a virtual human (``docs/sources.md``, part eleven) looks up the heaviest words
in a table of associated words, by one of two strategies.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Literal, NamedTuple, get_args

from siliconfriend.errors import UsageError
from siliconfriend.language.characters import is_chinese
from siliconfriend.language.tokenizer import token_pairs, tokenize
from siliconfriend.language.word_lists import generic_words
from siliconfriend.language.words import word_set
from siliconfriend.recall.cue import Cue, TokenPair
from siliconfriend.seeds.association_table import HIGHEST, AssociatedWord, AssociationTable

Strategy = Literal["first", "second", "mixed"]
"""``first`` takes words in turns, ``second`` pools all by level; ``mixed`` is an alias of it."""

MOST_TERMS = 10  # words kept by TF-IDF, as in the dynamic memory's third version
MESSAGE_COUNTS = 3  # weight of a word of the message, relative to one of the last reply
RISE = 2  # levels that a word rises for each repetition
EXPANDED_WEIGHT = 0.3
"""Weight of a word at level 9 relative to an average word of the message, so that a hundred
associated words do not outvote the few actual ones."""


class QueryTerm(NamedTuple):
    """A folded word, its indexed token, and its share of the TF-IDF of all terms."""

    word: str
    token: str
    weight: float


class ExpandedQuery(NamedTuple):
    """The heaviest words of a message and the last reply, and their associated words."""

    terms: tuple[QueryTerm, ...] = ()
    associated: tuple[AssociatedWord, ...] = ()


@dataclass(frozen=True, slots=True)
class Expansion:
    """Expansion of a sentence.

    Attributes:
        original_key_words: its content words, in order.
        input_words: the expanded words, at most ten: phrases of the table, then the heaviest words.
        expanded_words: their associated words with levels, best first.
    """

    original_key_words: tuple[str, ...]
    input_words: tuple[str, ...]
    expanded_words: tuple[AssociatedWord, ...]

    def to_json(self) -> dict[str, Any]:
        """Serialize to lists; each expanded word is ``{word: level}``."""
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
    """Expand a sentence by the words associated with its own.

    Args:
        sentence: in Chinese, English or both.
        limit: maximum number of expanded words.
        strategy: ``first`` takes the best associated word of each word in turn; ``second`` (or
            ``mixed``) sorts all by level, two levels higher for each repetition.
        filter_values: levels to leave out; there is no level 0, so ``[0]`` leaves out none.
        table: the table of associated words.

    Raises:
        UsageError: the strategy is unknown, or the limit is below 0.
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
    """Expand the words of a cue; the other arguments are those of :func:`query_terms`."""
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
    """Select the heaviest words of the message and the last reply by TF-IDF, heaviest first.

    Generic words ("remember", 喜欢) are selected only if there are no others.

    Args:
        message: tokens of the message.
        last_reply: tokens of the end of the last reply.
        names: words of the speakers' names, which are left out since nearly every fact has them.
        frequency: number of documents with a token; without it, terms are weighted by TF alone.
        documents: number of documents N; idf = ln(1 + N/(n + 1)).
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
    """Compute the search weight of each token; the terms have a mean of 1, words of days none."""
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
    """Take the best new entry of each word in turn."""
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
    """Sort all by level, two levels higher for each repetition."""
    levels: dict[str, int] = {}
    counts = Counter(word for associated in found for word, _ in associated)
    for word, level in chain.from_iterable(found):
        levels[word] = max(level, levels.get(word, 0))
    risen = [(word, level + RISE * (counts[word] - 1)) for word, level in levels.items()]
    yield from sorted(risen, key=lambda entry: -entry[1])
