"""The recaller that the settings name, opened in one place for every program that recalls."""

from __future__ import annotations

from siliconfriend.config import Settings, load_settings
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.associating import OperatorTable
from siliconfriend.recall.association_table import FILE_NAME as ASSOCIATIONS
from siliconfriend.recall.association_table import NO_ASSOCIATIONS, AssociationTable
from siliconfriend.recall.concepts import own_weights
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.embedders.factory import open_embedder
from siliconfriend.recall.recaller import Recaller


def open_recaller(
    settings: Settings, store: MemoryStore, embedder: Embedder | None = None
) -> Recaller:
    """What finds memories, with the embedder, the policy and the tables the settings name.

    Args:
        settings: name them.
        store: where the memories are.
        embedder: one that is open already.

    Raises:
        ConfigurationError: a setting names what cannot be.
        ModelUnavailable: the embedder cannot be loaded or reached.
    """
    if embedder is None:
        embedder = open_embedder(settings)
    return Recaller(
        store,
        None if embedder is None else CachedEmbedder(embedder, max_passages=0),
        policy=ForgettingPolicy.of(settings),
        own=own_weights(settings),
        index_folder=store.folder,
        associations=settings.home / ASSOCIATIONS,
    )


def operator_table(settings: Settings) -> AssociationTable | None:
    """The operator's table of associated words; None where there is none.

    Raises:
        ConfigurationError: it cannot be read.
    """
    return OperatorTable(settings.home / ASSOCIATIONS).now()


def open_table(settings: Settings | None = None) -> AssociationTable:
    """The table of associated words: the operator's, else the one of the person in the settings.

    Without either there are no associations.

    Raises:
        ConfigurationError: a setting or the table cannot be read.
        ModelUnavailable: the embedder cannot be loaded or reached.
    """
    settings = settings or load_settings()
    table = operator_table(settings)
    if table is not None:
        return table
    if settings.user:
        store, scope = open_store(settings), Scope.of(settings.user, settings.companion)
        if store.exists(scope):
            return open_recaller(settings, store).associations(scope)
    return NO_ASSOCIATIONS
