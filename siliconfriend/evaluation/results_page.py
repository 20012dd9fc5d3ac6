"""Write the results page: each run replaces its own section and leaves the rest as it is.

A section stands between two marks. What a person writes outside them, such as what was
tried and did not help, is never touched.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from siliconfriend.errors import ConfigurationError
from siliconfriend.texts import Language, text

RECIPES_SECTION = "recipes"


def write_section(
    path: Path,
    name: str,
    body: str,
    *,
    language: Language,
    recipes: Mapping[str, Callable[..., object]],
) -> None:
    """Put a section in its place, or at its place in the order of names where it is new.

    Args:
        path: the page; made where it does not exist.
        name: of the section, the same at each run of the same measurement.
        body: Markdown.
        language: of a new page's own words.
        recipes: by name; their docstrings are the section on what each is.

    Raises:
        ConfigurationError: the page cannot be read or written.
    """
    try:
        page = path.read_text(encoding="utf-8") if path.exists() else _new_page(language)
        page = _with_section(page, RECIPES_SECTION, _recipes(recipes))
        page = _with_section(page, name, body)
        path.write_text(page, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError("file_unwritable", path=path, cause=error) from error


def _new_page(language: Language) -> str:
    def said(key: str) -> str:
        return text("evaluation", f"page.{key}", language)

    return (
        f"# {said('title')}\n\n{said('intro')}\n\n<!-- results -->\n\n"
        f"## {said('recipes')}\n\n{_marked(RECIPES_SECTION, '')}\n\n"
        f"## {said('tried')}\n\n{said('tried_empty')}\n"
    )


def _marked(name: str, body: str) -> str:
    return f"<!-- begin {name} -->\n{body}\n<!-- end {name} -->"


def _with_section(page: str, name: str, body: str) -> str:
    section = _marked(name, body)
    known = re.compile(
        rf"<!-- begin {re.escape(name)} -->.*?<!-- end {re.escape(name)} -->", re.DOTALL
    )
    if known.search(page):
        return known.sub(lambda _: section, page)
    mark = "<!-- results -->"
    if mark not in page:
        return f"{page.rstrip()}\n\n{section}\n"
    return page.replace(mark, f"{section}\n\n{mark}", 1)


def _recipes(recipes: Mapping[str, Callable[..., object]]) -> str:
    parts = []
    for name, recipe in recipes.items():
        words = " ".join((inspect.getdoc(recipe) or "").split())
        parts.append(f"- **{name}**: {words}")
    return "\n".join(parts)
