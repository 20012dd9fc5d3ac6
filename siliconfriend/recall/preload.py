"""Loading what the first recall would else wait for.

The libraries of the search are loaded when something is first searched, so that a command
which recalls nothing starts at once. In a page that would be a second of silence before
the first word of a reply.
"""

from __future__ import annotations

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.recall.vector_index import VectorIndex


def preload(*, vectors: bool) -> None:
    """Load the dictionary and, where there will be vectors, their index; no memory is read."""
    tokenize("好")
    if vectors:
        VectorIndex(1)
