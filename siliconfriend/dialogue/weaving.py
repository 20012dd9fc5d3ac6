"""Weaves what the person said into a sentence that is said to them.

“I was at the lighthouse” becomes "you were at the lighthouse", to stand behind "You told me in May
that …". Nothing is added, left out or put in another order: by rule whoever speaks becomes whoever
is spoken to, and words that hang on the day they were said ("yesterday") are seen from another
day. Where it is not plain that the sentence stays right it is not turned, and its words are quoted
instead; a wrong guess would put words into the person's mouth. Quoted, too, is what only its own
moment can say: an outcry, and on another day what was then or was still to come ("I'm so tired
today", 小周这周末来看我).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from siliconfriend.language.characters import language_of
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import word_list
from siliconfriend.recall.dates.tense import Tenses
from siliconfriend.texts import LANGUAGES, Language, lookup

_MARKS = " .!。！"
_CUT = re.compile(r"^… |(?<=[.!?。！？]) …$")
"""What an excerpt has where whole sentences were left out."""
_QUOTATION_MARK = re.compile('[’‘“”"]')
_FIRST = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Woven:
    """Words of the person, said to them.

    Attributes:
        words: without the last mark.
        is_clause: they can stand after "you told me that", and begin with a small letter;
            otherwise only behind a colon.
    """

    words: str
    is_clause: bool


@lru_cache(maxsize=1024)
def weave(words: str, told_on: date, today: date, language: Language) -> Woven | None:
    """Turn words of the person into what is said to them.

    None where they are better quoted: they cannot be turned without doubt, or are in another
    language than the reply.

    Args:
        words: what the person said.
        told_on: the day they said it.
        today: the day of the reply.
        language: of the reply.
    """
    sentences = split_sentences(_CUT.sub("", words.replace("’", "'")))
    if (
        not sentences
        or language_of(words, language) != language
        or _has("refuses", "\n".join(sentences))
        or any(_hangs_on_its_moment(it, told_on, today, language) for it in sentences)
    ):
        return None
    sentences[0] = _with_capital(_without("joins", sentences[0], language))
    first, *others = [_turn(it, told_on, today, language) for it in sentences]
    is_clause = True
    if _has("begins", sentences[0]):
        first = _without_capital(first)
    elif _has("dropped", sentences[0]):
        first = f"you {first[:1].lower()}{first[1:]}"
    elif _has("cited", sentences[0]):
        first, is_clause = _with_capital(first), False
    else:
        return None
    stop = "。" if language == "cn" else ". "
    woven = stop.join(it.strip(_MARKS) for it in (first, *map(_with_capital, others)))
    if any(pattern.search(woven) for pattern in _patterns("left_over", language)):
        return None
    return Woven(woven, is_clause)


def in_second_person(text: str) -> str:
    """A text with every first person made a second, folded, to compare it with what was woven.

    Said of both sides of a comparison, "my boat" and "your boat" are the same, and so are all
    quotation marks.
    """
    text = _QUOTATION_MARK.sub("'", text)
    for language in LANGUAGES:
        for list_of in ("turns", "moments", "years"):
            text = _replace(text, list_of, language)
    return text.casefold()


def sentences_as_said(
    words: str, told_on: date, today: date, language: Language
) -> tuple[str, ...]:
    """Each sentence of the person's words as a reply holds it where it is woven, without its mark."""
    sentences = split_sentences(words.replace("’", "'"))
    return tuple(_turn(it, told_on, today, language).strip(_MARKS) for it in sentences)


def _turn(sentence: str, told_on: date, today: date, language: Language) -> str:
    """Turn a sentence, and see from ``today`` what hangs on the day it was said."""
    turned = _replace(sentence, "turns", language)
    if told_on != today:
        turned = _replace(turned, "moments", language)
    if told_on.year != today.year:
        turned = _replace(turned, "years", language)
    for pattern in _patterns("relatives", language):
        turned = pattern.sub(lambda match: f"{match[1]} {match[2].lower()}", turned)
    return turned


def _hangs_on_its_moment(sentence: str, told_on: date, today: date, language: Language) -> bool:
    """True if a sentence says how it is at the moment, or names days that are not behind it."""
    if told_on == today:
        return False
    if _has("passing", sentence):
        return True
    kinds = ("moments", "years") if told_on.year != today.year else ("moments",)
    seen_anew = [pattern for kind in kinds for pattern, _ in _replacements(kind, language)]
    tenses = Tenses(sentence)
    found = (
        tenses.at(*match.span())
        for pattern in (*_patterns("days", language), *seen_anew)
        for match in pattern.finditer(sentence)
    )
    return any(it is None or it.tense == "ahead" for it in found)


def _without_capital(clause: str) -> str:
    """A clause as it stands within a sentence: a word that is no name loses its capital."""
    first = _FIRST.match(clause)
    is_small = first is not None and first.group().lower() in word_list("weaving", "small")
    return clause[:1].lower() + clause[1:] if is_small else clause


def _with_capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _replace(text: str, list_of: str, language: Language) -> str:
    for pattern, instead in _replacements(list_of, language):
        text = pattern.sub(instead, text)
    return text


def _without(list_of: str, text: str, language: Language) -> str:
    for pattern in _patterns(list_of, language):
        text = pattern.sub("", text)
    return text


def _has(list_of: str, text: str) -> bool:
    language = language_of(text)
    return any(pattern.search(text) for pattern in _patterns(list_of, language))


@cache
def _patterns(list_of: str, language: Language) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(it) for it in lookup("weaving", list_of, language))


@cache
def _replacements(list_of: str, language: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    pairs = lookup("weaving", list_of, language)
    return tuple((re.compile(pattern), instead) for pattern, instead in pairs)
