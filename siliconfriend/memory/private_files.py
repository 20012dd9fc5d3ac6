"""Write files of the operator: ``config.toml``, and files only their owner can read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from siliconfriend.config import CONFIG_FILE, prepare_home
from siliconfriend.errors import ConfigurationError


def write_settings(home: Path, values: Mapping[str, str | None]) -> Path:
    """Write settings into ``config.toml`` of the data directory; None takes one out.

    Values are not validated here, and the directory is made where it is missing.

    Raises:
        ConfigurationError: the file is no TOML, or cannot be written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    prepare_home(home)
    path = home / CONFIG_FILE
    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8") if path.exists() else "")
    except (OSError, TOMLKitError) as error:
        raise ConfigurationError("config_unreadable", path=path, cause=error) from error
    for name, value in values.items():
        if value is None:
            document.pop(name, None)
        else:
            document[name] = value
    write_private_file(path, tomlkit.dumps(document))
    return path


def write_private_file(path: Path, words: str | bytes) -> None:
    """Write a file that only its owner can read, whole or not at all, and durably.

    Raises:
        ConfigurationError: it cannot be written.
    """
    from siliconfriend.memory import atomic
    from siliconfriend.memory.passing import passing_folder

    target = path.absolute()
    try:
        with passing_folder(target.parent) as work:
            data = words if isinstance(words, bytes) else words.encode("utf-8", "replace")
            atomic.write_whole(work / "file", data)
            (work / "file").replace(target)
            atomic.flush_folder(target.parent)
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=path, cause=error) from error
