"""Opening the parts a command needs; each is imported only when a command asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, ModelError
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.texts import text

from .app import App
from .background import Background

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


def take_in(app: App, recaller: Recaller, scope: Scope) -> None:
    """Take in what the search index has not seen, telling how far it is while that lasts.

    After an import of years every text is embedded, which nobody should wait for in silence.
    Errors as :meth:`Recaller.update_index`.
    """
    Background(lambda: recaller.update_index(scope)).wait(
        lambda: tell_taking_in(app, recaller, scope)
    )


def tell_taking_in(app: App, recaller: Recaller, scope: Scope) -> None:
    """Say how much of it was taken in so far."""
    progress = recaller.indexing_progress(scope)
    if progress is not None:
        done, everything = progress
        told = text("recall", "taking_in", app.language, done=done, all=everything)
        click.echo(told, err=True)


def index_rewriter(settings: Settings, store: MemoryStore) -> Callable[[Scope], None]:
    """What writes a scope's search index anew after an erasure.

    Erasing must not wait for an embedder: where that cannot be had, the index is removed,
    and the next recall makes it again.
    """
    from siliconfriend.recall.index_cache import remove_index

    def rewrite(scope: Scope) -> None:
        try:
            open_recaller(settings, store).rewrite_index(scope)
        except (ModelError, ConfigurationError):
            remove_index(store.folder(scope))

    return rewrite
