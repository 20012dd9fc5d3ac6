"""What a phone needs to put the page among its applications: a manifest and icons.

There is no service worker: the page is of no use without its server, and nothing that anybody
said is kept in the browser.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.errors import SiliconFriendError
from siliconfriend.lore.companions import companion_name

from ..access.chosen_companion import PARAMETER
from ..access.chosen_language import chosen_language
from ..backend import Backend
from ..look.static_files import address
from ..look.tokens import token_colours
from ..words.labels import say

ADDRESS = "/manifest.json"
ICONS = (
    ("look/icon-192.png", "192x192", "any"),
    ("look/icon-512.png", "512x512", "any"),
    ("look/icon-512.png", "512x512", "maskable"),
)
TOUCH_ICON = "look/icon-192.png"


def install_route(backend: Backend) -> BaseRoute:
    """Return the route of the manifest; it says nothing of anybody, and needs no log-in."""

    async def manifest(request: Request) -> Response:
        language = chosen_language(request, backend.settings.language)
        named = request.query_params.get(PARAMETER, "")
        try:
            companion = backend.chosen_companion(request.query_params)
        except SiliconFriendError:
            named, companion = "", backend.settings.companion
        name = companion_name(backend.settings, companion, language)
        told: dict[str, Any] = {
            "id": _start(named),
            "start_url": _start(named),
            "scope": "./",
            "name": name,
            "short_name": name,
            "description": say("install_about", language, companion=name),
            "lang": "zh-CN" if language == "cn" else "en",
            "display": "standalone",
            "background_color": token_colours("paper")[0],
            "theme_color": token_colours("surface")[0],
            "icons": [
                {"src": address(file), "sizes": sizes, "type": "image/png", "purpose": purpose}
                for file, sizes, purpose in ICONS
            ],
        }
        return JSONResponse(
            told, media_type="application/manifest+json", headers={"cache-control": "no-cache"}
        )

    return Route(ADDRESS, manifest, methods=["GET"])


def install_links(companion: str) -> str:
    """Return what a page's head says of it.

    Args:
        companion: whom the address of the page names; empty for the page's own.
    """
    day, night = token_colours("surface")
    return (
        f'<link rel="manifest" href=".{ADDRESS}{_query(companion)}">'
        f'<link rel="apple-touch-icon" href="{address(TOUCH_ICON)}">'
        f'<meta name="theme-color" content="{day}" media="(prefers-color-scheme: light)">'
        f'<meta name="theme-color" content="{night}" media="(prefers-color-scheme: dark)">'
        '<meta name="mobile-web-app-capable" content="yes">'
    )


def _start(companion: str) -> str:
    return f"./{_query(companion)}"


def _query(companion: str) -> str:
    return f"?{urlencode({PARAMETER: companion})}" if companion else ""
