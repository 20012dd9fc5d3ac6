"""Words as HTML: escaped, quiet, or as the name of a day.

Every word of a person goes through :func:`plain`, or a sentence with a tag in it would be
part of the page.
"""

from __future__ import annotations

import html
import json
from datetime import date
from typing import Any

from siliconfriend.dialogue.humanize import humanize_day
from siliconfriend.texts import Language


def plain(words: str) -> str:
    """Escape words for HTML, so that the page shows them as they are."""
    return html.escape(words, quote=True)


def quiet(words: str) -> str:
    """Return a sentence in a quiet style."""
    return f'<p class="sf-quiet">{plain(words)}</p>'


def day_name(iso: str, today: date, language: Language) -> str:
    """Return the name of a day alone, "yesterday" or "4 May"."""
    return humanize_day(date.fromisoformat(iso), today, language, alone=True)


def script_json(value: Any) -> str:
    """Return JSON that neither ends a script nor is HTML, whatever words it holds."""
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for mark in "<>&\u2028\u2029":
        told = told.replace(mark, f"\\u{ord(mark):04x}")
    return told


def day_link(iso: str, today: date, language: Language) -> str:
    """Return a link to a day among the memories, by its name."""
    name = plain(day_name(iso, today, language))
    return f'<a class="sf-day-link" href="#/memories?day={plain(iso)}">{name}</a>'
