"""The reference of the HTTP API is what the server describes."""

from __future__ import annotations

from pathlib import Path

from siliconfriend.server.reference import document, render

PAGE = Path(__file__).parents[2] / "docs" / "http.md"


def test_the_page_is_what_the_server_describes() -> None:
    """`make docs` writes it again."""
    assert PAGE.read_text(encoding="utf-8") == render(document())


def test_every_operation_is_explained_and_every_body_has_an_example() -> None:
    """So that the document is complete."""
    openapi = document()
    lacking = []
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            if not operation.get("description") or not operation.get("summary"):
                lacking.append(f"{method} {path}: no words")
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            schema = body.get("schema", {})
            name = schema.get("$ref", "").rpartition("/")[2]
            schema = openapi["components"]["schemas"][name] if name else schema
            if body and not schema.get("examples"):
                lacking.append(f"{method} {path}: no example")
    assert lacking == []
