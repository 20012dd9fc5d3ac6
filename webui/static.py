"""The page's own files, served under an address that changes with their bytes."""

import hashlib
import mimetypes
from functools import cache
from pathlib import Path

from markupsafe import Markup
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parent / "look"
PREFIX, WORKER = "/page/", "/worker.js"
"""Prefix of the files, and the path of the service worker, which serves the folder it is in."""
mimetypes.add_type("text/javascript", ".js")  # some machines know it wrongly


@cache
def address(name: str = "") -> str:
    """Return the address of a file, relative to the page, which may be served below a path."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*.*")):
        digest.update(path.name.encode() + path.read_bytes())
    return f".{PREFIX}{digest.hexdigest()[:12]}/{name}"


def static_route() -> BaseRoute:
    """Return the route of all files."""
    return Mount(PREFIX + "{version}", StaticFiles(directory=FOLDER))


def icon(name: str) -> Markup:
    """Return one of the page's icons, beside words that say the same."""
    image = Markup('<svg class="sf-icon" aria-hidden="true"><use href="{}#{}"/></svg>')
    return image.format(address("icons.svg"), name)
