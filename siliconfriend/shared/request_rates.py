"""How many requests somebody may make of the API in a while that moves with them."""

from __future__ import annotations

import math
import time
from typing import Protocol


class RequestRates(Protocol):
    """Counts requests; used in an event loop."""

    async def take(self, most: int, seconds: int, *who: str) -> int:
        """Count a request, or refuse it.

        Args:
            most: how many may be made within ``seconds``.
            seconds: how long a request counts.
            who: for whom it counts.

        Returns:
            0 if it may be made, else the whole seconds until one may; then it is not counted.
        """
        ...


class RatesHere:
    """The requests of one process; several behind one address let through that many times more."""

    def __init__(self) -> None:
        from limits.aio.storage import MemoryStorage
        from limits.aio.strategies import MovingWindowRateLimiter

        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def take(self, most: int, seconds: int, *who: str) -> int:
        """Count a request, or return how many seconds it has to wait."""
        from limits import RateLimitItemPerSecond

        rate = RateLimitItemPerSecond(most, seconds)
        if await self._limiter.hit(rate, *who):
            return 0
        window = await self._limiter.get_window_stats(rate, *who)
        return max(1, math.ceil(window.reset_time - time.time()))
