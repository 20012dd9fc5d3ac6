"""The shared state that the settings name; each side is imported only when it is the one."""

from __future__ import annotations

from siliconfriend.config import Settings
from siliconfriend.memory.factory import database_of
from siliconfriend.memory.store import MemoryStore
from siliconfriend.shared.state import SharedState


def open_shared_state(settings: Settings, store: MemoryStore) -> SharedState:
    """Return what front ends agree on, where their memories are.

    Args:
        settings: name the store and the data directory.
        store: that was opened by them.
    """
    database = database_of(settings, store)
    if database is not None:
        from siliconfriend.shared.postgres.opening import state_in_postgres

        return state_in_postgres(database, settings.operator_key)
    from siliconfriend.shared.files import state_on_files

    return state_on_files(settings.home, settings.operator_key)
