"""Tables of sentences that tests share the form of: ``tests/data/sentences.toml``."""

import tomllib
from pathlib import Path
from typing import Any

_TABLES: dict[str, list[list[Any]]] = tomllib.loads(
    (Path(__file__).parent / "data" / "sentences.toml").read_text(encoding="utf-8")
)


def rows(table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table, short ones filled up with None."""
    longest = max(map(len, _TABLES[table]))
    return [(*row, *[None] * (longest - len(row))) for row in _TABLES[table]]
