"""Check a model's text against the turns: figures, names, and most other words.

The thresholds were chosen on the even rows of ``tests/extraction/support_pairs.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from siliconfriend.extraction.polarity import contradicts
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
"""Minimum sum for support, by the languages of the text and of the turn."""
SIMILAR_ENOUGH_ACROSS = 0.825
"""The same between two languages, whose sentences lie farther apart."""
SHARED_ENOUGH, SHARED_ALONE = 0.75, 0.34
"""Minimum share of words for support; the second value applies without an embedder."""
COUNTED = 12
"""Largest number word that a summary may add as a count: "three topics"."""

_LONG_QUOTATION = re.compile(r"“[^”]{8,}”|「[^」]{8,}」|『[^』]{8,}』|\"[^\"]{8,}\"")
"""Matches possible quotations of other people; a short one is a title or a remark."""
_LIST_NUMBER = re.compile(r"^\s*\(?\d{1,2}[.、)）]\s*(?=\D)", re.MULTILINE)
_NUMERAL = re.compile(r"[零一二三四五六七八九十百两]{2,}|[零一二三四五六七八九十两](?=[点岁个])")
_TIME = re.compile(r"\b(\d{1,2})[:：](\d{2})\b")
_WEEKDAYS = [
    (english, f"周{chinese}", f"星期{chinese}", f"礼拜{chinese}")
    for english, chinese in zip(
        ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        "一二三四五六日",
        strict=True,
    )
]
_KIN = {
    key: re.compile(rf"\b(?:{english})s?\b|{chinese}")
    for key, english, chinese in (
        ("mother", "mother|mum|mom|mummy|mama", "妈|母亲|娘"),
        ("father", "father|dad|daddy|papa|da", "爸|父亲"),
        ("sister", "sister", "姐|妹"),
        ("brother", "brother", "哥|弟"),
        ("wife", "wife", "妻|老婆|太太|媳妇"),
        ("husband", "husband", "丈夫|老公|先生"),
        ("son", "son|nephew|boy|kid|child|children", "儿子|孩子|外甥|侄子|娃"),
        ("daughter", "daughter|niece|girl|kid|child|children", "女儿|闺女|孩子|侄女|娃"),
        ("grandmother", "grandmother|grandma|granny|nan|nana", "奶奶|外婆|姥姥"),
        ("grandfather", "grandfather|grandpa|granddad", "爷爷|外公|姥爷"),
    )
}
"""Words for relatives; a text with an unmentioned relative is about another person."""
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_BEGINNING = re.compile(r"(?:^|[.!?:;\"“(\n]\s*|\n[-*•\d. ]*)[“\"(]?[^\W\d_]+")
_NAME = re.compile(r"\b[A-Z][a-z'’-]{2,}\b")
_LARGE = re.compile(
    r"\b(?:hundred|thousand|million|dozen|half|couple|score)s?\b|[百千万亿半]", re.I
)
"""Number words that the parser does not know; with one, no number counts as new."""


@dataclass(frozen=True, slots=True)
class Source:
    """The words of some turns of a day, for checking texts against them.

    ``around`` is further text that may name people; ``corrected`` is the fact that a text corrects.
    """

    words: Sequence[str]
    day: date
    around: str = ""
    corrected: str = ""


def meaning_of(embedder: Embedder | None) -> Embed | None:
    """Return a comparison of meanings by an embedder; None without measured thresholds."""
    return embedder.passages if embedder is not None and is_e5(embedder) else None


def is_supported(text: str, source: Source, names: Iterable[str], embed: Embed | None) -> bool:
    """Return True if the turns support a fact or an event.

    ``names`` are those of the two speakers (the speaker first) and of the text's subject. ``embed``
    compares meanings; None compares words only.
    """
    known = [name for name in names if name]
    spoken = [words for said in source.words if (words := _LONG_QUOTATION.sub(" ", said)).strip()]
    whole, day = "\n".join(spoken), source.day
    around = f"{whole}\n{source.around}"
    if not _are_figures_told(text, spoken, day) or contradicts(without_names(text, known), whole):
        return False
    if not _kin_in(text) <= _kin_in(f"{around}\n{' '.join(known)}"):
        return False
    is_same_script = is_chinese(text) == is_chinese(around)
    if is_same_script and unsupported_names(text, around, known):
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


def _are_figures_told(text: str, spoken: Sequence[str], day: date) -> bool:
    """Return True if every figure of a text was said, also as part of a date or of a time of day."""
    whole = "\n".join(spoken)
    if _LARGE.search(whole):
        return True
    told = "\n".join(annotate_dates(words, day, language_of(words)) for words in spoken)
    told += f"\n{day.year} {day.month} {day.day}"
    figures = figures_told(told)
    plain = _LIST_NUMBER.sub(" ", text)
    plain = _NUMERAL.sub(lambda found: " " if found[0] in whole else found[0], plain)
    for found in _TIME.finditer(plain):
        hour, minute = int(found[1]), found[2].lstrip("0") or "0"
        if {str(hour), str((hour + 12) % 24)} & figures and ({minute} <= figures or minute == "0"):
            plain = plain.replace(found[0], " ")
    return figures_in(plain) <= figures | _days_of_weekdays(told, day)


def _days_of_weekdays(words: str, day: date) -> frozenset[str]:
    """Return the figures of the days next to ``day`` whose weekday is named."""
    near = (day + timedelta(days=distance) for distance in range(-7, 8))
    plain = fold(words)
    named = (
        weekday for weekday in near if any(name in plain for name in _WEEKDAYS[weekday.weekday()])
    )
    return frozenset(
        str(part) for weekday in named for part in (weekday.year, weekday.month, weekday.day)
    )


@lru_cache(maxsize=256)
def _kin_in(text: str) -> frozenset[str]:
    """Return which relatives a text names, one key for all words of a relative."""
    plain = fold(text)
    return frozenset(key for key, pattern in _KIN.items() if pattern.search(plain))


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
    """Find the figures and names of a summary that are missing in its source, in order.

    ``source`` holds all that it was made from with its days; ``names`` are those who speak.
    """
    known, lines, day = [*names], list[str](), None
    for line in source.splitlines():
        day = date.fromisoformat(found[0]) if (found := _DAY.search(line)) else day
        lines.append(line if day is None else annotate_dates(line, day, language_of(line)))
    source, text = "\n".join(lines), _LIST_NUMBER.sub(" ", text)
    new = frozenset() if _LARGE.search(source) else figures_in(text) - figures_told(source)
    written = {figure.lstrip("0") or "0" for figure in re.findall(r"\d+", fold(text))}
    told = [
        figure for figure in new if figure in written or len(figure) > 2 or int(figure) > COUNTED
    ]
    return [*sorted(told), *unsupported_names(text, source, known)]


def unsupported_names(text: str, source: str, known: Iterable[str] = ()) -> list[str]:
    """Find the names of people and places in a text that are missing in its source.

    In Latin letters capitalised words within a sentence that are no other word; in Chinese what the
    segmenter marks as a person or place. ``known`` names need not stand there; the segmenter would
    join them to their neighbours.
    """
    known = [name for name in known if name]
    text, source = without_names(text, known), f"{source}\n{' '.join(known)}"
    if is_chinese(text):
        found = dict.fromkeys(word for word, kind in segmenter().tag(text) if _is_name(word, kind))
        return [word for word in found if word not in source]
    if is_chinese(source):
        return []  # a name may stand there in characters
    spoken = set(re.findall(r"[^\W\d_]+", fold(source)))
    within = dict.fromkeys(_NAME.findall(_BEGINNING.sub(" ", text)))
    letters = {
        name: set(re.findall(r"[^\W\d_]+", re.sub(r"['’]s?$", "", fold(name)))) for name in within
    }
    names = [
        name
        for name in within
        if not any(
            word in MONTHS or word.endswith("day") or is_everyday_word(word)
            for word in letters[name]
        )
    ]
    return [name for name in names if not letters[name] <= spoken]


def without_names(text: str, names: Iterable[str]) -> str:
    """Replace names by a sign that is no part of a Chinese word."""
    written = sorted(filter(None, names), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, written)) or r"(?!)", " X ", text)


def _is_name(word: str, kind: str) -> bool:
    """True for a Chinese name; of people, only what is no other word: 和蔼 is taken for one."""
    if len(word) < 2 or not is_chinese(word):
        return False
    return kind in ("ns", "nt") or (kind in ("nr", "nrt") and not meanings(word))
