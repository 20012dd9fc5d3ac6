"""The page's own files, served under an address that changes with their bytes."""

from __future__ import annotations

import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

FOLDER = Path(__file__).parent
PREFIX = "/page/"
PATTERNS = ("look/**/*", "components/*.js", "style.css")
TYPES = {".js": "text/javascript", ".woff2": "font/woff2"}
"""Media types that some machines do not know, or know wrongly."""
FOR_GOOD = "public, max-age=31536000, immutable"


@cache
def static_files() -> dict[str, bytes]:
    """Return the bytes of each file by its path below the folder."""
    paths = {path for pattern in PATTERNS for path in FOLDER.glob(pattern) if path.is_file()}
    return {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in sorted(paths)}


@cache
def version() -> str:
    """Return a digest of all files."""
    digest = hashlib.sha256()
    for name, data in static_files().items():
        digest.update(f"{name}\n{len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:12]


def address(name: str) -> str:
    """Return the address of a file, relative to the page, which may stand below a proxy's path."""
    return f".{PREFIX}{version()}/{name}"


def static_route() -> BaseRoute:
    """Return the route of all files."""
    return Route(PREFIX + "{path:path}", _serve, methods=["GET"])


def token_colours(name: str) -> tuple[str, str]:
    """Return a colour of ``tokens.css`` in light and in dark, as ``#rrggbb``."""
    sheet = static_files()["look/tokens.css"].decode()
    found = re.search(rf"--sf-{name}: light-dark\((#\w{{6}}), (#\w{{6}})\);", sheet)
    assert found is not None, name
    return found[1], found[2]


def icon(name: str) -> str:
    """Return one of the page's icons, beside words that say the same."""
    return (
        f'<svg class="sf-icon" aria-hidden="true"><use href="{address("look/icons.svg")}#{name}"/>'
        "</svg>"
    )


async def _serve(request: Request) -> Response:
    asked, _, name = request.path_params["path"].partition("/")
    data = static_files().get(name)
    if data is None:
        return Response(status_code=404)
    suffix = Path(name).suffix
    kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    cache_control = FOR_GOOD if asked == version() else "no-cache"
    return Response(data, media_type=kind, headers={"cache-control": cache_control})
