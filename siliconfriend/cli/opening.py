"""Opening the parts a command needs; each is imported only when a command asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, ModelError
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

if TYPE_CHECKING:
    from siliconfriend.recall.recaller import Recaller


def open_recaller(settings: Settings, store: MemoryStore) -> Recaller:
    """What finds memories, with the embedder and the policy the settings name.

    Raises:
        ConfigurationError: a setting names what cannot be.
        ModelUnavailable: the embedder cannot be loaded or reached.
    """
    from siliconfriend.recall.factory import open_recaller as opened

    return opened(settings, store)


def index_rewriter(settings: Settings, store: MemoryStore) -> Callable[[Scope], None]:
    """What writes a scope's search index anew after an erasure.

    Erasing must not wait for an embedder: where that cannot be had, the index is removed,
    and the next recall makes it again.
    """

    def rewrite(scope: Scope) -> None:
        try:
            open_recaller(settings, store).rewrite(scope)
        except (ModelError, ConfigurationError):
            folder = getattr(store, "folder", None)
            if folder is not None:
                (folder(scope) / "index.sqlite").unlink(missing_ok=True)

    return rewrite
