"""Check a model's text against what was said: figures, names, and enough of the other words.

The thresholds were chosen on the even rows of ``tests/extraction/support_pairs.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from siliconfriend.language.characters import fold, is_chinese, language_of
from siliconfriend.language.dictionary import is_everyday_word, meanings
from siliconfriend.language.numbers import MONTHS, figures_in, figures_told
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import segmenter
from siliconfriend.language.words import content_set, word_set
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.recall.similarity import is_e5
from siliconfriend.recall.time_words import annotate_dates

WORDS_WEIGHT = 0.05
"""Added to the cosine of two sentences that have all words in common."""

SIMILAR_ENOUGH = {("en", "en"): 0.94, ("cn", "cn"): 0.96}
"""From which sum on a text is supported, by the languages of the text and of the turn."""
SIMILAR_ENOUGH_ACROSS = 0.825
"""The same between two languages, whose sentences lie farther apart."""
SHARED_ENOUGH, SHARED_ALONE = 0.75, 0.34
"""Share of its words from which on a text is supported; the same where there is no embedder."""
COUNTED = 12
"""Up to here a summary may count in words what nobody counted: "three topics"."""

_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_BEGINNING = re.compile(r"(?:^|[.!?:;\"“(\n]\s*|\n[-*•\d. ]*)[“\"(]?[^\W\d_]+")
_NAME = re.compile(r"\b[A-Z][a-z'’-]{2,}\b")
_LARGE = re.compile(
    r"\b(?:hundred|thousand|million|dozen|half|couple|score)s?\b|[百千万亿半]", re.I
)
"""Numbers in words that no reader of numbers knows: beside one, none can be called new."""


@dataclass(frozen=True, slots=True)
class Source:
    """The words of some turns of a day, for checking texts against them.

    ``around`` is what else may name somebody; ``corrected`` is the known fact that a text puts right.
    """

    words: Sequence[str]
    day: date
    around: str = ""
    corrected: str = ""


def meaning_of(embedder: Embedder | None) -> Embed | None:
    """Return a comparison of meanings by an embedder; None without measured thresholds."""
    return embedder.passages if embedder is not None and is_e5(embedder) else None


def is_supported(text: str, source: Source, names: Iterable[str], embed: Embed | None) -> bool:
    """Return True if what was said supports a fact or an event.

    ``names`` are those of whom the talk is between, the speaker first, and of whom the text is about;
    ``embed`` compares meanings, None for words alone.
    """
    known = [name for name in names if name]
    whole, day = "\n".join(source.words), source.day
    told = "\n".join(annotate_dates(words, day, language_of(words)) for words in source.words)
    told += f"\n{day.year} {day.month} {day.day}"
    if not (_LARGE.search(whole) or figures_in(text) <= figures_told(told)):
        return False
    around = f"{whole}\n{source.around}"
    is_same_script = is_chinese(text) == is_chinese(around)
    if is_same_script and unsupported_names(text, f"{around}\n{' '.join(known)}"):
        return False
    plain = re.sub("|".join(map(re.escape, known)) + r"|(?!)", " ", text, flags=re.IGNORECASE)
    share = _shared_words(plain, whole)
    new = content_set(plain) - content_set(source.corrected)
    is_put_right = bool(source.corrected and new) and new <= content_set(whole)
    if share >= SHARED_ENOUGH or is_put_right:
        return True
    if embed is None:
        return share >= SHARED_ALONE
    person = re.escape(known[0]) if known else r"(?!)"
    i, mine = ("我", "我") if is_chinese(text) else ("I", "my")
    own = re.sub(person, i, re.sub(rf"{person}['’]s\b", mine, text))
    parts = {part for part in (*whole.split("\n"), *split_sentences(whole)) if part.strip()}
    vectors = embed([own, *sorted(parts)])
    similarity = float((vectors[1:] @ vectors[0]).max(initial=0.0))
    languages = language_of(text), language_of(whole)
    return similarity + WORDS_WEIGHT * share >= SIMILAR_ENOUGH.get(languages, SIMILAR_ENOUGH_ACROSS)


def _shared_words(text: str, source: str) -> float:
    """Return the share of a text's content words that were said, in either language; 1 for no word."""
    told, plain = _source_words(source), fold(source)

    def share(word: str) -> float:
        if word in told or (not word.isascii() and word in plain):
            return 1.0
        if word.isascii():
            return 0.0
        if any(character in plain for character in word):
            return 0.5
        if any(meaning <= told for meaning in meanings(word)):
            return 1.0
        return 0.5 * any(map(told.intersection, meanings(word)))

    found = [share(word) for word in content_set(text)]
    return sum(found) / len(found) if found else 1.0


@lru_cache(maxsize=256)
def _source_words(source: str) -> frozenset[str]:
    words = word_set(source)
    meant = (token for word in words for meaning in meanings(word) for token in meaning)
    return content_set(source).union(words, meant)


def unsupported_in(text: str, source: str, names: Iterable[str] = ()) -> list[str]:
    """Find the figures and names of a summary that stand nowhere in its source, in their order.

    ``source`` holds all that it was made from with its days; ``names`` are those who speak.
    """
    days = set(_DAY.findall(source))
    if len(days) == 1:
        source = annotate_dates(source, date.fromisoformat(days.pop()), language_of(source))
    source = f"{source}\n{' '.join(names)}"
    new = frozenset() if _LARGE.search(source) else figures_in(text) - figures_told(source)
    written = {it.lstrip("0") or "0" for it in re.findall(r"\d+", fold(text))}
    told = [it for it in new if it in written or len(it) > 2 or int(it) > COUNTED]
    return [*sorted(told), *unsupported_names(text, source)]


def unsupported_names(text: str, source: str) -> list[str]:
    """Find the names of people and places in a text that stand nowhere in its source.

    In Latin letters capitalised words within a sentence that are no other word; in Chinese what the
    segmenter marks as a person or place.
    """
    if is_chinese(text):
        found = dict.fromkeys(word for word, kind in segmenter().tag(text) if _is_name(word, kind))
        return [word for word in found if word not in source]
    if is_chinese(source):
        return []  # a name may stand there in characters
    spoken = set(re.findall(r"[^\W\d_]+", fold(source)))
    within = dict.fromkeys(_NAME.findall(_BEGINNING.sub(" ", text)))
    letters = {it: set(re.findall(r"[^\W\d_]+", re.sub(r"['’]s?$", "", fold(it)))) for it in within}
    names = [name for name in within if not any(map(_is_word, letters[name]))]
    return [name for name in names if not letters[name] <= spoken]


def _is_word(letters: str) -> bool:
    return letters in MONTHS or letters.endswith("day") or is_everyday_word(letters)


def _is_name(word: str, kind: str) -> bool:
    """True for a Chinese name; of people, only what is no other word: 和蔼 is taken for one."""
    if len(word) < 2 or not is_chinese(word):
        return False
    return kind in ("ns", "nt") or (kind in ("nr", "nrt") and not meanings(word))
