"""Words that say what a text is about, and whether two texts share them."""

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
"""Letters of an English content word."""

_NAMING = ("n", "v", "j", "l", "i", "eng")
"""Parts of speech that can name a topic: nouns, verbs, short forms, idioms, English words."""
_PERSON_TRANSLITERATED = "nrt"
"""Words that the segmenter often takes a rare word for."""


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A word that carries meaning.

    Attributes:
        root: what its forms have in common, by which it is counted.
        shown: as it was written.
        names_topic: it can name what a conversation is about.
    """

    root: str
    shown: str
    names_topic: bool = True


def content_words(sentence: str) -> list[ContentWord]:
    """The words that carry meaning, in order: English by their stems, Chinese as segmented."""
    found: list[ContentWord] = []
    for kind, run in runs(sentence):
        if kind == "chinese":
            found.extend(_chinese(run))
        elif kind == "word":
            found.extend(_latin(run))
    return found


def worded_sentences(texts: Iterable[str]) -> dict[str, list[ContentWord]]:
    """The sentences of some texts that are no small talk, each once, with their content words."""
    found = dict.fromkeys(sentence for text in texts for sentence in split_sentences(text))
    worded = {sentence: content_words(sentence) for sentence in found}
    return {sentence: it for sentence, it in worded.items() if not _is_little(it, sentence)}


def is_small_talk(sentence: str) -> bool:
    """True if a sentence says nothing of its own: a greeting, a thank-you, a word or two."""
    return _is_little(content_words(sentence), sentence)


def is_courtesy(sentence: str) -> bool:
    """True if a sentence begins by greeting, thanking or agreeing."""
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
    """The keywords of a text, folded, each once, in order of appearance.

    Numbers, short words and generic words are left out.
    """
    return keywords_among(surface_forms(text))


def keywords_among(words: Iterable[str]) -> tuple[str, ...]:
    """The keywords among the surface forms of a text that is tokenized already."""
    return tuple(dict.fromkeys(word for word in words if _is_keyword(word)))


def top_keywords(texts: Iterable[str], most: int) -> list[str]:
    """The keywords that occur in most texts, most frequent first; among equals by their letters."""
    frequency: Counter[str] = Counter()
    for text in texts:
        frequency.update(extract_keywords(text))
    return sorted(frequency, key=lambda word: (-frequency[word], word))[:most]


def is_generic_word(word: str) -> bool:
    """True if a folded word is about nothing, or about anything ("thing", 事情)."""
    return word in generic_words()


def keyword_forms(text: str) -> dict[str, str]:
    """The keywords of a text by their tokens, each in the form it was first said in."""
    found: dict[str, str] = {}
    for word, token in token_pairs(text):
        if _is_keyword(word):
            found.setdefault(token, word)
    return found


def _is_keyword(word: str) -> bool:
    shortest = SHORTEST_CHINESE if is_chinese(word) else SHORTEST
    return len(word) >= shortest and not word[0].isdigit() and not is_generic_word(word)


def content_forms(text: str) -> frozenset[str]:
    """The content words of a text, each by one form."""
    return frozenset(base_form(word.root) for word in content_words(text))


def base_form(root: str) -> str:
    """The root of a word in its base form: of an irregular verb's past the verb itself."""
    return _irregular().get(root, root)


@cache
def _irregular() -> Mapping[str, str]:
    """The roots of irregular forms and of their verbs."""
    pairs = (pair.split("=") for pair in word_list("words", "irregular"))
    return {stem(form): stem(verb) for form, verb in pairs}


FIRST_LETTERS = 5
"""Letters by which the forms of an English word are taken for one."""


def character_pairs(text: str) -> list[str]:
    """Each pair of neighbouring Chinese characters of a text, in order."""
    return [run[at : at + 2] for run in chinese_runs(text) for at in range(len(run) - 1)]


def words_and_pairs(text: str) -> list[str]:
    """All words of a text, folded, in order: Chinese in pairs; a single character stands alone."""
    found: list[str] = []
    for kind, run in runs(fold(text)):
        found += (character_pairs(run) or [run]) if kind == "chinese" else [run]
    return found


def overlap_terms(text: str) -> frozenset[str]:
    """Parts that texts on the same matter share: first letters of words, and pairs of characters.

    Stop words are left out, so that sharing a term means something.
    """
    latin = {word[:FIRST_LETTERS] for word in surface_forms(text) if not is_chinese(word)}
    return frozenset(latin.union(character_pairs(_chinese_stop_words().sub(" ", fold(text)))))


@cache
def _chinese_stop_words() -> re.Pattern[str]:
    return re.compile(any_of(word for word in stop_words() if not word.isascii()))


STEMMED = 2
"""Letters at the end of a stem that may not be those of the word: "happi", "hope" of "hoping"."""


def searchable(text: str) -> str:
    """The text as :func:`may_hold` looks into it."""
    return fold(text).replace("'", "").replace("’", "")


def beginning_of(token: str) -> str:
    """The string that every word with this token begins with or holds."""
    return (
        token if is_chinese(token) or not token.isalpha() else token[: max(1, len(token) - STEMMED)]
    )


def may_hold(text: str, beginnings: Collection[str]) -> bool:
    """False if a :func:`searchable` text certainly lacks one of the tokens with these beginnings."""
    return all(beginning in text for beginning in beginnings)


READ_WHOLE = 40_000
"""Characters of a text that are read whole: some thirteen pages."""


def beginning_and_end(text: str) -> str:
    """The text; of a longer one its first and last words, where people say what they want."""
    if len(text) <= READ_WHOLE:
        return text
    half = READ_WHOLE // 2
    return f"{text[:half]}\n{text[-half:]}"
