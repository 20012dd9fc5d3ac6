"""Classifies the intent of a message by patterns in ``texts/*/dialogue.toml``.

The offline companion must not answer a greeting with a memory from March, nor take a
question for news worth keeping. The patterns of both languages are tried, whichever the
person's language is, since many people mix them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import asks_by_order, ends_as_question
from siliconfriend.language.word_lists import any_of, matches, without_matches
from siliconfriend.texts import LANGUAGES, Language, area

Intent = Literal[
    "greeting",
    "thanks",
    "farewell",
    "identity",
    "told",
    "keeping",
    "recollection",
    "portrait",
    "advice",
    "request",
    "question",
    "statement",
]
_SHORT: tuple[Intent, ...] = ("farewell", "thanks", "greeting")
"""What is said in a word or two; of "Thanks, good night" the earlier in this row is answered."""
_SPOKEN: tuple[Intent, ...] = (
    "identity",
    "told",
    "keeping",
    "recollection",
    "portrait",
    "advice",
    "request",
    "question",
)


def classify_intent(text: str, companion_name: str = "") -> Intent:
    """Classify the intent of ``text``; a statement unless a pattern says otherwise."""
    words = fold(text).strip().replace("’", "'")
    for intent in _SHORT:
        if _is_only(intent, words, companion_name.lower()):
            return intent
    spoken = next((intent for intent in _SPOKEN if _has(intent, words)), None)
    asks = ends_as_question(words) or asks_by_order(text)
    return spoken or ("question" if asks else "statement")


def asks_of_a_matter(text: str) -> bool:
    """True if a question what was told first names a matter: "About my cat, what have I told you?"."""
    rest = without_matches("dialogue", "signs.told", fold(text).replace("’", "'"))
    return matches("dialogue", "signs.of_matter", rest)


def asks_what_companion_said(text: str) -> bool:
    """True if a question is about the companion's own words: "What did you recommend?"."""
    return _has("companion_said", fold(text))


def _has(sign: str, words: str) -> bool:
    return matches("dialogue", f"signs.{sign}", words)


def _is_only(intent: Intent, words: str, companion_name: str) -> bool:
    """True if the words say only this: beside it other short intents, a name and small words."""
    plain = re.sub(r"['’]", "", words)
    return any(
        starts.match(plain) and says_it.search(plain) and only.fullmatch(plain)
        for starts, says_it, only in (
            _short_patterns(intent, language, companion_name) for language in LANGUAGES
        )
    )


@lru_cache(maxsize=256)
def _short_patterns(
    intent: Intent, language: Language, companion_name: str
) -> tuple[re.Pattern[str], ...]:
    """What begins with something short, what says this, and what says nothing beside such words.

    The last takes each word once for all: 谢谢你 is also 谢谢 and 你, and of a row of them every
    way to read it would be tried.
    """
    signs = area("dialogue", language)["signs"]
    ends = r"(?:\W+|$)" if language == "en" else r"\W*"
    known = any_of(signs[intent])
    short_words = [word for short_intent in _SHORT for word in signs[short_intent]]
    short = any_of(short_words)
    both = any_of([*short_words, *signs["filler"], companion_name])
    return (
        re.compile(rf"\W*(?:{both}){ends}"),
        re.compile(rf"(?:^|\W|{short})(?:{known}){ends}"),
        re.compile(rf"\W*(?:(?:{both}){ends})++"),
    )
