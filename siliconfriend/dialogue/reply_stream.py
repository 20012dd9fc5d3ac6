"""Clean a streaming reply: remove labels, echoes and loops of small models.

A small model may begin with its own name or the end of the prompt, write the person's next message,
or say the same sentence until a limit stops it. Code, lists, songs and tables stay as written.
"""

import re
from bisect import bisect_right
from collections.abc import Generator, Iterable
from contextlib import closing
from itertools import islice

from siliconfriend.errors import AnswerCut
from siliconfriend.memory.knowledge import OFFLINE
from siliconfriend.models.base import AnswerOptions
from siliconfriend.models.labels import unless_named, without_labels
from siliconfriend.models.tokens import estimate_tokens

SHORTEST_ECHO = 8
"""Minimum number of matching letters for a reply to count as an echo of the prompt."""
LOOP_REPEATS, LOOP_CHARACTERS = 10, 400
"""A reply is in a loop when its end is one text so many times in a row, over so many characters.
A refrain, a table or a list of like lines has fewer."""

_SENTENCE_END = re.compile(r"[。！？\n]|[.!?](?=\s|\Z)")
_LOOP = re.compile(rf"((?=[^\n]*\w).{{1,200}}?)\1{{{LOOP_REPEATS - 1},}}\Z", re.DOTALL)
_LOOP_WINDOW = 2400
_WORD = re.compile(r"\w+")


def clean_reply(
    pieces: Generator[str, None, None],
    *,
    companion: str,
    person: str,
    message: str,
    echoes: Iterable[str],
    model: str,
) -> Generator[str, None, None]:
    """Pass a reply on without labels, an echo of the prompt's end, or a loop.

    Names in the person's ``message`` stay. ``echoes`` are the last parts of the prompt in their order.
    ``pieces`` are closed with the result.

    Raises:
        AnswerCut: the reply is in a loop.
    """
    with closing(pieces):
        reply = without_loops(pieces, model)
        for echo in echoes:
            reply = without_echo(reply, echo)
        own = unless_named((companion, person), message)
        yield from without_labels(reply, own, unless_named((person,), message))


def without_echo(pieces: Iterable[str], echo: str) -> Generator[str, None, None]:
    """Pass the pieces on without a part of the prompt that they begin with."""
    wanted = "".join(_WORD.findall(echo)).casefold()
    stream, buffer, said = iter(pieces), "", ""
    while len(wanted) >= SHORTEST_ECHO and wanted.startswith(said) and len(said) <= len(wanted):
        piece = next(stream, None)
        if piece is None:
            break
        buffer += piece
        said = "".join(_WORD.findall(buffer)).casefold()
    if len(said) >= len(wanted) >= SHORTEST_ECHO and said.startswith(wanted):
        ends = (found.end() for found in re.finditer(r"\w", buffer))
        buffer = buffer[next(islice(ends, len(wanted), None), len(buffer) + 1) - 1 :]
    if buffer:
        yield buffer
    yield from stream


def without_loops(pieces: Iterable[str], model: str) -> Generator[str, None, None]:
    """Pass the pieces on until the end of the reply is one text many times in a row.

    Raises:
        AnswerCut: it is.
    """
    tail = ""
    for piece in pieces:
        tail = (tail + piece)[-_LOOP_WINDOW:]
        yield piece
        loop = _LOOP.search(tail) if len(tail) >= LOOP_CHARACTERS else None
        if loop and len(loop.group()) >= LOOP_CHARACTERS:
            raise AnswerCut("model_repeats", name=model)


def whole_sentences(words: str) -> str:
    """Cut words after the last whole sentence; return all of them where there is none."""
    ends = [found.end() for found in _SENTENCE_END.finditer(words)]
    return words[: ends[-1]].rstrip() if ends else words


def bounded(pieces: Iterable[str], options: AnswerOptions) -> Generator[str, None, None]:
    """Pass a reply by rules on up to a client's stop words; its limit raises AnswerCut."""
    if options.max_tokens is None and not options.stop:
        yield from pieces
        return
    words = "".join(pieces)
    words = words[
        : min((at for stop in options.stop if (at := words.find(stop)) >= 0), default=None)
    ]
    longest = options.max_tokens or len(words)
    fits = range(1, len(words) + 1)
    end = bisect_right(fits, longest, key=lambda length: estimate_tokens(words[:length]))
    if end:
        yield words[:end]
    if end < len(words):
        raise AnswerCut("model_cut", name=OFFLINE, longest=longest)
