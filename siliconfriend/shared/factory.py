"""The shared state that the settings name; each side is imported only when it is the one."""

from __future__ import annotations

from siliconfriend.config import Settings
from siliconfriend.shared.state import SharedState


def open_shared_state(settings: Settings) -> SharedState:
    """Return what front ends agree on, where the store of the settings is."""
    from siliconfriend.shared.files import state_on_files

    return state_on_files(settings.home, settings.operator_key)
