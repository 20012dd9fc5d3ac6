"""The recaller that the settings name, opened in one place for every program that recalls."""

from __future__ import annotations

from siliconfriend.config import Settings
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.concepts import own_weights
from siliconfriend.recall.embedders.factory import open_embedder
from siliconfriend.recall.recaller import Recaller


def open_recaller(settings: Settings, store: MemoryStore) -> Recaller:
    """What finds memories, with the embedder and the policy the settings name.

    Raises:
        ConfigurationError: a setting names what cannot be.
        ModelUnavailable: the embedder cannot be loaded or reached.
    """
    return Recaller(
        store,
        open_embedder(settings),
        policy=ForgettingPolicy.of(settings),
        own=own_weights(settings),
        index_folder=getattr(store, "folder", lambda _scope: None),
    )
