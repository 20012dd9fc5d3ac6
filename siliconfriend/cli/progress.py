"""Work that takes longer than a moment: a progress bar, a thread, and how far indexing is."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from siliconfriend.memory.scope import Scope
from siliconfriend.texts import text

from .app import App
from .terminal import harmless, unfiltered_stderr

if TYPE_CHECKING:
    from siliconfriend.recall.recaller import Recaller

Advance = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and out of how much."""


@contextmanager
def progress_bar() -> Iterator[Advance]:
    """Show a bar with one line of work at a time on standard error; nothing if that is a file."""
    if not sys.stderr.isatty():
        yield lambda _what, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    console = Console(file=unfiltered_stderr())
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task("", total=None)

        def advance(what: str, done: int, total: int) -> None:
            bar.update(task, description=harmless(what), completed=done, total=total)

        yield advance


class BackgroundTask:
    """Runs ``work`` beside the main thread; leaving the program does not wait for it.

    Only work that may be cut off at any moment belongs here.
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    @property
    def is_done(self) -> bool:
        """True if the work has ended, well or not."""
        return not self._thread.is_alive()

    def join(self, seconds: float) -> None:
        """Wait for the end at most so long, and raise nothing."""
        self._thread.join(seconds)

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


def update_index(app: App, recaller: Recaller, scope: Scope) -> None:
    """Index what is new in a memory, printing how far it is while that lasts.

    After an import of years every text is embedded, which nobody should wait for in silence.
    Errors as :meth:`Recaller.update_index`.
    """
    task = BackgroundTask(lambda: recaller.update_index(scope))
    task.wait(lambda: say_indexing_progress(app, recaller, scope))


def say_indexing_progress(app: App, recaller: Recaller, scope: Scope) -> None:
    """Print on standard error how much of a memory was indexed so far, while that goes on."""
    progress = recaller.indexing_progress(scope)
    if progress is not None:
        done, everything = progress
        message = text("recall", "taking_in", app.language, done=done, all=everything)
        click.echo(message, err=True)
