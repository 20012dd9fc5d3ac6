"""A text as the words one finds it by, in Chinese, English and both mixed.

Stored words and asked words go through the same function, so that "Parks" finds "park",
full-width ＡＢＣ finds abc, and a question in a mixed sentence finds either half. Chinese
has no spaces: a run of it is cut into words by a dictionary, and longer words also into
the words they hold.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from typing import Any

from siliconfriend.texts import LANGUAGES, area

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_LETTERS = rf"[^\W\d_{_HAN}]+"
_RUN = re.compile(
    r"(?P<number>\d+(?:[.,:]\d+)*)"
    rf"|(?P<chinese>[{_HAN}]+)"
    rf"|(?P<word>{_LETTERS}(?:['’]{_LETTERS})*)"
)
_GLUED = re.compile(r"^[我你您他她它]们?")
"""Who does something is no part of the word for it: the dictionary's guess for 我种 is one word."""
_ASKED = re.compile(r"(?=叫(?:什么|啥|谁))")
"""Where 我的猫叫什么 is cut before the dictionary finds 猫叫 in it, a mewing."""
_CHINESE = re.compile(rf"[{_HAN}]")
_SENTENCE = re.compile(r"[^.!?。！？…\n]+(?:[.!?](?=\d)[^.!?。！？…\n]+)*[.!?。！？…”\"']*")


def fold(text: str) -> str:
    """The text without differences of letter case and width (NFKC, case folded)."""
    return unicodedata.normalize("NFKC", text).casefold()


def is_chinese(text: str) -> bool:
    """Whether a word or text has Chinese characters."""
    return _CHINESE.search(text) is not None


def sentences(text: str) -> list[str]:
    """The sentences of a text, trimmed, with their marks."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip().strip("\"'”")]


def words(text: str) -> list[str]:
    """The words a text is found by, in order and with repeats: English stemmed, numbers whole."""
    return [stem for _, stem in _content(text)]


def spoken_words(text: str) -> list[str]:
    """The same words as they were said: not stemmed, but folded."""
    return [word for word, _ in _content(text)]


def word_pairs(text: str) -> list[tuple[str, str]]:
    """Each word as it was said, folded, with the form it is indexed by; in order, with repeats."""
    return list(_content(text))


def _content(text: str) -> Iterator[tuple[str, str]]:
    stop = stop_words()
    for found in _RUN.finditer(fold(text)):
        run = found.group()
        if found.lastgroup == "number":
            yield run, run
        elif found.lastgroup == "chinese":
            for word in _cut(run):
                own = _GLUED.sub("", word)
                if own and own not in stop:
                    yield own, own
        else:
            word = run.replace("’", "'").removesuffix("'s")
            if word not in stop:
                yield word, _stem(word)


def _cut(run: str) -> Iterator[str]:
    for part in _ASKED.split(run):
        yield from _segmenter().cut_for_search(part)


@cache
def rules() -> str:
    """A short mark of the rules that texts are cut into words by; another one, other words."""
    versions = [metadata.version(package) for package in ("rjieba", "PyStemmer")]
    stated = [*versions, _RUN.pattern, _GLUED.pattern, _ASKED.pattern, *sorted(stop_words())]
    return hashlib.sha256(" ".join(stated).encode()).hexdigest()[:16]


@cache
def stop_words() -> frozenset[str]:
    """Words that nearly every sentence has, of both languages."""
    lists = (area("words", language)["stop"] for language in LANGUAGES)
    return frozenset(word for words in lists for word in words.split())


@cache
def _segmenter() -> Any:
    import rjieba

    return rjieba


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word.replace("'", "")))
