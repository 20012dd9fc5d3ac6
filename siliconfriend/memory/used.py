"""Why a reply said what it said: the memories that stood in its prompt, kept with the turn.

Without it nobody could be told afterwards what a reply rested on, nor be asked to put it right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Used:
    """A memory that entered the prompt of a reply.

    Attributes:
        id: the memory's.
        score: what it was ranked by.
        parts: what the score is made of, by name.
        retention: R when it was recalled, before that strengthened it; None where no recall
            found it, or the policy has no curve.
    """

    id: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    retention: float | None = None
