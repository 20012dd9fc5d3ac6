"""One name stands for one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def _nodes() -> Iterator[tuple[Path, ast.AST]]:
    for top in ("siliconfriend", "webui", "benchmarks"):
        for path in (ROOT / top).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                yield path, node


def test_no_class_is_named_as_another() -> None:
    """What a class holds is in its name, so a reader need not ask which one is meant."""
    homes: dict[str, list[Path]] = defaultdict(list)
    for path, node in _nodes():
        if isinstance(node, ast.ClassDef):
            homes[node.name].append(path)
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_a_variable_is_named_by_what_it_is() -> None:
    """None is called ``it``."""
    assert [
        f"{path}:{node.lineno}"
        for path, node in _nodes()
        if (isinstance(node, ast.Name) and node.id == "it")
        or (isinstance(node, ast.arg) and node.arg == "it")
    ] == []
