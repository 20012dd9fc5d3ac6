"""Tokenize texts in Chinese, English or both, for the index and for searches alike.

"Parks" finds "park", and full-width ＡＢＣ finds abc. Chinese is segmented by a dictionary, longer
words also into the words they contain; an operator's own words are kept whole. A change of the
tokens must change :func:`tokenizer_version`: then every stored index is rebuilt.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import metadata
from itertools import chain
from typing import Any

from siliconfriend.language.characters import HAN, fold
from siliconfriend.language.word_lists import spelled_out, spellings, stop_words

_LETTERS = rf"[^\W\d_{HAN}]+"
_RUN = re.compile(
    r"(?P<number>\d+(?:[.,:]\d+)*)"
    rf"|(?P<chinese>[{HAN}]+)"
    rf"|(?P<word>{_LETTERS}(?:['’]{_LETTERS})*)"
)
_GLUED = re.compile(r"^[我你您他她它]们?")
"""Matches a pronoun that the dictionary joins to a verb: 我种 is segmented as one word."""
_BREAKS = re.compile("(叫|每(?=(?:周|星期|礼拜)[一二三四五六日天](?![次回趟遍天晚])))")
"""Splits 我的猫叫咪咪 before the dictionary finds 猫叫, a mewing, and the name with its verb; and 每周一
before it finds 每周 and 一."""
_WEEKDAY = re.compile("^(?:星期|礼拜)([一二三四五六日天])$")
"""Matches the longer names of a weekday: 星期一 and 礼拜一 are 周一."""


@dataclass(frozen=True, slots=True)
class OwnWord:
    """A Chinese word that the segmenter's dictionary lacks: folded, two characters or more.

    ``count`` is its frequency, None for one that is high enough; ``kind`` its part of speech ("n",
    "nr"), None for a noun.
    """

    word: str
    count: int | None = None
    kind: str | None = None


_own_words: tuple[OwnWord, ...] = ()


def use_own_words(words: Sequence[OwnWord]) -> None:
    """Set the words to segment as one, replacing the previous list."""
    global _own_words
    if tuple(words) != _own_words:
        _own_words = tuple(words)
        segmenter.cache_clear()
        tokenizer_version.cache_clear()


def tokenize(text: str) -> list[str]:
    """Return the tokens of a text in order, with repeats and without stop words.

    Tokens are folded and spelled out: English stemmed, numbers whole, Chinese segmented.
    """
    return [token for _, token in token_pairs(text)]


def surface_forms(text: str) -> list[str]:
    """Return the words of :func:`tokenize` folded, but not stemmed."""
    return [word for word, _ in token_pairs(text)]


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """Stem an English word in lower case."""
    return str(_stemmer().stemWord(word.replace("'", "")))


def token_pairs(text: str, *, parts: bool = True) -> list[tuple[str, str]]:
    """Return each word as (surface form, token), in order, with repeats.

    ``parts``: with the words that a longer Chinese word contains, and a verb without its pronoun.
    """
    stop, found = stop_words(), list[tuple[str, str]]()
    whole = {own.word for own in _own_words}
    cut = segmenter().cut_for_search if parts else segmenter().cut
    for match in _RUN.finditer(spelled_out(fold(text))):
        kind, run = match.lastgroup, match.group()
        if kind == "number":
            found.append((run, run))
        elif kind == "chinese":
            for word in chain.from_iterable(map(cut, _BREAKS.split(run))):
                own = word if word in whole or not parts else _GLUED.sub("", word)
                if own and (own not in stop or own in whole):
                    found.append((own, _WEEKDAY.sub(r"周\1", own).replace("周天", "周日")))
        else:
            word = run.replace("’", "'").removesuffix("'s")
            if word not in stop:
                found.append((word, stem(word)))
    return found


@cache
def tokenizer_version() -> str:
    """Return a hash of the rules of tokenizing; stored indexes of another hash are out of date."""
    versions = [metadata.version(package) for package in ("rjieba", "PyStemmer")]
    stated = [*versions, _RUN.pattern, _GLUED.pattern, _BREAKS.pattern, _WEEKDAY.pattern]
    stated += [*sorted(stop_words()), spellings()[0].pattern]
    stated += [f"{own.word}/{own.count}" for own in _own_words]
    return hashlib.sha256(" ".join(stated).encode()).hexdigest()[:16]


@cache
def segmenter() -> Any:
    """Open the segmenter for Chinese, with the methods of ``rjieba.Jieba``."""
    import rjieba

    if not _own_words:
        return rjieba
    own = rjieba.Jieba()
    for word in _own_words:
        own.add_word(word.word, word.count, word.kind or "n")
    return own


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
