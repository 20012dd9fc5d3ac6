"""The page's own files, served under an address that changes with their bytes.

A browser may keep what it got for good, and gets new files with the page that needs them.
Nothing outside of the folder is reachable: the files are listed once, when the page starts.
"""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

FOLDER = Path(__file__).parents[1] / "static"
PREFIX = "/page/"
TYPES = {
    ".js": "text/javascript",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
"""What some machines have no type for, or a wrong one."""
FOR_GOOD = "public, max-age=31536000, immutable"


@cache
def static_files() -> dict[str, bytes]:
    """Return the bytes of each file by its path below the folder."""
    paths = (it for it in sorted(FOLDER.rglob("*")) if it.is_file())
    return {it.relative_to(FOLDER).as_posix(): it.read_bytes() for it in paths}


@cache
def version() -> str:
    """Return what changes whenever a file does."""
    told = hashlib.sha256()
    for name, data in static_files().items():
        told.update(f"{name}\n{len(data)}\n".encode())
        told.update(data)
    return told.hexdigest()[:12]


def address(name: str) -> str:
    """Return where a file is, relative to the page, which may stand below a proxy's path."""
    return f".{PREFIX}{version()}/{name}"


def static_routes() -> list[BaseRoute]:
    """Return the route of all files."""
    return [Route(PREFIX + "{path:path}", _serve, methods=["GET"])]


async def _serve(request: Request) -> Response:
    asked, _, name = request.path_params["path"].partition("/")
    data = static_files().get(name)
    if data is None:
        return Response(status_code=404)
    suffix = Path(name).suffix
    kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    is_current = asked == version()
    return Response(
        data, media_type=kind, headers={"cache-control": FOR_GOOD if is_current else "no-cache"}
    )
