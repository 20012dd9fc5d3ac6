"""Extract the content words and keywords of texts, and compare texts by them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from siliconfriend.language.characters import chinese_runs, fold, is_chinese
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import runs, segmenter, stem, surface_forms, token_pairs
from siliconfriend.language.word_lists import any_of, generic_words, stop_words, word_list

SHORTEST = 3
"""Fewest letters of an English content word."""

_NAMING = ("n", "v", "j", "l", "i", "eng")
"""Parts of speech that can name a topic: nouns, verbs, short forms, idioms, English words."""
_PERSON_TRANSLITERATED = "nrt"
"""Part of speech that the segmenter often gives a rare word."""


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A word that carries meaning.

    Attributes:
        root: the stem by which it is counted.
        shown: the word as written.
        names_topic: True if it can name the topic of a conversation.
    """

    root: str
    shown: str
    names_topic: bool = True


def content_words(sentence: str) -> list[ContentWord]:
    """Return the content words of a sentence, in order."""
    found: list[ContentWord] = []
    for kind, run in runs(sentence):
        if kind == "chinese":
            found.extend(_chinese(run))
        elif kind == "word":
            found.extend(_latin(run))
    return found


def worded_sentences(texts: Iterable[str]) -> dict[str, list[ContentWord]]:
    """Return the distinct sentences of texts with their content words, without small talk."""
    found = dict.fromkeys(sentence for text in texts for sentence in split_sentences(text))
    worded = {sentence: content_words(sentence) for sentence in found}
    return {sentence: it for sentence, it in worded.items() if not _is_little(it, sentence)}


def is_small_talk(sentence: str) -> bool:
    """Return True for small talk: a greeting, a thank-you, a word or two."""
    return _is_little(content_words(sentence), sentence)


def is_courtesy(sentence: str) -> bool:
    """Return True if a sentence begins with a greeting, thanks or agreement."""
    return sentence.strip().lower().startswith(tuple(word_list("words", "courtesy")))


def _is_little(words: Iterable[ContentWord], sentence: str) -> bool:
    roots = {word.root for word in words}
    return len(roots) < (5 if is_courtesy(sentence) else 2)


def _latin(run: str) -> Iterator[ContentWord]:
    lower = run.lower().replace("’", "'")
    if len(lower) < SHORTEST or _is_meaningless(lower) or _is_meaningless(lower.split("'")[0]):
        return
    plain = lower.removesuffix("'s")
    yield ContentWord(stem(plain), run if run[:1].isupper() and not run.isupper() else plain)


def _chinese(run: str) -> Iterator[ContentWord]:
    for word, part in segmenter().tag(run):
        if len(word) > 1 and not _is_meaningless(word):
            names = part.startswith(_NAMING) and part != _PERSON_TRANSLITERATED
            yield ContentWord(word, word, names_topic=names)


def _is_meaningless(word: str) -> bool:
    return (
        word in stop_words() or word in generic_words() or word in word_list("words", "unthematic")
    )


SHORTEST_CHINESE = 2


def extract_keywords(text: str) -> tuple[str, ...]:
    """Return the distinct keywords of a text, folded, in order.

    Numbers, short words and generic words are no keywords.
    """
    return keywords_among(surface_forms(text))


def keywords_among(words: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct keywords among the surface forms of a text."""
    return tuple(dict.fromkeys(word for word in words if _is_keyword(word)))


def top_keywords(texts: Iterable[str], most: int) -> list[str]:
    """Return the most frequent keywords of texts, most frequent first, ties by letters."""
    frequency: Counter[str] = Counter()
    for text in texts:
        frequency.update(extract_keywords(text))
    return sorted(frequency, key=lambda word: (-frequency[word], word))[:most]


def is_generic_word(word: str) -> bool:
    """Return True for a folded word without a meaning of its own ("thing", 事情)."""
    return word in generic_words()


def keyword_forms(text: str) -> dict[str, str]:
    """Map the tokens of a text's keywords to the form that was said first."""
    found: dict[str, str] = {}
    for word, token in token_pairs(text):
        if _is_keyword(word):
            found.setdefault(token, word)
    return found


def _is_keyword(word: str) -> bool:
    shortest = SHORTEST_CHINESE if is_chinese(word) else SHORTEST
    return len(word) >= shortest and not word[0].isdigit() and not is_generic_word(word)


def content_forms(text: str) -> frozenset[str]:
    """Return the base forms of the content words of a text."""
    return frozenset(base_form(word.root) for word in content_words(text))


def base_form(root: str) -> str:
    """Return the base form of a root: the verb for the past of an irregular one."""
    return _irregular().get(root, root)


@cache
def _irregular() -> Mapping[str, str]:
    """Map the roots of irregular forms to those of their verbs."""
    pairs = (pair.split("=") for pair in word_list("words", "irregular"))
    return {stem(form): stem(verb) for form, verb in pairs}


FIRST_LETTERS = 5
"""First letters by which forms of an English word count as equal."""


def character_pairs(text: str) -> list[str]:
    """Return each pair of adjacent Chinese characters of a text, in order."""
    return [run[at : at + 2] for run in chinese_runs(text) for at in range(len(run) - 1)]


def overlap_terms(text: str) -> frozenset[str]:
    """Return the first letters of words and the pairs of characters of a text, without stop words."""
    latin = {word[:FIRST_LETTERS] for word in surface_forms(text) if not is_chinese(word)}
    return frozenset(latin.union(character_pairs(_chinese_stop_words().sub(" ", fold(text)))))


@cache
def _chinese_stop_words() -> re.Pattern[str]:
    return re.compile(any_of(word for word in stop_words() if not word.isascii()))


STEMMED = 2
"""Letters at the end of a stem that may differ from the word: "happi", "hope" of "hoping"."""


def searchable(text: str) -> str:
    """Fold a text for :func:`may_hold`."""
    return fold(text).replace("'", "").replace("’", "")


def beginning_of(token: str) -> str:
    """Return a string that every word with this token contains."""
    return (
        token if is_chinese(token) or not token.isalpha() else token[: max(1, len(token) - STEMMED)]
    )


def may_hold(text: str, beginnings: Collection[str]) -> bool:
    """Return False if a :func:`searchable` text certainly lacks one of these tokens."""
    return all(beginning in text for beginning in beginnings)


READ_WHOLE = 40_000
"""Most characters of a text that is read whole, some thirteen pages."""


def beginning_and_end(text: str) -> str:
    """Return the text, or the first and last halves of the limit of a longer one."""
    if len(text) <= READ_WHOLE:
        return text
    half = READ_WHOLE // 2
    return f"{text[:half]}\n{text[-half:]}"
