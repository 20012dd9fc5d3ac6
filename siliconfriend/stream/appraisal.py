"""Finds the importance and the vectors that memories lack, many in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from siliconfriend.importance import BATCH, importance_by_model, offline_importance
from siliconfriend.models.base import ChatModel
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.stream.defaults import chat_or_none, embedder_of, prompts_for

if TYPE_CHECKING:
    from siliconfriend.stream.memory import Memory

EMBEDDED_AT_ONCE = 256

Means = TypeVar("Means")


def rate_all(memories: Iterable[Memory], chat: ChatModel | None) -> None:
    """Give an importance to each memory that has none, by its own model, else by ``chat``.

    What was rated before a call failed is kept.

    Raises:
        ModelError: as :func:`siliconfriend.importance.importance_by_model`.
    """
    lacking = [memory for memory in memories if memory.known_importance is None]
    for own, group in _by(lacking, lambda memory: memory.chat):
        model = chat_or_none(own, chat)
        for batch in _batches(group, BATCH):
            texts = [memory.description for memory in batch]
            if model is None:
                ratings = [offline_importance(text) for text in texts]
            else:
                ratings = importance_by_model(model, prompts_for(texts), texts)
            for memory, rating in zip(batch, ratings, strict=True):
                memory.known_importance = rating


def embed_all(memories: Iterable[Memory], embedder: Embedder | None) -> None:
    """Give a vector to each memory that has none, by its own embedder, else by ``embedder``.

    Raises:
        ModelError: the embedder could not be had.
    """
    lacking = [memory for memory in memories if memory.known_vector is None]
    for own, group in _by(lacking, lambda memory: memory.embedder):
        means = embedder_of(own, embedder)
        for batch in _batches(group, EMBEDDED_AT_ONCE):
            vectors = means.passages([memory.description for memory in batch])
            for memory, vector in zip(batch, vectors, strict=True):
                memory.known_vector = vector


def _by(
    memories: Iterable[Memory], own: Callable[[Memory], Means]
) -> Iterator[tuple[Means, list[Memory]]]:
    """The memories grouped by the means they were given themselves, in order of first sight."""
    groups: dict[int, tuple[Means, list[Memory]]] = {}
    for memory in memories:
        means = own(memory)
        groups.setdefault(id(means), (means, []))[1].append(memory)
    yield from groups.values()


def _batches(memories: Sequence[Memory], size: int) -> Iterator[Sequence[Memory]]:
    for start in range(0, len(memories), size):
        yield memories[start : start + size]
