"""The settings name the store."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, StoreError
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.postgresql import PostgresStore


def test_an_address_is_a_database(settings: Settings) -> None:
    """A ``postgresql://`` address opens the store there, which connects when it is first used."""
    store = open_store(replace(settings, store="postgresql://ada:secret@127.0.0.1:1/db"))
    assert isinstance(store, PostgresStore)
    with pytest.raises(StoreError) as raised:
        store.scopes()
    assert raised.value.key == "database_unreachable"
    assert "127.0.0.1/db" in raised.value.message("cn")
    assert "secret" not in raised.value.message("en")


@pytest.mark.parametrize("address", ["postgresql://[/db", "postgresql://host/db?colour=red"])
def test_an_address_that_is_none_is_a_matter_of_settings(settings: Settings, address: str) -> None:
    """What libpq cannot read is refused in plain words before anything is opened."""
    with pytest.raises(ConfigurationError) as raised:
        open_store(replace(settings, store=address))
    assert raised.value.exit_code == 3
    assert "SILICONFRIEND_STORE" in raised.value.message("cn")


def test_missing_packages_are_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the sentence says what to install."""
    for name in [it for it in sys.modules if it.startswith("siliconfriend.memory.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigurationError, match="siliconfriend\\[postgres\\]"):
        open_store(replace(settings, store="postgresql://host/db"))
