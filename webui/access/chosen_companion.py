"""Which companion a tab talks with: the one that its address names, ``/?companion=Robin``.

It stands in the address, so that a tab has one companion for as long as it is open. Were it kept
in the browser or here, a choice in one tab would send what is typed in another one to a companion
whom that was not meant for.
"""

from __future__ import annotations

from collections.abc import Mapping

from siliconfriend.config import Settings
from siliconfriend.errors import RefusedName
from siliconfriend.lore.companions import Companions
from siliconfriend.memory.scope import clean_name
from siliconfriend.memory.store import MemoryStore

PARAMETER = "companion"


def named_companion(query: Mapping[str, str], usual: str) -> str:
    """Return the companion that the query of an address names, as it stands there."""
    return query.get(PARAMETER) or usual


def check_companion(name: str, settings: Settings, store: MemoryStore) -> str:
    """Return the name of a companion that somebody may talk with.

    That is the page's own, any that is described, and one that was deleted and is remembered by
    somebody: what they told it is theirs.

    Raises:
        RefusedName: it is none of these, or cannot be a name.
    """
    wanted = clean_name(name)
    is_known = wanted == settings.companion or Companions(settings.home).exists(wanted)
    if is_known or any(it.companion == wanted for it in store.scopes()):
        return wanted
    raise RefusedName("companion_not_here", name=wanted)
