"""How tests, pictures and benchmarks of the page know that a panel is drawn."""

from __future__ import annotations

DRAWN = {
    "chat": "#chat .bot",
    "memories": "#memories [data-memory]",
    "portrait": "#portrait .sf-glance",
    "fading": "#curves polyline",
    "night": "#night-reports .sf-card",
    "companions": ".sf-companion",
}
"""By panel a selector of what stands in it once it is filled."""
