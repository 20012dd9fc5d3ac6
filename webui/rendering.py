"""Render the HTML of the page from the templates in ``html/``; every value in them is escaped.

Where a line of a template ends between tags, no space is left: the browser compares what it shows
with what comes, child by child.
"""

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from .static import address, icon
from .words import marked, shortened

FOLDER = Path(__file__).parent / "html"
_BETWEEN_TAGS = re.compile(r"(?<=[>}])\s*\n\s*(?=[<{])")


def _read(name: str) -> str:
    return _BETWEEN_TAGS.sub("", (FOLDER / name).read_text(encoding="utf-8").strip())


_TEMPLATES = Environment(
    loader=FunctionLoader(_read), autoescape=True, undefined=StrictUndefined, auto_reload=False
)
_TEMPLATES.globals.update(address=address, icon=icon, marked=marked, shortened=shortened)


def render(name: str, /, **values: Any) -> Markup:
    """Return a template with these values in it."""
    return Markup(_TEMPLATES.get_template(name).render(values))  # noqa: S704
