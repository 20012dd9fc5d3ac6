"""Create asynchronous versions of blocking methods."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

_Self = TypeVar("_Self")
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def twin(
    method: Callable[Concatenate[_Self, _Given], _Result],
) -> Callable[Concatenate[_Self, _Given], Coroutine[Any, Any, _Result]]:
    """Return an async method that runs this method in a worker thread.

    A cancelled task waits for the thread to finish, so that no work is left incomplete.
    """

    async def run(self: _Self, /, *given: _Given.args, **named: _Given.kwargs) -> _Result:
        from anyio.to_thread import run_sync

        return await run_sync(partial(method, self, *given, **named))

    run.__name__ = f"a{method.__name__}"
    run.__doc__ = f"Await :meth:`{method.__name__}`, run in a worker thread."
    return run
