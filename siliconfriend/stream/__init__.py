"""The memory stream of generative agents, usable on its own.

Memories with an importance and a vector, retrieval by recency, importance and relevance,
and reflection that turns memories into insights with evidence. A model and an embedder
are given by the keyword-only ``chat=`` and ``embedder=``, else they are those of the
settings; offline, importance is found by rule and only reflection needs a model.
"""

from siliconfriend.stream.memory import Memory, Reflection
from siliconfriend.stream.memory_stream import (
    MemoryStream,
    condense_insights,
    generate_insight,
    generate_reflection,
)
from siliconfriend.stream.reflection import parse_insights

__all__ = [
    "Memory",
    "MemoryStream",
    "Reflection",
    "condense_insights",
    "generate_insight",
    "generate_reflection",
    "parse_insights",
]
