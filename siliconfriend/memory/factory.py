"""The store that the settings name; each is imported only when it is the one."""

from __future__ import annotations

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.memory.store import MemoryStore


def open_store(settings: Settings) -> MemoryStore:
    """The store for ``settings.store``.

    Raises:
        ConfigurationError: this version has no such store.
    """
    if settings.store == "file":
        from siliconfriend.memory.encryption import KEYRING
        from siliconfriend.memory.file_store import FileStore

        if settings.passphrase is not None:
            KEYRING.offer(settings.passphrase)

        return FileStore(settings.home, language=settings.language)
    # An address can hold a password: only what stands before it is shown.
    raise ConfigurationError("store_unknown", store=settings.store.partition(":")[0])
