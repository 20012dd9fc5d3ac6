"""The words and patterns of ``texts/*/extraction.toml``, ready to be used."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from siliconfriend.texts import Language, area

_SHORTHAND = {
    "en": {
        "NAME": r"(?-i:[A-Z][\w’'-]*(?: (?:of |de |van |von |the )?[A-Z][\w’'-]*){0,3})",
        "VALUE": r"[^.,;:!?()\n]{2,60}",
    },
    "cn": {
        "NAME": r"[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?|[\u4e00-\u9fff·]{2,4}?(?=[，,。！；、\s了]|$)",
        "LATIN": r"[A-Z][A-Za-z]+",
        "PLACE": r"[A-Z][A-Za-z ]+|[\u4e00-\u9fff]{2,8}",
        "VALUE": r"[^，,。！；;：:、（）\n]{1,24}",
    },
}


def words_of(key: str, language: Language) -> Any:
    """A list or table of the area, by its dotted key."""
    found: Any = area("extraction", language)
    for part in key.split("."):
        found = found[part]
    return found


@cache
def patterns(key: str, language: Language) -> tuple[re.Pattern[str], ...]:
    """The patterns of a key."""
    return tuple(compiled(it, language) for it in words_of(key, language))


@cache
def compiled(pattern: str, language: Language) -> re.Pattern[str]:
    """A pattern with what its shorthands stand for."""
    kin = "|".join(re.escape(it) for it in sorted(words_of("kin", language), key=len)[::-1])
    verbs = words_of("verbs", language)
    shorthand = {
        **_SHORTHAND[language],
        "KIN": f"(?i:{kin})",
        "VERBS": "|".join(re.escape(third) for _, third in verbs),
        "VERB": "|".join(re.escape(first) for first, _ in verbs),
    }
    return re.compile(
        re.sub(r"\b(KIN|NAME|LATIN|PLACE|VALUE|VERBS|VERB)\b", lambda it: shorthand[it[1]], pattern)
    )


def matches(key: str, language: Language, sentence: str) -> bool:
    """Whether one of the patterns of a key is found in a sentence."""
    return any(it.search(sentence) for it in patterns(key, language))
