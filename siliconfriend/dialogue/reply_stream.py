"""Clean a model's reply while it streams: what a small model adds to its words, or repeats.

Memories stand in a prompt as ``[2026-03-02] Ada: I moved.``; a small model goes on in that form,
begins with the end of the prompt, writes the person's next message, or says the same sentence until
a limit stops it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Generator, Iterable
from contextlib import closing
from itertools import islice, pairwise

from siliconfriend.errors import AnswerCut
from siliconfriend.memory.knowledge import OFFLINE
from siliconfriend.models.base import AnswerOptions
from siliconfriend.models.tokens import estimate_tokens

ROLES = ("Assistant", "AI", "User", "助手", "用户", "AI助手")
"""Names that a model gives the two who talk, where it does not use their own."""
LONGEST_DAY = 56
"""Most characters in brackets before a name."""
SHORTEST_ECHO = 8
"""Letters from which on a reply that begins like a part of the prompt repeats it."""
SHORTEST_REPEAT = 16
"""Width of a sentence from which on saying it twice is a loop; a Chinese character counts two."""
MOST_REPEATS = 3
"""Most repetitions of a shorter sentence in a reply."""
SHORTEST_LOOP = 40
"""Characters of the same few words over and over that end a reply within a sentence."""

_SENTENCE_END = re.compile(r"[。！？\n]|[.!?](?=\s|\Z)")
_LOOP = re.compile(r"(\w.{1,58}?)\1{5,}\Z", re.DOTALL)
_LOOP_WINDOW = 400
_WORD = re.compile(r"\w+")


def clean_reply(
    pieces: Generator[str, None, None],
    *,
    companion: str,
    person: str,
    echoes: Iterable[str],
    model: str,
) -> Generator[str, None, None]:
    """Pass a reply on without labels, an echo of the prompt's end, or a loop.

    ``echoes`` are the last parts of the prompt in their order. ``pieces`` are closed with the result.

    Raises:
        AnswerCut: after the last whole new sentence, where the reply began to repeat itself.
    """
    with closing(pieces):
        reply = without_loops(pieces, model)
        reply = without_labels(reply, companion=companion, person=person)
        for echo in echoes:
            reply = without_echo(reply, echo)
        yield from reply


def without_labels(
    pieces: Iterable[str], *, companion: str, person: str
) -> Generator[str, None, None]:
    """Pass the pieces on without a day, name and colon at the beginning of a line.

    A later line that begins with the person's name ends the reply.
    """
    names = [name for name in (companion, person, *ROLES) if name]
    label = re.compile(
        rf"\s*\**(?:\[[^\[\]\n]*\]\s*)?({'|'.join(map(re.escape, names))})\**\s*[:：]\**\s*"
    )
    buffer, at_start, has_begun = "", True, False
    for piece in pieces:
        buffer += piece
        while buffer:
            if at_start:
                found = label.match(buffer)
                if found.end() == len(buffer) if found else _may_become_label(buffer, names):
                    break
                if found and has_begun and found.group(1) in (person, "User", "用户"):
                    return
                buffer, at_start = buffer[found.end() :] if found else buffer, False
            line, mark, buffer = buffer.partition("\n")
            has_begun = has_begun or bool(line.strip())
            at_start = bool(mark)
            if line or mark:
                yield line + mark
    if buffer and not (has_begun and label.match(buffer)):
        yield buffer


def _may_become_label(buffer: str, names: Iterable[str]) -> bool:
    words = buffer.lstrip(" \n\t*")
    if words.startswith("["):
        inside, mark, words = words.partition("]")
        if not mark:
            return len(inside) <= LONGEST_DAY and "\n" not in inside
        words = words.lstrip(" *")
    bare = words.rstrip(" *")
    return not words or any(name.startswith(bare) for name in names)


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
    """Pass the pieces on until a sentence comes again, which raises AnswerCut.

    A sentence that begins as an earlier one did is held back until it differs.
    """
    said: dict[str, int] = {}
    sentence = buffer = tail = ""
    for piece in pieces:
        ends = dict.fromkeys([0, *(it.end() for it in _SENTENCE_END.finditer(piece)), len(piece)])
        for start, end in pairwise(ends):
            part = piece[start:end]
            sentence += part
            buffer += part
            tail = (tail + part)[-_LOOP_WINDOW:]
            if (loop := _LOOP.search(tail)) and len(loop.group()) >= SHORTEST_LOOP:
                raise AnswerCut("model_repeats", name=model)
            plain = " ".join(_WORD.findall(sentence)).casefold()
            if _SENTENCE_END.search(sentence):
                said[plain] = said.get(plain, 0) + 1 if plain else 0
                width = sum(2 if mark >= "\u2e80" else 1 for mark in plain)
                if said[plain] > (1 if width >= SHORTEST_REPEAT else MOST_REPEATS):
                    raise AnswerCut("model_repeats", name=model)
                yield buffer
                sentence = buffer = ""
            elif not plain or not any(
                len(it) >= SHORTEST_REPEAT // 2 and it.startswith(plain) for it in said
            ):
                yield buffer
                buffer = ""
    if buffer:
        yield buffer


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
    words = words[: min((at for it in options.stop if (at := words.find(it)) >= 0), default=None)]
    longest = options.max_tokens or len(words)
    fits = range(1, len(words) + 1)
    end = bisect_right(fits, longest, key=lambda length: estimate_tokens(words[:length]))
    if end:
        yield words[:end]
    if end < len(words):
        raise AnswerCut("model_cut", name=OFFLINE, longest=longest)
