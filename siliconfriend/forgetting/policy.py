"""Forgetting policies as data: how fast each kind of memory fades, and when it is archived.

No memory stores its policy, so changing it replays every log of recalls under the new curve.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from types import MappingProxyType
from typing import Literal, Protocol

from siliconfriend.errors import ConfigurationError
from siliconfriend.forgetting.curve import retention
from siliconfriend.forgetting.trace import KINDS, Candidate, Trace


class CleanUp(Protocol):
    """A way to archive without a curve, as :mod:`siliconfriend.seeds.accumulated` does."""

    def strength(self, trace: Trace, mentions: Sequence[datetime] = ()) -> float:
        """Return the strength of a memory and its mentions."""
        ...

    def due(self, candidates: Sequence[Candidate], now: datetime, erased: int) -> list[Candidate]:
        """Select what to archive at ``now``; ``erased``: how many more the person erased."""
        ...

    def shown(self) -> Mapping[str, str]:
        """Return the numbers for the line that describes the policy."""
        ...


Fate = Literal["sampled", "threshold", "weakest"]
"""``sampled``: archived when R falls below a number drawn once from the id, so that the share which
survives to t is R(t). ``threshold``: when R falls below one share. ``weakest``: there is no R."""
IMPORTANT = 0.7
"""Minimum importance of an important memory (7 of 10 on Generative Agents' scale)."""
HALF = 0.5
"""Memories with R below this are faded."""


@dataclass(frozen=True, slots=True)
class ForgettingPolicy:
    """A named way to forget.

    Attributes:
        units: days of one unit of t by kind; R = e^(-(days/unit)/S). Empty with fate ``weakest``.
        important_units: the same for memories of importance 0.7 or more.
        archive_below: with fate ``threshold``, the R under which a memory is archived.
        largest_share: maximum share of live memories (per kind with a curve) that a pass archives
            without permission; None if the curve archives most within days.
        clean_up: archives under fate ``weakest``, None with any other.
    """

    name: str
    fate: Fate
    units: Mapping[str, float] = field(default_factory=dict)
    important_units: Mapping[str, float] = field(default_factory=dict)
    archive_below: float = 0.1
    largest_share: float | None = None
    clean_up: CleanUp | None = None

    @classmethod
    def named(cls, name: str) -> ForgettingPolicy:
        """Return the policy ``companion``, ``memorybank``, ``paper`` or ``accumulated``.

        Raises:
            ConfigurationError: the name is unknown.
        """
        if name == SEED_POLICY:
            policy: ForgettingPolicy = import_module(f"siliconfriend.seeds.{name}").POLICY
            return policy
        if name not in POLICIES:
            known = ", ".join(sorted([*POLICIES, SEED_POLICY]))
            raise ConfigurationError("policy_unknown", name=name, known=known)
        return POLICIES[name]

    @property
    def has_curve(self) -> bool:
        """True if memories have a retention under this policy."""
        return self.fate != "weakest"

    def strength(self, trace: Trace, mentions: Sequence[datetime] = ()) -> float:
        """Return S of a memory; a policy without a curve counts its mentions as well."""
        return self.clean_up.strength(trace, mentions) if self.clean_up else trace.strength

    def unit_days(self, kind: str, importance: float | None = None) -> float:
        """Return the days of one unit of t under a curve; unjudged importance is ordinary."""
        if importance is not None and importance >= IMPORTANT:
            return self.important_units.get(kind, self.units[kind])
        return self.units[kind]

    def retention(self, trace: Trace, kind: str, now: datetime) -> float:
        """Compute R of a memory at ``now`` (aware), under a curve."""
        unit = self.unit_days(kind, trace.importance)
        return retention(trace.days_fading(now), trace.strength, unit)

    def archive_threshold(self, identifier: str, recalls: int) -> float:
        """Return the R under which a memory is archived.

        With fate ``sampled`` these are the first 52 bits of SHA-256 over ``id:recalls`` as a number in
        (0, 1), so that each recall draws a new one.
        """
        if self.fate != "sampled":
            return self.archive_below
        digest = hashlib.sha256(f"{identifier}:{recalls}".encode()).digest()
        return ((int.from_bytes(digest[:8], "big") >> 12) + 0.5) / 2.0**52


def _same(days: float) -> Mapping[str, float]:
    return MappingProxyType(dict.fromkeys(KINDS, days))


def _units(half_lives: Mapping[str, float]) -> Mapping[str, float]:
    """Units from half-lives in days, since R(half-life) = 1/2 at S = 1."""
    return MappingProxyType({kind: days / math.log(2) for kind, days in half_lives.items()})


PAPER = ForgettingPolicy(name="paper", fate="sampled", units=_same(1.0))
"""R = e^(-t/S) with t in days, to the letter of arXiv 2305.10250."""

MEMORYBANK = ForgettingPolicy(name="memorybank", fate="sampled", units=_same(5.0))
"""Policy that MemoryBank's code meant by ``-t / 5*S``: R = e^(-t/(5·S)) with t in days."""

COMPANION = ForgettingPolicy(
    name="companion",
    fate="threshold",
    units=_units(
        {
            "turn": 30,  # small talk is half gone after a month
            "event": 90,  # events last longer than the turns that mention them
            "day": 365,  # day summaries stay useful for a year or more
            "topic": 365,  # topics last as long as their days
            "insight": 365,  # insights last longer than their evidence
            "fact": 730,  # facts about a person change over years, not weeks
        }
    ),
    important_units=_units({"turn": 180, "event": 365, "day": 730, "insight": 730, "fact": 1460}),
    largest_share=1 / 3,
)
"""The default: vivid memories are never archived, and faded ones are found like vivid ones until
archived."""

POLICIES: Mapping[str, ForgettingPolicy] = MappingProxyType(
    {policy.name: policy for policy in (COMPANION, MEMORYBANK, PAPER)}
)
SEED_POLICY = "accumulated"
"""Policy without a curve, from the module of this name in ``siliconfriend.seeds``."""
