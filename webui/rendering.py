"""Render the page from the templates in ``html/``, which escape every value, and serve its files.

Where a line of a template ends between tags, no space is left: the browser compares what it shows
with what comes, child by child.
"""

import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from .words import marked

FOLDER = Path(__file__).parent / "html"
FILES = Path(__file__).parent / "look"
PREFIX, WORKER = "/page/", "/worker.js"
"""Prefix of the files, and the path of the service worker, which serves the folder it is in."""
MOST_UPLOADED = 64 * 2**20
"""Most bytes of an upload; ten years of memories, as exported, have some 40 MB."""
mimetypes.add_type("text/javascript", ".js")  # some machines know it wrongly
_BETWEEN_TAGS = re.compile(r"(?<=[>}])\s*\n\s*(?=[<{])")


@cache
def address(name: str = "") -> str:
    """Return the address of a file, relative to the page, which may be served below a path."""
    digest = hashlib.sha256()
    for path in sorted(FILES.rglob("*.*")):
        digest.update(path.name.encode() + path.read_bytes())
    return f".{PREFIX}{digest.hexdigest()[:12]}/{name}"


def static_route() -> BaseRoute:
    """Return the route of all files."""
    return Mount(PREFIX + "{version}", StaticFiles(directory=FILES))


def _read(name: str) -> str:
    return _BETWEEN_TAGS.sub("", (FOLDER / name).read_text(encoding="utf-8").strip())


_TEMPLATES = Environment(
    loader=FunctionLoader(_read), autoescape=True, undefined=StrictUndefined, auto_reload=False
)
_TEMPLATES.policies["truncate.leeway"] = 0
_TEMPLATES.globals.update(address=address, marked=marked)
_TEMPLATES.globals["most_uploaded"] = MOST_UPLOADED - 2**16  # besides the form's other fields


def render(name: str, /, **values: Any) -> Markup:
    """Return a template with these values in it."""
    return Markup(_TEMPLATES.get_template(name).render(values))  # noqa: S704
