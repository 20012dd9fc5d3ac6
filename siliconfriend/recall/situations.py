"""Situations of everyday life: which words belong together for anybody, and how strongly.

A passing remark seldom has a word of the memory it should bring to mind: of "something buzzes
round the jam jar" the wasp that stung somebody at a picnic shares none, and a small embedder does
not bring them near. The tables beside this module (``situations_en.txt``, ``situations_cn.txt``)
name some thousand situations and kinds of things each, with the words that belong to them. Without
them two in five of the remarks that a friend would understand bring back something else.

A line is a situation: words that nearly always call it to mind, ``|``, and words that come with it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import nlargest
from importlib import resources
from operator import itemgetter

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.tokenizer import tokenize

FILES = {"cn": "situations_cn.txt", "en": "situations_en.txt"}

CORE, FURTHER = 1.0, 0.5
"""What a word counts that calls a situation to mind, and one that comes with it."""

TOGETHER = 2
"""So many words of a message call a situation to mind more strongly than one; more add nothing."""

LEAST = 0.12
"""What counts less than this is left out: words that come with very many situations ("morning",
"tree") would bring everything to mind."""

MOST = 60
"""Words that are searched for, the heaviest first: a message of many words calls up hundreds."""

Key = tuple[str, ...]
"""The tokens of a word; of "washing machine" there are two."""


@dataclass(frozen=True, slots=True)
class Situations:
    """A table of situations.

    What a word counts in each is worked out for those that a message calls to mind: of all
    thousands it would take longer than to read them.

    Attributes:
        situations: the words of each, with what they count there.
        idf: how little a word stands elsewhere.
        numbers: of each word those of the situations it calls to mind.
        beginning: the words that begin with a token.
    """

    situations: Sequence[Mapping[Key, float]]
    idf: Mapping[Key, float]
    numbers: Mapping[Key, Sequence[int]]
    beginning: Mapping[str, Sequence[Key]]

    @classmethod
    def read(cls, text: str) -> Situations:
        """Read a table; lines that begin with ``#`` are passed over."""
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        keys = _Keys()
        situations = [keys.of_line(line) for line in lines]
        numbers: dict[Key, list[int]] = defaultdict(list)
        for number, situation in enumerate(situations):
            for key in situation:
                numbers[key].append(number)
        # A word that stands in many situations tells little of each, as one in many memories does.
        one = math.log(1 + len(lines) / 2)
        idf = {key: math.log(1 + len(lines) / (len(at) + 1)) / one for key, at in numbers.items()}
        beginning: dict[str, list[Key]] = defaultdict(list)
        for key in numbers:
            beginning[key[0]].append(key)
        return cls(situations, idf, numbers, beginning)

    def called_by(self, tokens: Iterable[str]) -> dict[str, float]:
        """The tokens that those of a message call to mind, each with what it counts.

        Without those of the message themselves.
        """
        said = frozenset(tokens)
        strengths: dict[int, list[float]] = defaultdict(list)
        for key in (it for token in said for it in self.beginning.get(token, ())):
            if said.issuperset(key):
                for number in self.numbers[key]:
                    strengths[number].append(self.situations[number][key] * self.idf[key])
        weights: dict[str, float] = {}
        for number, several in strengths.items():
            strength = sum(sorted(several, reverse=True)[:TOGETHER])
            for key, counts in self.situations[number].items():
                weight = strength * (counts * self.idf[key])
                if len(key) == 1 and weight > weights.get(key[0], 0.0):
                    weights[key[0]] = weight
        return {
            token: weight
            for token, weight in weights.items()
            if weight >= LEAST and token not in said
        }


def situation_weights(tokens: Sequence[str], is_told: Callable[[str], object]) -> dict[str, float]:
    """What each token counts that belongs to the situations of a message and was told somewhere.

    Args:
        tokens: of the message, in Chinese, English or both.
        is_told: tells whether a token stands in any memory.
    """
    weights = {
        token: weight
        for table in _tables(tokens)
        for token, weight in table.called_by(tokens).items()
        if is_told(token)
    }
    return dict(nlargest(MOST, weights.items(), key=itemgetter(1)))


def _tables(tokens: Iterable[str]) -> list[Situations]:
    """The tables of the languages that some tokens are in."""
    return [_table(language) for language in sorted({_language(token) for token in tokens})]


def _language(token: str) -> str:
    return "cn" if is_chinese(token) else "en"


def table_text(language: str) -> str:
    """The table of a language as it stands in its file."""
    return (resources.files("siliconfriend.recall") / FILES[language]).read_text("utf-8")


@cache
def _table(language: str) -> Situations:
    return Situations.read(table_text(language))


class _Keys(dict[str, Key]):
    """The tokens of words that were met before."""

    def __missing__(self, word: str) -> Key:
        self[word] = key = _key(word.strip())
        return key

    def of_line(self, line: str) -> dict[Key, float]:
        """The words of a situation, the further ones first, so that a core word counts as such."""
        core, _, further = line.partition("|")
        words = {self[word]: FURTHER for word in further.split(",")}
        words |= {self[word]: CORE for word in core.split(",")}
        words.pop((), None)
        return words


def _key(word: str) -> Key:
    """The tokens of a word; where one of them is the whole word, that alone."""
    tokens = tuple(dict.fromkeys(tokenize(word)))
    return (word,) if word in tokens else tokens
