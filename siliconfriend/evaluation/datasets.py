"""Read the files of an evaluation, and reject invalid ones."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import MsgspecError

from siliconfriend.clock import check_day
from siliconfriend.config.settings import parse_language
from siliconfriend.errors import RefusedName, UnreadableFile
from siliconfriend.models.connection import MALFORMED
from siliconfriend.texts import Language


@contextmanager
def expected_form(key: str, **details: object) -> Iterator[None]:
    """Convert parsing errors to an UnreadableFile with this key."""
    try:
        yield
    except (*MALFORMED, MsgspecError, RefusedName) as error:
        cause = f"{type(error).__name__}: {error}"
        raise UnreadableFile(key, **details, cause=cause) from error


def read_text(path: Path) -> str:
    """Read a file as text; UnreadableFile if it cannot be opened or decoded."""
    try:
        with expected_form("measured_no_json", path=path):
            return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error


def read_json(path: Path) -> Any:
    """Read a file as JSON; UnreadableFile if it cannot be opened or parsed."""
    with expected_form("measured_no_json", path=path):
        return json.loads(read_text(path))


def text_value(value: object) -> str:
    """Return a text field; TypeError or ValueError if it is no text or empty."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    if not value.strip():
        raise ValueError("a text is empty")
    return value


def language_value(value: object) -> Language:
    """Parse a language field (``zh`` for ``cn``); TypeError or ValueError if it is invalid."""
    return parse_language(text_value(value))


def day_value(value: object) -> str:
    """Parse a day field such as ``2023-04-28``; TypeError or ValueError if it is invalid."""
    return check_day(date.fromisoformat(text_value(value))).isoformat()
