"""Keys of services in ``config.toml``: left out of what is carried elsewhere, kept where they are.

A backup lies on other disks and with other people. Only somebody who asks for it gets the keys
into it.
"""

from __future__ import annotations

import re

from siliconfriend.config.settings import OPTIONS

_LINE = re.compile(
    rb"^[ \t]*[\"']?(?P<name>"
    + b"|".join(re.escape(option.name).encode() for option in OPTIONS if option.secret)
    + rb")[\"']?[ \t]*=.*(?:\r?\n|\Z)",
    re.MULTILINE,
)


def has_secrets(data: bytes) -> bool:
    """True if the bytes of a ``config.toml`` hold a key."""
    return _LINE.search(data) is not None


def without_secrets(data: bytes) -> bytes:
    """The bytes of a ``config.toml`` without its lines that hold a key."""
    return _LINE.sub(b"", data)


def with_secrets_of(data: bytes, other: bytes) -> bytes:
    """The bytes of a ``config.toml``, and before them the keys of another that it lacks."""
    held = {line["name"] for line in _LINE.finditer(data)}
    missing = [line[0] for line in _LINE.finditer(other) if line["name"] not in held]
    return b"".join(line if line.endswith(b"\n") else line + b"\n" for line in missing) + data
