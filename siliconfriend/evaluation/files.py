"""Reading the files an evaluation is given; nothing in them is trusted to be what it should."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from siliconfriend.errors import UnreadableFile


def read_text(path: Path) -> str:
    """A file as UTF-8.

    Raises:
        UnreadableFile: it cannot be opened, or is no UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error.strerror or error) from error
    except UnicodeDecodeError as error:
        raise UnreadableFile("measured_no_json", path=path, cause=error.reason) from error


def read_json(path: Path) -> Any:
    """A file as JSON.

    Raises:
        UnreadableFile: it cannot be opened, or is no JSON.
    """
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile("measured_no_json", path=path, cause=error) from error
