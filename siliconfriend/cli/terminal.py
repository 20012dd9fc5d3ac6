"""The one place where words become harmless to a terminal.

A memory, a model's answer, a file's name or an error about any of them may hold what a
terminal obeys: escape sequences that write the clipboard or the window's title, and marks
that turn the direction of what follows. Everything a command prints, help, errors,
tracebacks and a library's log lines among it, goes through :class:`HarmlessStream`, so no
``click.echo`` needs to think of it. What goes around the two streams does: the prompts of
``input`` and ``getpass``, and a bar that draws with escape sequences of its own.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TextIO

_STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but line breaks and tabs, and what changes the direction of writing.

Character by character, so a sequence that comes in two pieces is as harmless as a whole one.
"""
_STEERS_IN_JSON = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdd4]")
_ESCAPES = str.maketrans(
    {
        "\ufdd0": "\x1b[0m",
        "\ufdd1": "\x1b[2m",
        "\ufdd2": "\x1b[36m",
        "\ufdd3": "\x1b[32m",
        "\ufdd4": "\x1b[31m",
    }
)
"""The escape codes of each style's mark, inserted once the words around it are harmless.

The marks are code points that no text has. Words that hold one all the same gain a colour.
"""
_NO_ESCAPES = str.maketrans(dict.fromkeys(_ESCAPES))


class Style(StrEnum):
    """The few ways in which words may stand out: the mark that begins each."""

    QUIET = "\ufdd1"
    VOICE = "\ufdd2"
    GOOD = "\ufdd3"
    BAD = "\ufdd4"


def styled(words: str, style: Style) -> str:
    """The words in a style, for standard output or standard error; plain where no colour is shown."""
    return f"{style}{words}\ufdd0"


def draw_styles(words: str, *, colours: bool) -> str:
    """Turn the marks of styles into escape sequences, or take them away."""
    return words.translate(_ESCAPES if colours else _NO_ESCAPES)


def is_capable(stream: TextIO) -> bool:
    """True if a stream is a terminal that understands more than plain words."""
    return stream.isatty() and os.environ.get("TERM") not in ("dumb", "emacs")


def shows_colours(stream: TextIO) -> bool:
    """True if a stream is a terminal with colours, and ``NO_COLOR`` does not speak against them."""
    return is_capable(stream) and not os.environ.get("NO_COLOR")


def harmless(words: str) -> str:
    """The words without the characters that a terminal obeys instead of showing."""
    return _STEERS.sub("", words)


def harmless_json(document: str) -> str:
    """A JSON document with those characters, and halves of broken ones, escaped as JSON does.

    It stays the same document: outside of its strings JSON has none of them.
    """
    return _STEERS_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


class HarmlessStream(io.TextIOWrapper):
    """A text stream that lets nothing through that steers a terminal.

    Attributes:
        unfiltered: the stream in whose place it stands, for a program's own drawing.
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
        self._colours = shows_colours(unfiltered)

    def write(self, words: str, /) -> int:
        """Write the words, made harmless."""
        return super().write(draw_styles(harmless(words), colours=self._colours))


@contextmanager
def harmless_streams() -> Iterator[None]:
    """Put harmless streams in the place of standard output and standard error meanwhile.

    A stream without bytes below it, as a test may set one, is no terminal and stays.
    """
    streams = {
        name: HarmlessStream(stream)
        for name in ("stdout", "stderr")
        if hasattr(stream := getattr(sys, name), "buffer")
    }
    for name, stream in streams.items():
        setattr(sys, name, stream)
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


def unfiltered_stderr() -> TextIO:
    """Standard error for what draws with escape sequences and cleans its words itself."""
    return sys.stderr.unfiltered if isinstance(sys.stderr, HarmlessStream) else sys.stderr


def shell_word(name: str) -> str:
    """A name as it is typed in a command: in quotes where the shell would read more than a word."""
    return name if re.fullmatch(r"[\w@%+=:,./-]+", name) else shlex.quote(name)
