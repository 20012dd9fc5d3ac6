"""Compare texts by their words, in one of two ways.

Two texts that say the same share all their words (:func:`word_set`); two that are about the same
share those that carry them (:func:`content_set`).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.tokenizer import stem, token_pairs, tokenize
from siliconfriend.language.word_lists import generic_words, stop_words, word_list, word_pattern

SHORTEST, SHORTEST_CHINESE = 3, 2
"""Fewest letters and fewest Chinese characters of a content word."""
READ_WHOLE = 40_000
"""Maximum characters of a text that is read whole, about thirteen pages."""


def word_set(*texts: str) -> frozenset[str]:
    """Return the tokens of some texts, each once."""
    return frozenset(token for text in texts for token in tokenize(text))


def content_set(*texts: str) -> frozenset[str]:
    """Return the tokens of the content words of some texts, of an irregular form that of its base."""
    base = _irregular()
    pairs = (pair for text in texts for pair in content_words(text))
    return frozenset(base.get(token, token) for _, token in pairs)


def share_of(words: Collection[str], others: Collection[str]) -> float:
    """Return the share of distinct words contained in others, 0 to 1; 1 without words."""
    return sum(map(others.__contains__, words)) / len(words) if words else 1.0


def jaccard(one: Collection[str], other: Collection[str]) -> float:
    """Compute ``|A ∩ B| / |A ∪ B|`` of two sets of words, 0 where both are empty."""
    both = frozenset(one) | frozenset(other)
    return len(frozenset(one) & frozenset(other)) / len(both) if both else 0.0


def content_words(text: str) -> list[tuple[str, str]]:
    """Return the words that carry a text as (surface form, token), in order, with repeats.

    Numbers, short words and generic words are excluded.
    """
    return [pair for pair in token_pairs(text, parts=False) if _has_content(pair[0])]


def _has_content(word: str) -> bool:
    if len(word) < (SHORTEST_CHINESE if is_chinese(word) else SHORTEST) or word[0].isdigit():
        return False
    return not {word, word.partition("'")[0]} & _empty_words()


@cache
def _empty_words() -> frozenset[str]:
    return stop_words() | generic_words() | word_list("words", "unthematic")


def keywords(text: str) -> tuple[str, ...]:
    """Return the distinct content words of a text as they were said, folded, in order."""
    return tuple(dict.fromkeys(word for word, _ in content_words(text)))


def top_keywords(texts: Iterable[str], most: int) -> list[str]:
    """Return the most frequent keywords of texts, most frequent first, ties by letters."""
    frequency: Counter[str] = Counter()
    for text in texts:
        frequency.update(keywords(text))
    return sorted(frequency, key=lambda word: (-frequency[word], word))[:most]


def is_small_talk(sentence: str) -> bool:
    """Return True for small talk: a greeting, a thank-you, a word or two."""
    return is_courtesy(sentence) or len({token for _, token in content_words(sentence)}) < 2


def is_courtesy(sentence: str) -> bool:
    """Return True if a sentence has a greeting, thanks or agreement, and says nothing else."""
    rest, count = word_pattern("words", "courtesy").subn(" ", sentence.replace("’", "'"))
    return count > 0 and not content_words(rest)


@cache
def _irregular() -> Mapping[str, str]:
    pairs = (pair.split("=") for pair in word_list("words", "irregular"))
    return {stem(form): stem(verb) for form, verb in pairs}


def beginning_and_end(text: str) -> str:
    """Return the text, or the first and last halves of the limit of a longer one."""
    if len(text) <= READ_WHOLE:
        return text
    half = READ_WHOLE // 2
    return f"{text[:half]}\n{text[-half:]}"
