"""Parse the destination of ``migrate --to``: written as the setting of the store is, or as a folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from siliconfriend.causes import mask_passwords
from siliconfriend.config import Settings
from siliconfriend.errors import UsageError

_DATABASES = ("postgresql://", "postgres://")
_FILE = "file:"


def parse_destination(written: str, settings: Settings) -> Settings:
    """The settings with another store, or another data directory, in their place.

    Args:
        written: ``file`` for the data directory there is, a ``postgresql://`` address, or
            ``file:PATH`` or a path for another data directory.
        settings: those of the store that is moved out of.

    Raises:
        UsageError: it is none of these, or the place that the memories are in already.
    """
    written = written.strip()
    if written.startswith(_DATABASES):
        there = replace(settings, store=written)
    elif written == "file":
        there = replace(settings, store="file")
    elif path := _path(written):
        there = replace(settings, store="file", home=path)
    else:
        raise UsageError("move_to_unknown", written=mask_passwords(written))
    if _key(there) == _key(settings):
        raise UsageError("move_to_itself", other=store_name(there))
    return there


def store_name(settings: Settings) -> str:
    """The store of some settings for people: a folder, or an address without its password."""
    if settings.store == "file":
        return str(settings.home.absolute())
    return mask_passwords(settings.store)


def _path(written: str) -> Path | None:
    if written.startswith(_FILE):
        rest = written.removeprefix(_FILE)
        return Path("/" + rest.lstrip("/") if rest.startswith("//") else rest) if rest else None
    is_path = "://" not in written and (written.startswith((".", "~")) or "/" in written)
    return Path(written).expanduser() if is_path else None


def _key(settings: Settings) -> tuple[str, str]:
    is_file = settings.store == "file"
    return (settings.store, str(settings.home.resolve()) if is_file else "")
