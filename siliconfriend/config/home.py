"""Find and prepare the data directory."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from siliconfriend.config.options import HOME
from siliconfriend.config.settings import Source
from siliconfriend.errors import ConfigurationError

PROJECT = "siliconfriend"


def find_home(flag: Path | str | None, environ: Mapping[str, str]) -> tuple[Path, Source]:
    """The data directory and what named it."""
    if flag is not None and str(flag).strip():
        return Path(flag).expanduser().absolute(), "flag"
    named = environ.get(HOME.variable, "").strip()
    if named:
        return Path(named).expanduser().absolute(), "environment"
    checkout = find_checkout(Path.cwd())
    if checkout is not None:
        return checkout / "memories", "default"
    from platformdirs import user_data_path

    return user_data_path(PROJECT, appauthor=False), "default"


def find_checkout(start: Path) -> Path | None:
    """The checkout of this project that ``start`` lies in, or None."""
    for folder in (start, *start.parents):
        try:
            project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if project.get("project", {}).get("name") == PROJECT:
            return folder
    return None


def prepare_home(home: Path) -> None:
    """Make the data directory where it is missing; durable, or all that is kept in it is not.

    Raises:
        ConfigurationError: it cannot be made or written.
    """
    missing = [it for it in (home, *home.parents) if not it.exists()]
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in missing:
            _flush(folder.parent)
    except OSError as error:
        raise ConfigurationError("home_unwritable", home=home) from error
    if not os.access(home, os.W_OK | os.X_OK):
        raise ConfigurationError("home_unwritable", home=home)


def _flush(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
