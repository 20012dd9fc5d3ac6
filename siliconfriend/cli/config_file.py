"""Writes ``config.toml``: several settings in one go, whatever else stands in it kept.

``config set`` and ``setup`` both choose a model through :func:`service_values`. A service is
more than its name, and the model of the one before, its address or its prices would be sent
to the new one or counted for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from siliconfriend.config import CONFIG_FILE, find_option, prepare_home
from siliconfriend.config.presets import presets
from siliconfriend.errors import ConfigurationError

from .app import write_private_file

OF_A_SERVICE = ("llm_address", "model", "context_tokens", "price_input", "price_output")
"""Settings that mean another service's when ``llm`` names another."""


def write_settings(home: Path, values: Mapping[str, str | None]) -> None:
    """Write settings into the file of the data directory; None takes one out.

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


def apply_preset(home: Path, name: str) -> tuple[str, ...]:
    """Choose the service ``name`` of ``presets.toml``; write all of it in one go.

    Returns:
        The names of settings that were taken out, as :func:`service_values` does.

    Raises:
        ConfigurationError: the file is no TOML, or cannot be written.
    """
    values = service_values(home, name)
    write_settings(home, values)
    return tuple(name for name, value in values.items() if value is None)


def service_values(
    home: Path,
    llm: str,
    *,
    key: str | None = None,
    model: str | None = None,
    address: str | None = None,
) -> dict[str, str | None]:
    """The settings that make ``llm`` answer; None for one to take out.

    Address and model of a preset are its own unless given. What the file holds of another
    service is taken out; keys are kept, each is sent to its own service alone.

    Args:
        home: the data directory.
        llm: ``offline``, the name of a preset or ``gguf:PATH``.
        key: for the service, kept in the file; None to leave what is there.
        model: another of its models.
        address: where a server of one's own listens, or another region.
    """
    before, preset = read_settings(home), presets().get(llm)
    is_another = before.get("llm") in {*presets()} - {llm}
    taken_out = (it for it in OF_A_SERVICE if is_another and it in before)
    values: dict[str, str | None] = {"llm": llm, **dict.fromkeys(taken_out)}
    if key is not None and preset is not None and preset.key is not None:
        values[preset.key] = key
    values |= {"model": model} if model is not None else {}
    values |= {"llm_address": address} if address is not None else {}
    return values


def key_variable(name: str) -> str | None:
    """The environment variable that holds the key of a preset; None where it needs none."""
    key = presets()[name].key
    option = None if key is None else find_option(key)
    return None if option is None else option.variable


def read_settings(home: Path) -> Mapping[str, object]:
    """Load what the file holds; nothing where it is missing or no TOML, which writing it says."""
    import tomllib

    try:
        return tomllib.loads((home / CONFIG_FILE).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
