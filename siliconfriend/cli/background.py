"""Work that goes on while the person reads and types, and must be done before it is needed."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Background:
    """Runs ``work`` beside the main thread; leaving the program does not wait for it.

    Only work that may be cut off at any moment belongs here.
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    @property
    def is_done(self) -> bool:
        """Whether the work has ended, well or not."""
        return not self._thread.is_alive()

    def wait(self, meanwhile: Callable[[], None] | None = None, *, every: float = 10.0) -> None:
        """Wait for the end; an error of the work is raised here, once.

        ``meanwhile`` is called each time that so many seconds have passed.
        """
        while meanwhile is not None and self._thread.is_alive():
            self._thread.join(every)
            if self._thread.is_alive():
                meanwhile()
        self._thread.join()
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _run(self, work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:
            self._error = error
