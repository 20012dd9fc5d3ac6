"""The words and patterns of ``texts/*/extraction.toml``, ready to be used."""

from __future__ import annotations

import re
from functools import cache

from siliconfriend.language.characters import HAN, fold
from siliconfriend.language.word_lists import any_of
from siliconfriend.texts import LANGUAGES, Language, lookup

_SHORT = re.compile(
    r"(?<![A-Za-z])(KIN|NAME|LATIN|PLACE|VALUE|VERBS|VERB|ANIMAL|ROLE|ADV)(?![A-Za-z])"
)
_SHORTHAND = {
    "en": {
        "NAME": r"(?-i:[A-Z][\w’'-]*(?: (?:of |de |van |von |the )?[A-Z][\w’'-]*){0,3})",
        "VALUE": r"[^.,;:!?()\n]{2,60}",
    },
    "cn": {
        "NAME": rf"[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?|[{HAN}·]{{2,4}}?(?=[，,。！；、\s了]|$)",
        "LATIN": r"[A-Z][A-Za-z]+",
        "PLACE": rf"[A-Z][A-Za-z ]+|[{HAN}]{{2,8}}",
        "VALUE": r"[^，,。！；;：:、（）\n]{1,24}",
    },
}


@cache
def patterns_of(key: str, language: Language) -> tuple[re.Pattern[str], ...]:
    """The patterns of a key."""
    return tuple(compile_pattern(it, language) for it in lookup("extraction", key, language))


@cache
def compile_pattern(pattern: str, language: Language) -> re.Pattern[str]:
    """A pattern with what its shorthands stand for."""
    return re.compile(_SHORT.sub(lambda it: _shorthand(language)[it[1]], pattern))


@cache
def _shorthand(language: Language) -> dict[str, str]:
    verbs = lookup("extraction", "verbs", language)
    adverbs = any_of(lookup("extraction", "adverbs", language))
    return {
        **_SHORTHAND[language],
        "KIN": f"(?i:{any_of(kin_words(language))})",
        "ANIMAL": any_of(lookup("extraction", "animals", language)),
        "ROLE": "|".join(lookup("extraction", "roles", language)),
        "ADV": f"(?i:(?: ?(?:{adverbs}))*)",
        "VERBS": any_of(third for _, third in verbs),
        "VERB": any_of(first for first, _ in verbs),
    }


@cache
def kin_words(language: Language) -> tuple[str, ...]:
    """Words for the people around somebody."""
    return tuple(word for kind in lookup("extraction", "kin", language).values() for word in kind)


@cache
def kin_kind(word: str) -> str:
    """Normalize a relation to a key that is the same in every language; empty where it is not known."""
    plain = fold(word)
    for language in LANGUAGES:
        for kind, called in lookup("extraction", "kin", language).items():
            if plain in called or plain.removesuffix("s") in called:
                return str(kind)
    return ""


def matches_any(key: str, language: Language, sentence: str) -> bool:
    """True if one of the patterns of a key is found in a sentence."""
    return any(it.search(sentence) for it in patterns_of(key, language))
