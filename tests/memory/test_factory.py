"""The settings name the store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.file_store import FileStore


def test_files_are_the_store(settings: Settings) -> None:
    """``file`` opens the file store in the data directory."""
    store = open_store(settings)
    assert isinstance(store, FileStore)
    assert store.home == settings.home


def test_a_store_this_version_lacks_is_a_matter_of_settings(settings: Settings) -> None:
    """Another store is refused in plain words, without the password of its address."""
    wanted = replace(settings, store="postgresql://ada:secret@host/db")
    with pytest.raises(ConfigurationError) as raised:
        open_store(wanted)
    assert raised.value.exit_code == 3
    assert "SILICONFRIEND_STORE=file" in raised.value.message("cn")
    assert "secret" not in raised.value.message("en")
