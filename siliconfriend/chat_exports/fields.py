"""Take values out of foreign JSON: what is not as described is an error with its place.

A service changes its export without telling, so a field that is absent means "nothing", and
one of another type names the file and the field instead of becoming half a message.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from siliconfriend.errors import UnreadableFile


def as_object(value: object, label: str, field: str) -> Mapping[str, Any]:
    """The value, where it is an object; None counts as an empty one.

    Raises:
        UnreadableFile: it is something else.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise wrong_field(label, field)
    return value


def as_list(value: object, label: str, field: str) -> list[Any]:
    """The value, where it is a list; None counts as an empty one.

    Raises:
        UnreadableFile: it is something else.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise wrong_field(label, field)
    return value


def as_text(value: object) -> str:
    """The value, where it is a text; anything else is none."""
    return value if isinstance(value, str) else ""


def as_moment(value: object, label: str, field: str) -> datetime | None:
    """A moment written as seconds or milliseconds since 1970, or as ISO 8601; None stays None.

    Raises:
        UnreadableFile: it is neither.
    """
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str):
            value = value.strip()
            if value.replace(".", "", 1).isdigit():
                value = float(value)
            else:
                return datetime.fromisoformat(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1_000 if value > 1e11 else value
            return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise wrong_field(label, field) from error
    raise wrong_field(label, field)


def wrong_field(label: str, field: str) -> UnreadableFile:
    """The error of a field that is not what the format says."""
    return UnreadableFile("import_wrong_field", path=label, field=field)
