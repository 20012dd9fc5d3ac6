"""The folder tree is the architecture: imports point one way, heavy libraries load late."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Lowest first; a module may import its own layer and those before it. Modules of one
# layer that stand on one line are apart from each other: neither may import the other.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("texts",),
    ("errors", "clock"),
    ("config",),
    ("prompts", "models", "forgetting"),
    ("importance", "moods"),
    ("memory",),
    ("bank", "passwords"),
    ("recall",),
    ("topics",),
    ("extraction",),
    ("lore",),
    ("control",),
    ("testing",),
    ("stream",),
    ("dialogue", "night"),
    ("evaluation",),
    ("service",),
    ("cli",),
)
HEAVY = ("torch", "faiss", "gradio", "langchain_community", "openai", "sentence_transformers")


def _modules() -> list[Path]:
    return sorted((ROOT / "siliconfriend").rglob("*.py"))


def _part_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def _layer(part: str) -> int:
    return next(level for level, parts in enumerate(LAYERS) if part in parts)


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    """No module imports a layer above its own, nor its neighbour in the same layer."""
    part = path.relative_to(ROOT / "siliconfriend").with_suffix("").parts[0]
    if part in ("__init__", "__main__"):
        return
    for imported in _imports(path):
        if not imported.startswith("siliconfriend."):
            assert not imported.startswith("webui"), f"{part} imports {imported}"
            continue
        other = _part_of(imported)
        if other == part:
            continue
        assert _layer(other) < _layer(part), f"{part} imports {imported}"


def test_langchain_is_imported_in_one_file_only() -> None:
    """The archived package stays behind one file."""
    users = [
        path.name
        for path in (*_modules(), *(ROOT / "webui").rglob("*.py"))
        if any(name.startswith("langchain") for name in _imports(path))
    ]
    assert users == ["vectors.py"]


def test_import_loads_nothing_heavy() -> None:
    """A bare import, and even looking up a light name, loads none of the heavy libraries."""
    code = (
        "import sys, siliconfriend; siliconfriend.retention(1, 1);"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
