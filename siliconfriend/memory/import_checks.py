"""Check an imported file for values that JSON allows and a memory cannot hold.

They are refused with their place before anything is written.
"""

from __future__ import annotations

import json
import math
from typing import Any

from siliconfriend.errors import UnreadableFile

DEEPEST = 100
"""Objects and lists in one another."""

_LOWEST, _HIGHEST = -(2**63), 2**63 - 1


def check_values(bank: object) -> None:
    """Check every value of a file, however it was parsed.

    Raises:
        UnreadableFile: a number that cannot be kept, or objects too deep in one another;
            names the place.
    """
    rest: list[tuple[str, object, int]] = [("", bank, 0)]
    while rest:
        where, value, depth = rest.pop()
        if depth > DEEPEST:
            raise UnreadableFile("import_too_deep", field=_shortened(where), deepest=DEEPEST)
        if isinstance(value, dict):
            rest += [
                (f"{where}.{key}" if where else str(key), it, depth + 1)
                for key, it in value.items()
            ]
        elif isinstance(value, list | tuple):
            rest += [(f"{where}[{number}]", it, depth + 1) for number, it in enumerate(value)]
        elif not _can_be_kept(value):
            raise UnreadableFile("import_wrong_number", field=_shortened(where))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [_whole(key) for key, _ in pairs]
    found = dict(zip(keys, (value for _, value in pairs), strict=True))
    if len(found) < len(pairs):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UnreadableFile("import_key_twice", field=_shortened(twice))
    return found


def _whole(key: str) -> str:
    """Return a key in which half a character is U+FFFD, as it is in a value."""
    if key.isascii():
        return key
    return key.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _no_number(written: str) -> object:
    raise UnreadableFile("import_wrong_number", field=written)


def _can_be_kept(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or _LOWEST <= value <= _HIGHEST


def _shortened(where: str) -> str:
    return where if len(where) <= 120 else f"{where[:120]}…"


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)
"""The parser of every imported file, or part of one; refuses a key that an object has twice."""
