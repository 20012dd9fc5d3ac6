"""One name stands for one thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def _nodes() -> Iterator[tuple[Path, ast.AST]]:
    for top in ("siliconfriend", "webui", "benchmarks"):
        for path in (ROOT / top).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                yield path, node


def _name(node: ast.AST) -> str:
    """The name of a class, or of a type that a module calls by one; empty for anything else."""
    if isinstance(node, ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and "TypeVar(" not in ast.unparse(node.value):
        target = node.targets[0]
        if isinstance(target, ast.Name) and re.fullmatch("[A-Z][a-z][A-Za-z]*", target.id):
            return target.id
    return ""


def test_no_type_is_named_as_another() -> None:
    """What it holds is in its name; one that stands in two modules is the same in both."""
    homes: dict[str, dict[str, Path]] = defaultdict(dict)
    for path, node in _nodes():
        if name := _name(node):
            homes[name][ast.unparse(node)] = path
    doubled = {name: list(found.values()) for name, found in homes.items() if len(found) > 1}
    assert doubled.keys() == {"Memory"}, doubled  # the memory stream's, as its document names it


def test_a_variable_is_named_by_what_it_is() -> None:
    """None is called ``it``."""
    assert [
        f"{path}:{node.lineno}"
        for path, node in _nodes()
        if (isinstance(node, ast.Name) and node.id == "it")
        or (isinstance(node, ast.arg) and node.arg == "it")
    ] == []
