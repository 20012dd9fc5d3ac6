"""The file of services: whole, checked on a day, and every name in it usable."""

from __future__ import annotations

import pytest

from siliconfriend.config import find_option
from siliconfriend.config.presets import find_preset, presets


@pytest.mark.parametrize("name", presets())
def test_a_preset_can_be_asked(name: str) -> None:
    """It has an address, a model, a switch for thinking, and a setting for the key it asks for."""
    preset = presets()[name]
    assert preset.address.startswith("https://") != preset.is_own_server
    assert preset.model
    assert preset.think_off
    assert preset.think_off.keys() == preset.think_on.keys()
    assert preset.key is None or (
        (option := find_option(preset.key)) is not None and option.is_secret
    )
    assert (preset.key is None) <= preset.is_own_server


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://api.deepseek.com/v1", "deepseek"),
        ("http://localhost:11434/v1/", "ollama"),
        ("http://127.0.0.1:8080", "llamacpp"),
    ],
)
def test_an_address_is_known_however_it_is_written(address: str, name: str) -> None:
    """A service is told by host and port, so that an address of one's own gets its switch too."""
    preset = find_preset(address)
    assert preset is not None
    assert preset.name == name


def test_an_address_of_nobody_is_no_preset() -> None:
    """Another port of this machine, or another host, is a server nothing is known of."""
    assert find_preset("http://127.0.0.1:9/v1") is None
    assert find_preset("https://api.deepseek.com.example/v1") is None
