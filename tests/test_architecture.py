"""The map of the house is true: what docs/architecture.md names is where it says."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from tests.test_layers import LAYERS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
LINK = re.compile(r"\[`?([^`\]]+)`?\]\(([^)#]+)\)")
PATH = re.compile(r"`((?:siliconfriend|webui|prompts|tests|benchmarks|memories)(?:/[\w./-]*)?)`")


@cache
def definitions(path: Path) -> frozenset[str]:
    """Everything a module defines: functions, classes, their methods, and constants."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            inner = [n.name for n in node.body if isinstance(n, ast.FunctionDef)]
            names |= {node.name, *(f"{node.name}.{name}" for name in inner)}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(names)


def test_every_link_leads_to_what_it_names() -> None:
    """A link to a module names a definition in it, or the file itself."""
    wrong = []
    for name, target in LINK.findall(PAGE):
        path = (ROOT / "docs" / target).resolve()
        if not path.exists():
            wrong.append(f"{target} does not exist")
        elif path.suffix == ".py" and name != path.name and name not in definitions(path):
            wrong.append(f"{target} does not define {name}")
    assert wrong == []


def test_every_path_exists() -> None:
    """A path in backquotes is one of the tree."""
    assert [path for path in PATH.findall(PAGE) if not (ROOT / path).exists()] == []


def test_every_room_stands_in_the_table_in_the_order_of_imports() -> None:
    """The uppermost first: the layers of the layer test, with the page above them."""
    rooms = [room for layer in reversed(LAYERS) for room in sorted(layer)]
    table = PAGE.split("## The way of a message")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == ["webui", *rooms]
