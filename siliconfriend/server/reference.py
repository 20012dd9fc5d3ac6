"""The reference of the HTTP API, written from its OpenAPI document so that it cannot go stale.

``python -m siliconfriend.server.reference`` prints what ``docs/http.md`` holds; a test
compares the two.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from siliconfriend.config import Settings
from siliconfriend.runtime import Runtime
from siliconfriend.server.access import Access
from siliconfriend.server.app import create_app
from siliconfriend.server.context import ServerContext

HEAD = """\
# The HTTP API

What `siliconfriend serve` answers, path by path; how to start it, whose key reaches what and
what is kept of a client's chat stands in [serve.md](serve.md). The same as a document for
programs is at `/v1/openapi.json`. This page is written by
`python -m siliconfriend.server.reference > docs/http.md`.
"""

Json = Mapping[str, Any]


def document() -> dict[str, Any]:
    """The OpenAPI document of a server."""
    context = ServerContext(Runtime(Settings(home=Path())), Access(None))
    return create_app(context).openapi()


def render(openapi: Json) -> str:
    """Render the page as Markdown."""
    return HEAD + "".join(_sections(openapi))


def _sections(openapi: Json) -> Iterator[str]:
    operations = [
        (operation["tags"][0], method, path, operation)
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
    ]
    order = list(dict.fromkeys(tag for tag, *_ in operations))
    operations.sort(key=lambda it: order.index(it[0]))
    for tag, found in groupby(operations, key=lambda it: it[0]):
        yield f"\n## {tag[0].upper()}{tag[1:]}\n"
        for _, method, path, operation in found:
            yield from _operation(method, path, operation, openapi)


def _operation(method: str, path: str, operation: Json, openapi: Json) -> Iterator[str]:
    yield f"\n### `{method.upper()} {path}`\n\n{operation['summary']}."
    yield f" {_one_line(operation.get('description', ''))}\n"
    rows = [*_parameters(operation), *_fields(operation, openapi)]
    if rows:
        yield "\n| field | in | kind | meaning |\n| --- | --- | --- | --- |\n"
        yield from (f"| {' | '.join(row)} |\n" for row in rows)
    example = _example(operation, openapi)
    if example is not None:
        yield f"\n```json\n{json.dumps(example, ensure_ascii=False, indent=2)}\n```\n"
    yield f"\nAnswers: {', '.join(operation['responses'])}.\n"


def _parameters(operation: Json) -> Iterator[tuple[str, str, str, str]]:
    for parameter in operation.get("parameters", ()):
        meaning = _one_line(parameter.get("description", ""))
        schema = parameter["schema"]
        yield (
            f"`{parameter['name']}`",
            parameter["in"],
            _kind(schema),
            _with_default(meaning, schema),
        )


def _fields(operation: Json, openapi: Json) -> Iterator[tuple[str, str, str, str]]:
    schema = _body(operation, openapi)
    needed = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        meaning = _one_line(field.get("description", ""))
        if name in needed:
            meaning = f"Required. {meaning}".strip()
        yield f"`{name}`", "body", _kind(field), _with_default(meaning, field)


def _body(operation: Json, openapi: Json) -> Json:
    content = operation.get("requestBody", {}).get("content", {})
    schema: Json = content.get("application/json", {}).get("schema", {})
    return _resolved(schema, openapi)


def _example(operation: Json, openapi: Json) -> Any:
    content = operation.get("requestBody", {}).get("content", {})
    examples = [
        *_body(operation, openapi).get("examples", ()),
        *content.get("application/json", {}).get("schema", {}).get("examples", ()),
    ]
    return examples[0] if examples else None


def _resolved(schema: Json, openapi: Json) -> Json:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Json = openapi["components"]["schemas"][name] if name else schema
    return found


def _kind(schema: Json) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(it) for it in schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "any"))


def _with_default(meaning: str, schema: Json) -> str:
    default = schema.get("default")
    if default in (None, "", [], {}):
        return meaning
    return f"{meaning} Default `{json.dumps(default)}`.".strip()


def _one_line(words: str) -> str:
    return " ".join(words.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(render(document()))
