"""How hot a topic is: how often, how long and how lately it was talked about.

MemoryOS (arXiv 2506.06326, ``compute_segment_heat`` and ``compute_time_decay`` of its code):
``H = α·N_visit + β·L_interaction + γ·R_recency`` with ``R_recency = exp(-hours/τ)``, the
hours counted from the last visit.
"""

from __future__ import annotations

import math
from datetime import datetime

from siliconfriend.memory.knowledge import Topic

HOT = 5.0
"""From this heat on a topic is analysed (MemoryOS's number)."""


def heat(
    topic: Topic,
    now: datetime,
    alpha: float = 1.0,
    beta: float = 1.0,
    gamma: float = 1.0,
    tau_hours: float = 24.0,
) -> float:
    """``alpha·visits + beta·length + gamma·exp(-hours since the last visit / tau_hours)``.

    A visit in the future counts as now, and so does one that is not known.
    """
    hours = 0.0
    if topic.last_visit is not None:
        hours = max((now - topic.last_visit).total_seconds(), 0.0) / 3600.0
    return alpha * topic.visits + beta * topic.length + gamma * math.exp(-hours / tau_hours)
