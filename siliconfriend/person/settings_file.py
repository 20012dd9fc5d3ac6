"""Write files that the program keeps for its owner alone: the settings, and what is exported."""

import os
from collections.abc import Mapping
from pathlib import Path

from siliconfriend.config import prepare_home
from siliconfriend.config.settings import CONFIG_FILE, find_option
from siliconfriend.errors import ConfigurationError
from siliconfriend.memory.atomic import PREFIX, named_folder, private_file, translate_file_errors


def write_private_file(path: Path, words: str | bytes) -> None:
    """Write a whole file; as :func:`private_file`."""
    with private_file(path) as file:
        file.write(words if isinstance(words, bytes) else words.encode("utf-8", "replace"))


def overruling(values: Mapping[str, str | None]) -> list[str]:
    """Return the variables of the environment that override written settings."""
    given = [(find_option(name), value) for name, value in values.items() if value is not None]
    named = [(option.variable_in(os.environ), value) for option, value in given if option]
    return [
        variable
        for variable, value in named
        if os.environ.get(variable, "").strip() not in ("", value)
    ]


def write_settings(home: Path, values: Mapping[str, str | None]) -> Path:
    """Write settings, not validated, into ``config.toml`` of a data directory; None takes one out.

    Raises:
        ConfigurationError: the file is no TOML, or cannot be written.
        StoreError: the disk is full, or others hold the settings for half a minute.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    prepare_home(home)
    path = home / CONFIG_FILE
    with translate_file_errors(home), named_folder(home / f"{PREFIX}settings"):
        try:
            document = tomlkit.parse(path.read_text(encoding="utf-8-sig") if path.exists() else "")
        except (OSError, TOMLKitError) as error:
            raise ConfigurationError("config_unreadable", path=path, cause=error) from error
        for name, value in values.items():
            if value is None:
                document.pop(name, None)
            else:
                document[name] = value
        write_private_file(path, tomlkit.dumps(document))
    return path
