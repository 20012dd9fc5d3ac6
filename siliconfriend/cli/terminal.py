"""Print to the terminal: remove control characters; styles, columns, pager and progress bar.

A memory, an answer or a file name may contain escape sequences. All output goes through
:class:`HarmlessStream`; ``input``, ``getpass`` and progress bars use :func:`harmless`.
"""

import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import click

Advance = Callable[[str, int, int], None]
"""Called with the name of the work, the number of finished steps, and the number of all steps."""
WIDEST_COLUMN = 44
"""Widest column in cells; a longer value shifts the rest of its row."""

_STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Matches control characters except line breaks and tabs, and marks of the writing direction."""
_STEERS_IN_JSON = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdd4]")
QUIET, VOICE, GOOD, BAD = "\ufdd1\ufdd2\ufdd3\ufdd4"
"""Noncharacters that begin each style; no text contains them."""
_ESCAPES = {"\ufdd0": 0, QUIET: 2, VOICE: 36, GOOD: 32, BAD: 31}


def styled(words: str, style: str) -> str:
    """Mark the words with a style, which :func:`draw` applies or removes."""
    return f"{style}{words}\ufdd0"


def draw(words: str, *, colours: bool) -> str:
    """Make the words harmless, and replace the marks of styles by escape sequences or nothing."""
    words = harmless(words)
    for mark, code in _ESCAPES.items():
        words = words.replace(mark, f"\x1b[{code}m" if colours else "")
    return words


def is_capable(stream: TextIO) -> bool:
    """Return True if a stream is a terminal that supports escape sequences."""
    return stream.isatty() and os.environ.get("TERM") not in ("dumb", "emacs")


def harmless(words: str) -> str:
    """Remove the characters that control a terminal."""
    return _STEERS.sub("", words)


def harmless_json(document: str) -> str:
    """Escape those characters and lone surrogates in a JSON document."""
    return _STEERS_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


class HarmlessStream(io.TextIOWrapper):
    """A text stream without control characters; ``unfiltered`` is the stream that it replaces."""

    def __init__(self, unfiltered: TextIO) -> None:
        unfiltered.flush()
        super().__init__(
            unfiltered.buffer,
            encoding=unfiltered.encoding,
            errors="replace",
            line_buffering=bool(unfiltered.line_buffering),
        )
        self.unfiltered = unfiltered
        self.colours = is_capable(unfiltered) and not os.environ.get("NO_COLOR")

    def write(self, words: str, /) -> int:
        """Write the harmless words."""
        return super().write(draw(words, colours=self.colours))


@contextmanager
def harmless_streams() -> Iterator[None]:
    """Replace standard output and standard error by harmless streams during a block."""
    streams = {
        name: HarmlessStream(stream)
        for name in ("stdout", "stderr")
        if hasattr(stream := getattr(sys, name), "buffer")
    }
    vars(sys).update(streams)
    try:
        yield
    finally:
        for name, stream in streams.items():
            # click replaces the stream if the reader of a pipe has closed it.
            if getattr(sys, name) is stream:
                setattr(sys, name, stream.unfiltered)
                stream.detach()


def erase_line() -> None:
    """Erase the current line of the terminal."""
    if isinstance(sys.stdout, HarmlessStream):
        sys.stdout.flush()
        sys.stdout.unfiltered.write("\r\x1b[K")
        sys.stdout.unfiltered.flush()


def shell_word(name: object) -> str:
    """Quote a name for a shell if needed; letters of any language need no quotes."""
    return str(name) if re.fullmatch(r"[\w@%+=:,./-]+", str(name)) else shlex.quote(str(name))


def align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Format rows of equal length; all cells but the last are padded to the width of their column."""
    from rich.cells import cell_len as width

    columns = zip(*rows, strict=True)
    widths = [min(max(map(width, column)), WIDEST_COLUMN) for column in columns][:-1]
    for *parts, last in rows:
        padded = (
            part + " " * (max(room - width(part), 0) + 2)
            for part, room in zip(parts, widths, strict=True)
        )
        yield "".join(padded) + last


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, at a terminal through the pager of ``PAGER``, or ``less``."""
    # On Windows, click's pager would write the lines, a diary, to a temporary file.
    if sys.platform == "win32" or not (is_capable(sys.stdout) and sys.stdin.isatty()):
        for line in lines:
            click.echo(line)
        return
    # Exit if the text fits the screen; show Chinese in any locale.
    os.environ.setdefault("LESS", "FRX")
    os.environ.setdefault("LESSCHARSET", "utf-8")
    colours = getattr(sys.stdout, "colours", False)
    click.echo_via_pager(f"{draw(line, colours=colours)}\n" for line in lines)


@contextmanager
def progress_bar() -> Iterator[Advance]:
    """Show a progress bar on standard error from the first step on, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _what, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    console = Console(file=getattr(sys.stderr, "unfiltered", sys.stderr))
    quiet: Any = {"redirect_stdout": False, "redirect_stderr": False}
    bar = Progress(*columns, console=console, transient=True, **quiet)
    task = bar.add_task("")

    def advance(what: str, done: int, total: int) -> None:
        bar.update(task, description=harmless(what), completed=done, total=total)
        bar.start()

    try:
        yield advance
    finally:
        bar.stop()
