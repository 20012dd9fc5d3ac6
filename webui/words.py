"""Words of the page in both languages, escaped for HTML where they become part of it."""

import re
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import HTTPConnection

from siliconfriend.errors import SiliconFriendError, describe, mask_passwords
from siliconfriend.language.tokenizer import token_pairs, tokenize
from siliconfriend.texts import Language, plural, sentences, text

LANGUAGE_NAMES: dict[Language, str] = {"en": "English", "cn": "中文"}
LOCALES: dict[Language, str] = {"en": "en", "cn": "zh-CN"}
LANGUAGE_COOKIE, COLOURS_COOKIE = "sf-language", "sf-colours"


def say(key: str, language: Language, /, **values: object) -> str:
    """Return a text of the page."""
    return text("web", key, language, **values)


def page_values(connection: HTTPConnection, language: Language) -> dict[str, Any]:
    """Return what the templates of whole pages need: language, colours, the other language."""
    colours = connection.cookies.get(COLOURS_COOKIE)
    other: Language = "en" if language == "cn" else "cn"
    return {
        "lang": LOCALES[language],
        "colours": colours if colours in ("light", "dark") else None,
        "other": {
            "query": connection.url.include_query_params(language=other).query,
            "lang": LOCALES[other],
            "name": LANGUAGE_NAMES[other],
        },
    }


def error_words(error: SiliconFriendError, language: Language) -> str:
    """Return an error and its causes in the page's own words, where these differ from a terminal's."""
    own = sentences("web", language)["errors"]
    details = {
        name: error_words(value, language)
        if isinstance(value, SiliconFriendError)
        else describe(value, language)
        if isinstance(value, Exception)
        else value
        for name, value in error.details.items()
    }
    group, key = ("web", f"errors.{error.key}") if error.key in own else ("errors", error.key)
    return mask_passwords(text(group, key, language, **details))


def marked(words: str, query: str) -> Markup:
    """Escape words; mark in them the words of a query in all their forms, and the query itself."""
    tokens = set(tokenize(query))
    found = {word for word, token in token_pairs(words) if token in tokens} | {query.strip()}
    # Chinese has no spaces around its words.
    patterns = [
        rf"(?<!\w){re.escape(one)}(?!\w)" if one.isascii() else re.escape(one)
        for one in sorted(found - {""}, key=len, reverse=True)
    ]
    if not patterns:
        return escape(words)
    parts = re.split(f"({'|'.join(patterns)})", words, flags=re.IGNORECASE)
    mark = Markup("<mark>{}</mark>")
    return Markup("").join(
        mark.format(part) if place % 2 else part for place, part in enumerate(parts)
    )


def counted(key: str, count: int, language: Language) -> str:
    """Return the plural form of ``key`` for a count."""
    return plural("web", key, count, language, count=f"{count:,}")


def listed(items: Sequence[str], language: Language) -> str:
    """Join items as in a sentence: "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return say("last", language).join((say("comma", language).join(items[:-1]), items[-1]))
