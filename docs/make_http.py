"""Write the paths of ``docs/http.md`` from what the server says of itself: ``make docs``."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from siliconfriend.person.bank import MemoryBank
from siliconfriend.server.app import create_app

PAGE = Path(__file__).parent / "http.md"
HEADS = "| path | what it does | fields (required in bold) |"
MARK = "<!-- the rest is written by python docs/make_http.py -->"


def _fields(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> list[str]:
    """Names of an operation's fields, required ones in bold; `companion` is said once above."""
    named = [
        (parameter["name"], bool(parameter.get("required")), parameter["in"])
        for parameter in operation.get("parameters", ())
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = body.get("schema", {})
    schema = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
    required = schema.get("required", ())
    named += [(name, name in required, "body") for name in schema.get("properties", ())]
    return [
        f"**`{name}`**" if must else f"`{name}`"
        for name, must, where in named
        if where != "path" and (name, where) != ("companion", "query")
    ]


def _rows(document: Mapping[str, Any]) -> list[str]:
    schemas = document.get("components", {}).get("schemas", {})
    rows = []
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            said = " ".join(
                (operation.get("description") or operation.get("summary") or "").split()
            ).rstrip(".")
            fields = ", ".join(_fields(operation, schemas))
            rows.append(f"| `{method.upper()} {path}` | {said} | {fields} |")
    return rows


def main() -> None:
    """Put the table of paths behind the mark of the page."""
    with tempfile.TemporaryDirectory() as home, MemoryBank(home) as bank:
        document = create_app(bank, None).openapi()
    head = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    table = [HEADS, "| --- | --- | --- |"]
    page = "\n".join([*table, *_rows(document)])
    PAGE.write_text(f"{head}{MARK}\n\n{page}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
