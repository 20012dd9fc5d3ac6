"""The language in which somebody gets the first HTML, before anything is known of them."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import Response

from siliconfriend.texts import LANGUAGES, Language

LANGUAGE_COOKIE = "sf-language"


def chosen_language(connection: HTTPConnection, usual: Language) -> Language:
    """Return the language that was chosen in this browser, else the one that it asks for first.

    Args:
        connection: of whoever asks.
        usual: of the settings, where the browser asks for none.
    """
    chosen = connection.query_params.get("language", connection.cookies.get(LANGUAGE_COOKIE))
    if chosen in LANGUAGES:
        return chosen
    wanted = connection.headers.get("accept-language", "").strip().lower()
    return "cn" if wanted.startswith("zh") else "en" if wanted else usual


def keep_language(response: Response, language: Language) -> None:
    """Let the browser keep the language that was chosen, as the page's own switch does."""
    response.set_cookie(LANGUAGE_COOKIE, language, max_age=365 * 24 * 3600, samesite="lax")
