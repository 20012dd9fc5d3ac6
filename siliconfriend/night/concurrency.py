"""Several people's nights at once, at most so many.

A night mostly waits for its model. Each person's night is one piece of work in a thread,
so a person's days stay in order and memory is written as it is by a single one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def map_concurrently(
    work: Callable[[_Item], _Result],
    items: Sequence[_Item],
    *,
    at_once: int,
    stop: Callable[[], None],
) -> list[_Result]:
    """Call ``work`` for each item, and return the results in order; never inside an event loop.

    The first error, and an interrupt, ends it: ``stop`` is called so that what is under way
    ends soon, what has not begun never does, and the error is raised when all have ended.
    """
    if at_once == 1 or len(items) <= 1:
        return [work(item) for item in items]
    return asyncio.run(_gathered(work, items, at_once, stop))


async def _gathered(
    work: Callable[[_Item], _Result], items: Sequence[_Item], at_once: int, stop: Callable[[], None]
) -> list[_Result]:
    loop = asyncio.get_running_loop()
    pool = ThreadPoolExecutor(min(at_once, len(items)), thread_name_prefix="night")
    try:
        return await asyncio.gather(*(loop.run_in_executor(pool, work, item) for item in items))
    except BaseException:
        # First let nothing new begin: once what is under way ends, its threads would.
        pool.shutdown(wait=False, cancel_futures=True)
        stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
