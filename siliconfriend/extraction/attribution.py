"""Attribute a sentence to whom it is about, by rules that rather say nothing than something wrong.

"My friend Jack hates coriander" is about Jack, whatever a model makes of it. The rules know
the little words of both languages; what they cannot tell they leave open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from siliconfriend.extraction.patterns import kin_words
from siliconfriend.language.characters import fold, is_chinese, language_of
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import any_of
from siliconfriend.texts import Language, lookup

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|(?<!\w)'[^']{4,}'(?!\w)")
_LEADING = re.compile(
    r"^(?:and|but|so|oh|well|yes|no|also|then|actually|because|today|yesterday|by the way)\b[,， ]*",
    re.IGNORECASE,
)
_LEADING_CHINESE = re.compile(
    r"^(?:而且|但是|但|可是|不过|所以|因为|其实|对了|还有|今天|昨天|哦|嗯)[,，]?"
)
_NAMED = re.compile(r"^(?-i:[A-Z][\w’'-]+)(?:'s|’s)?(?: (?-i:[A-Z][\w’'-]+))? ")


def without_quotes(sentence: str) -> str:
    """The sentence without what it quotes: another's words."""
    return _QUOTED.sub(" ", sentence)


def is_about_someone_else(sentence: str) -> bool:
    """True if a sentence tells of someone else and not of who says it."""
    sentence = without_quotes(sentence).strip()
    if is_chinese(sentence) and language_of(sentence) == "cn":
        return _is_chinese_about_someone_else(sentence)
    rest = _LEADING.sub("", sentence)
    tokens = [it.replace("’", "'") for it in _TOKEN.findall(fold(rest))]
    if not tokens or any(it in lookup("extraction", "i_subject", "en") for it in tokens):
        return False
    if tokens[0] in lookup("extraction", "third", "en"):
        return True
    if tokens[0] in ("my", "our"):
        return _kin_pattern("en").match(rest) is not None
    return _NAMED.match(rest) is not None


def _is_chinese_about_someone_else(sentence: str) -> bool:
    rest = _LEADING_CHINESE.sub("", sentence)
    begins = _kin_pattern("cn").match(rest) is not None
    rest = _kin_pattern("cn").sub("", rest)
    if any(it in rest for it in lookup("extraction", "i_subject", "cn")):
        return False
    return begins or rest.startswith(tuple(lookup("extraction", "third", "cn")))


@cache
def _kin_pattern(language: Language) -> re.Pattern[str]:
    """Someone named by what they are to the speaker, at the beginning of what is looked at."""
    kin = any_of(kin_words(language))
    if language == "cn":
        return re.compile(rf"(?:我们?|咱们?)(?:的|家)?(?:{kin})")
    return re.compile(rf"(?:my|our) (?:\w+ ){{0,2}}?(?:{kin})s?\b(?!'s [a-z]+ (?:is|are) me)", re.I)


def leading_relative(text: str, person: str) -> str:
    """The relative a text begins with, ``Ada's sister`` or ``Ada的妹妹``; else empty."""
    betweens: dict[Language, str] = {"en": r"['’]s (?:\w+ )?", "cn": "的?"}
    for language, between in betweens.items():
        kin = any_of(kin_words(language))
        found = re.match(
            rf"{re.escape(person)}{between}(?:{kin})(?![a-z])(?: (?-i:[A-Z][\w’'-]+))?",
            text,
            re.IGNORECASE,
        )
        if found:
            return found.group()
    return ""


def words_without(text: str, *names: str) -> frozenset[str]:
    """The distinct words of a text without those of the names."""
    known = {word for name in names for word in tokenize(name)}
    return frozenset(tokenize(text)) - known


def best_evidence(text: str, sentences: Iterable[str], *names: str) -> str:
    """The sentence that shares most words with a text; empty if none shares any."""
    wanted = words_without(text, *names)
    best, most = "", 0
    for sentence in sentences:
        shared = len(wanted & words_without(sentence))
        if shared > most:
            best, most = sentence, shared
    return best
