"""Content words: those that say what a sentence is about, for whoever sums up what was said.

The offline writer quotes and counts and never invents, so all it has rests on which words of a
sentence carry meaning. Unlike the tokens of an index these keep the form they were written in,
and Chinese words their part of speech, since only some name a topic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import runs, segmenter, stem
from siliconfriend.language.word_lists import generic_words, stop_words, word_list

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
