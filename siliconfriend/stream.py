"""The memory stream of generative agents, usable on its own.

Model and embedder are given by ``chat=`` and ``embedder=``, else by the settings; offline, importance
is found by rule.
"""

from siliconfriend.seeds.memory_stream import Memory, MemoryStream, Reflection
from siliconfriend.seeds.reflection import (
    condense_insights,
    generate_insight,
    generate_reflection,
    parse_insights,
)

__all__ = [
    "Memory",
    "MemoryStream",
    "Reflection",
    "condense_insights",
    "generate_insight",
    "generate_reflection",
    "parse_insights",
]
