"""Search every file of the data directory for erased words, byte by byte.

Own files are read as they lie on disk, caches with them; packed files are unpacked. Other
people's memories are not read.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.control.erasure.outside import contents, files_of, is_within, unpacked
from siliconfriend.control.notes import escape_inline
from siliconfriend.language.sentences import split_at_marks
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.words import beginning_of, may_hold, searchable
from siliconfriend.memory.scope import Scope

MIN_SENTENCE = 4
"""Characters; what is shorter ("Hi!") says nothing of one memory."""
COMPANIONS = "companions"


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of a search.

    Attributes:
        found_in: those in which something was still found, or which cannot be read; files
            relative to the home.
    """

    searched: int
    found_in: tuple[str, ...]

    @property
    def left(self) -> int:
        """Number of files in which something was still found; 0 is the proof."""
        return len(self.found_in)


class ErasedWords:
    """The words to look for: whatever of ``gone`` nothing that stays has too.

    Args:
        gone: texts that must be nowhere any more.
        staying: every text that is still remembered. A sentence that stands in one of them
            too is no trace of what was erased.
        deleted: memories that go whole, whose ids are looked for too.
    """

    def __init__(
        self, gone: Iterable[str], staying: Iterable[str], deleted: Iterable[Scope] = ()
    ) -> None:
        gone, staying = list(gone), list(staying)
        kept = "\n".join(staying)
        self.sentences = {it for text in gone for it in _sentences(text) if it not in kept}
        long_rows = {row for it in gone if len(row := _row(it)) >= 2 * MIN_SENTENCE}
        self._indexed = {row.encode() for row in long_rows - _rows_within(long_rows, staying)}
        self._said = {form for it in self.sentences for form in _forms(it)}
        self._ids = [f"-{scope.digest}".encode() for scope in deleted]

    def stand_in(self, content: bytes, name: Path = Path("people")) -> bool:
        """True if any of them stands in the bytes of a file, named relative to the data directory.

        A companion's story may hold the words as the search index keeps them, "cat call", and
        what a deleted person said among all else, without being a trace of them.
        """
        is_story = name.parts[0] == COMPANIONS
        patterns = [self._ids, *([] if is_story and self._ids else [self._said])]
        if not is_story:
            patterns.append(self._indexed)
        return any(pattern in content for several in patterns for pattern in several)


def search_files(
    home: Path, folder: Path | None, gone: ErasedWords, *, skip: Collection[Path] = ()
) -> Proof:
    """Read the files of a data directory, packed ones unpacked."""
    searched, found_in = 0, []
    for path in files_of(home, folder):
        if path in skip:
            continue
        searched, name = searched + 1, path.relative_to(home)
        try:
            parts = contents(path, is_own=folder is not None and is_within(path, folder))
            is_found = any(gone.stand_in(part, name) for part in parts)
        except OSError:
            is_found = True  # nobody can say that nothing is in it
        if is_found:
            found_in.append(str(name))
    return Proof(searched, tuple(found_in))


def search_rows(rows: Iterable[tuple[str, bytes]], gone: ErasedWords) -> Proof:
    """Read what a store keeps in tables, as pairs of a table and its bytes."""
    found: dict[str, bool] = {}
    for place, data in rows:
        found[place] = found.get(place, False) or any(map(gone.stand_in, unpacked(data)))
    return Proof(len(found), tuple(place for place, is_found in found.items() if is_found))


def _rows_within(rows: Collection[str], texts: Collection[str]) -> set[str]:
    """Return the rows that occur in the row of a text."""
    # The longest beginning is looked for first: few texts have it.
    beginnings = {
        row: sorted(map(beginning_of, row.split()), key=len, reverse=True) for row in rows
    }
    found: set[str] = set()
    for text in texts if rows else ():
        looked_into = searchable(text)
        near = [it for it in rows if it not in found and may_hold(looked_into, beginnings[it])]
        held = _row(text) if near else ""
        found.update(row for row in near if row in held)
    return found


def _row(text: str) -> str:
    """Return the text as the search index keeps it."""
    return " ".join(tokenize(text))


def _sentences(text: str) -> Iterator[str]:
    return (piece for piece in split_at_marks(text) if len(piece) >= MIN_SENTENCE)


def _forms(text: str) -> Collection[bytes]:
    """The text as files hold it: plain, as JSON strings with and without escapes, as Markdown."""
    plain, escaped = json.dumps(text, ensure_ascii=False), json.dumps(text)
    return {
        form.encode(encoding, "surrogatepass")
        for form in (text, plain[1:-1], escaped[1:-1], escape_inline(text))
        for encoding in ("utf-8", "utf-16-le", "utf-16-be")
    }
