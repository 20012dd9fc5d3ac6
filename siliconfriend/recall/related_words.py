"""Related words: those that nobody said, but that stand for what was said, and what each counts.

What is asked for in one word was often told in another: one that the word brings to mind, or one
that has a part in common with it. Memories are searched by these too, each for less than the word
it stands for, and only by those that tell something: a word in every tenth memory tells nothing,
and looking through all of those would cost more than the rest of the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.recall.association_table import HIGHEST
from siliconfriend.recall.compounds import parts_of
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.expansion import ExpandedQuery
from siliconfriend.recall.rareness import Rareness
from siliconfriend.recall.word_index import WordIndex

ASSOCIATED = 0.3
"""What a word at level 9 counts beside a word of the message. It, :data:`PART` and
:data:`MOST_ASSOCIATED` were chosen on MemoryBank's questions and one half of the talks of
MADial-Bench: with 30 words talks lose, with 5 the questions across the two languages."""

PART = 0.3
"""What a word with a part in common counts beside the word itself."""

MOST_ASSOCIATED = 10
"""Associated words that are searched for, the highest levels first."""

TOO_COMMON, FEW = 0.05, 5
"""In more than this share of the memories a word tells nothing, where it is in more than a few."""


def related_weights(
    query: ExpandedQuery, cue: Cue, told: WordIndex | Rareness
) -> Mapping[str, float]:
    """What each related token counts in the search, where a word of the message counts 1.

    None tells more than the rarest of the words it stands for: an associated word that only
    one memory has would else count more than a word that was said.
    """
    said = cue.search_weights
    most = max((told.idf(term.token) for term in query.terms), default=0.0)
    weights: dict[str, float] = {}
    for token, weight, idf in (*_associated(query, told), *_parts(query, told)):
        own = told.idf(token)
        if token not in said and own > 0:
            weights[token] = max(weights.get(token, 0.0), weight * min(idf, most) / own)
    return weights


def _associated(
    query: ExpandedQuery, told: WordIndex | Rareness
) -> Iterator[tuple[str, float, float]]:
    """Each associated token that the memories have, with its weight and how much it tells."""
    for word, level in query.associated[:MOST_ASSOCIATED]:
        for token in _tokens(word):
            if _tells([token], told):
                yield token, ASSOCIATED * min(level, HIGHEST) / HIGHEST, told.idf(token)


def _parts(query: ExpandedQuery, told: WordIndex | Rareness) -> Iterator[tuple[str, float, float]]:
    """Each token that shares a part with a term, as rare as all that share this part together."""
    for term in query.terms:
        for part in (term.token, *parts_of(term.token)):
            family = [it for it in (part, *told.compounds(part)) if it != term.token]
            if _tells(family, told):
                idf = told.idf_at(sum(map(told.frequency, family)))
                for token in family:
                    yield token, PART, idf


def _tells(tokens: Iterable[str], told: WordIndex | Rareness) -> bool:
    """True if some memories have one of these tokens, and not too many."""
    found = sum(map(told.frequency, tokens))
    return 0 < found <= max(FEW, TOO_COMMON * len(told))


@lru_cache(maxsize=4096)
def _tokens(word: str) -> tuple[str, ...]:
    return tuple(tokenize(word))
