"""Print to the terminal: escape harmful characters, styles, columns, pager, progress.

A memory, an answer or a file name may hold escape sequences. All output goes through
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
"""Called with what is being done, how much of it is done, and out of how much."""
WIDEST_COLUMN = 44
"""Cells: a longer value pushes what follows it to the right in its own row alone."""

_STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but line breaks and tabs, and what changes the direction of writing."""
_STEERS_IN_JSON = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdd4]")
QUIET, VOICE, GOOD, BAD = "\ufdd1\ufdd2\ufdd3\ufdd4"
"""The mark that begins each style: code points that no text has."""
_ESCAPES = {"\ufdd0": 0, QUIET: 2, VOICE: 36, GOOD: 32, BAD: 31}


def styled(words: str, style: str) -> str:
    """Return the words in a style, which is drawn where colours are shown."""
    return f"{style}{words}\ufdd0"


def draw(words: str, *, colours: bool) -> str:
    """Make the words harmless, then turn the marks of styles into escape sequences, or drop them."""
    words = harmless(words)
    for mark, code in _ESCAPES.items():
        words = words.replace(mark, f"\x1b[{code}m" if colours else "")
    return words


def is_capable(stream: TextIO) -> bool:
    """Return True if a stream is a terminal that understands more than plain words."""
    return stream.isatty() and os.environ.get("TERM") not in ("dumb", "emacs")


def harmless(words: str) -> str:
    """Return the words without the characters that a terminal obeys instead of showing."""
    return _STEERS.sub("", words)


def harmless_json(document: str) -> str:
    """Escape those characters, and halves of broken ones, in a JSON document as JSON does."""
    return _STEERS_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


class HarmlessStream(io.TextIOWrapper):
    """A text stream that lets nothing through that steers a terminal.

    ``unfiltered`` is the stream in whose place it stands, for the program's own drawing.
    """

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
        """Write the words, made harmless."""
        return super().write(draw(words, colours=self.colours))


@contextmanager
def harmless_streams() -> Iterator[None]:
    """Put harmless streams in the place of standard output and standard error meanwhile."""
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
            # click puts a stream of its own there when the reader of a pipe has left.
            if getattr(sys, name) is stream:
                setattr(sys, name, stream.unfiltered)
                stream.detach()


def erase_line() -> None:
    """Take away what stands in the last line of a terminal that understands it."""
    if isinstance(sys.stdout, HarmlessStream):
        sys.stdout.flush()
        sys.stdout.unfiltered.write("\r\x1b[K")
        sys.stdout.unfiltered.flush()


def shell_word(name: object) -> str:
    """Return a name as it is typed in a command, in quotes where the shell needs them."""
    return str(name) if re.fullmatch(r"[\w@%+=:,./-]+", str(name)) else shlex.quote(str(name))


def align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Format rows of as many parts each; every part but the last is padded to its column."""
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
    """Print lines, at a terminal through the pager that ``PAGER`` names, or ``less``."""
    # On Windows click's pager first writes the lines, a diary, to a file elsewhere.
    if sys.platform == "win32" or not (is_capable(sys.stdout) and sys.stdin.isatty()):
        for line in lines:
            click.echo(line)
        return
    # Leaves at once what fits the screen; Chinese is UTF-8 whatever the locale says.
    os.environ.setdefault("LESS", "FRX")
    os.environ.setdefault("LESSCHARSET", "utf-8")
    colours = getattr(sys.stdout, "colours", False)
    click.echo_via_pager(f"{draw(line, colours=colours)}\n" for line in lines)


@contextmanager
def progress_bar() -> Iterator[Advance]:
    """Show a bar with one line of work at a time on standard error, from its first step on.

    Nothing is shown where that is no terminal.
    """
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
