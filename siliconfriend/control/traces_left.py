"""Looking for what was erased: every file of the data directory, byte by byte.

"Deleted" is only worth something when it was looked for afterwards. The search reads the
files as they lie on disk, caches and backups with them, in every way our files write text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.memory.records import PersonMemory, Turn

SHORTEST_SENTENCE = 4
"""Characters; what is shorter ("Hi!") says nothing of one memory."""

_SENTENCE_END = re.compile(r"(?<=[.!?。！？…])\s*|\n+")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of a search.

    Attributes:
        searched: how many files were read.
        found_in: the files in which something was still found, relative to the home.
    """

    searched: int
    found_in: tuple[str, ...]


def distinctive_words(turns: Iterable[Turn], memory: PersonMemory) -> frozenset[str]:
    """Words that these turns introduced: said by no turn before the first of them.

    Case folded, of four letters or more, or of two Chinese characters or more.
    """
    erased = sorted(turns, key=lambda turn: (turn.date, turn.position))
    if not erased:
        return frozenset()
    first = (erased[0].date, erased[0].position)
    before: set[str] = set()
    for turn in memory.turns():
        if (turn.date, turn.position) >= first:
            break
        before |= _words(turn)
    return frozenset(set().union(*(_words(turn) for turn in erased)) - before)


def search(gone: Iterable[str], kept: Iterable[str], home: Path) -> Proof:
    """Read every file under ``home`` for any sentence of ``gone`` that ``kept`` has not.

    A sentence that was also said in a turn which stays is no trace of the erased one.
    """
    staying = "\n".join(kept)
    needles = {it for text in gone for it in _sentences(text) if it not in staying}
    patterns = [form for needle in needles for form in _forms(needle)]
    searched, found_in = 0, []
    for path in sorted(home.rglob("*")):
        if not path.is_file():
            continue
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            continue
        searched += 1
        if any(pattern in content for pattern in patterns):
            found_in.append(str(path.relative_to(home)))
    return Proof(searched, tuple(found_in))


def _words(turn: Turn) -> set[str]:
    words = _WORD.findall(f"{turn.query}\n{turn.response}".casefold())
    return {word for word in words if len(word) >= (4 if word.isascii() else 2)}


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        if len(sentence.strip()) >= SHORTEST_SENTENCE:
            yield sentence.strip()


def _forms(text: str) -> Collection[bytes]:
    """The text as files hold it: plain, and as JSON strings with and without escapes."""
    plain, escaped = json.dumps(text, ensure_ascii=False), json.dumps(text)
    return {text.encode(), plain[1:-1].encode(), escaped[1:-1].encode()}
