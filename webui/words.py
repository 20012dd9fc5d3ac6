"""Words of the page in both languages, escaped for HTML where they become part of it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from starlette.requests import HTTPConnection

from siliconfriend.texts import Language, plural, sentences, text

LANGUAGE_NAMES: dict[Language, str] = {"en": "English", "cn": "中文"}
LOCALES: dict[Language, str] = {"en": "en", "cn": "zh-CN"}
LANGUAGE_COOKIE, COLOURS_COOKIE = "sf-language", "sf-colours"


def say(key: str, language: Language, /, **values: object) -> str:
    """Return a text of the page."""
    return text("web", key, language, **values)


def plain(words: object) -> str:
    """Escape words for HTML."""
    return html.escape(str(words), quote=True)


def html_attributes(connection: HTTPConnection, language: Language) -> str:
    """Return the language and the chosen colours as attributes of a page."""
    colours = connection.cookies.get(COLOURS_COOKIE)
    chosen = f' data-colours="{colours}"' if colours in ("light", "dark") else ""
    return f'lang="{LOCALES[language]}"{chosen}'


def quiet(words: str) -> str:
    """Return a sentence as a quiet paragraph of HTML."""
    return f'<p class="sf-quiet">{plain(words)}</p>'


def marked(words: str, terms: Iterable[str]) -> str:
    """Escape words, with the terms in them marked."""
    # A term of letters is the beginning of a word; Chinese has no spaces around its words.
    written = sorted({term.strip() for term in terms if term.strip()}, key=len, reverse=True)
    found = [rf"(?<!\w){re.escape(one)}\w*" if one.isascii() else re.escape(one) for one in written]
    if not found:
        return plain(words)
    parts = re.split(f"({'|'.join(found)})", words, flags=re.IGNORECASE)
    return "".join(
        f"<mark>{plain(part)}</mark>" if place % 2 else plain(part)
        for place, part in enumerate(parts)
    )


def counted(key: str, count: int, language: Language) -> str:
    """Return the wording of ``key`` for a count, which is written as a word where it is small."""
    numbers: Sequence[str] = sentences("web", language)["numbers"]
    shown = numbers[count] if count < len(numbers) else f"{count:,}"
    return plural("web", key, count, language, count=shown)


def listed(items: Sequence[str], language: Language) -> str:
    """Join things as a sentence does: "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return say("last", language).join((say("comma", language).join(items[:-1]), items[-1]))


def shortened(words: str, length: int = 60) -> str:
    """Cut words to a length, on one line."""
    line = " ".join(words.split())
    return line if len(line) <= length else line[:length].rstrip() + "…"
