"""Two methods by which Babel finds sentences; ``[tool.babel]`` of pyproject.toml names them."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from io import BufferedReader
from pathlib import Path
from typing import Any

from babel.messages.extract import extract_python

Found = tuple[Any, ...]
"""Line, function, its arguments and the comments beside it, as Babel wants them."""


def from_area(file: BufferedReader, *_: object, **_options: object) -> Iterator[Found]:
    """Extract the sentences of a TOML file, each in the context of its key."""

    def found(part: Any, key: str) -> Iterator[Found]:
        if isinstance(part, dict) and part.keys() == {"one", "other"}:
            yield 1, "npgettext", (key, part["one"], part["other"]), []
        elif isinstance(part, dict):
            for name, inner in part.items():
                yield from found(inner, f"{key}.{name}")
        elif isinstance(part, list):
            for inner in part:
                yield from found(inner, key)
        else:
            yield 1, "pgettext", (key, part), []

    return found(tomllib.load(file), Path(file.name).stem)


def from_commands(
    file: BufferedReader, keywords: Mapping[str, Any], tags: list[str], options: Any
) -> Iterator[Found]:
    """Extract what Python code marks, and the docstrings of commands, which are their help."""
    yield from extract_python(file, keywords, tags, options)
    file.seek(0)
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.FunctionDef) and any(
            re.search(r"\b(command|group)\((?!.*\bhelp=)", ast.unparse(decorator), re.DOTALL)
            for decorator in node.decorator_list
        ):
            yield node.lineno, None, " ".join((ast.get_docstring(node) or "").split()), []
