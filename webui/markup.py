"""Words as HTML: escaped, quiet, or as the name of a day.

Every word of a person goes through :func:`plain`, or a sentence with a tag in it would be
part of the page.
"""

from __future__ import annotations

import html
from datetime import date

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
