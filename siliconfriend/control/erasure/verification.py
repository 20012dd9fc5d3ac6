"""Verify an erasure: search every file of the data directory for what was erased, byte by byte.

"Deleted" is only worth something when it was looked for afterwards. The search reads the
files as they lie on disk, caches and backups with them, in every way our files write text,
and looks into packed files too. What other people said is theirs and is not read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.control.erasure.layers import layers
from siliconfriend.control.notes.markdown import escape_inline
from siliconfriend.language.sentences import split_at_marks
from siliconfriend.language.token_search import beginning_of, may_hold, searchable
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.folder import COMPANIONS
from siliconfriend.memory.jobs import FOLDER as JOBS

SHORTEST_SENTENCE = 4
"""Characters; what is shorter ("Hi!") says nothing of one memory."""

NOT_MEMORY = ("samples", "demo", JOBS)
"""Folders of a data directory that hold no memory of its own people: the sample people as
they come with the program, the demonstration, which has a data directory of its own, and the
intents of what is being erased, which hold ids alone."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of a search.

    Attributes:
        searched: how many files and tables were read.
        found_in: those in which something was still found, or which cannot be read; files
            relative to the home.
    """

    searched: int
    found_in: tuple[str, ...]


class ErasedWords:
    """The words to look for: whatever of ``gone`` nothing that stays has too.

    Args:
        gone: texts that must be nowhere any more.
        staying: every text that is still remembered. A sentence that stands in one of them
            too is no trace of what was erased.
    """

    def __init__(self, gone: Iterable[str], staying: Iterable[str]) -> None:
        gone, staying = list(gone), list(staying)
        kept = "\n".join(staying)
        self.sentences = {it for text in gone for it in _sentences(text) if it not in kept}
        long_rows = {row for it in gone if len(row := _row(it)) >= 2 * SHORTEST_SENTENCE}
        self._indexed = {row.encode() for row in long_rows - _rows_within(long_rows, staying)}
        self._said = {form for it in self.sentences for form in _forms(it)}
        self._in_wide = {form for it in self.sentences for form in _wide_forms(it)}

    def stand_in(self, content: bytes, *, may_be_indexed: bool = True) -> bool:
        """True if any of them stands in these bytes of a file.

        Args:
            content: of the file.
            may_be_indexed: the words may stand in it as the search index keeps them, "cat call",
                which the prose of others may hold without being a trace of them.
        """
        patterns = self._said | self._indexed if may_be_indexed else self._said
        if any(pattern in content for pattern in patterns | self._in_wide):
            return True
        # UTF-16 writes a zero beside each letter of Latin script.
        narrow = content.translate(None, b"\0") if b"\0" in content else b""
        return any(pattern in narrow for pattern in patterns) if narrow else False

    def are_said_in(self, text: str) -> bool:
        """True if any of the sentences stands in a text."""
        return any(sentence in text for sentence in self.sentences)


def verify_erased(
    gone: ErasedWords,
    home: Path,
    folder: Path | None,
    theirs: Collection[Path] = (),
    *,
    but: Callable[[Path], bool] = lambda _path: False,
    rows: Iterable[tuple[str, bytes]] = (),
) -> Proof:
    """Read every file of a data directory for the words, and what the store keeps elsewhere.

    Args:
        gone: what to look for.
        home: the data directory.
        folder: where the person's own memory lies; None where it is not in files.
        theirs: files that hold other people's words beside nothing of this person.
        but: says which files are not read.
        rows: what is kept in no file, with the names of its places.
    """
    searched, found_in = 0, []
    in_rows: dict[str, bool] = {}
    for place, data in rows:
        in_rows[place] = in_rows.get(place, False) or any(map(gone.stand_in, layers(data)))
    for path in files_of(home, folder):
        if but(path):
            continue
        try:
            content = contents(path)
        except OSError:
            found_in.append(str(path.relative_to(home)))  # nobody can say that it is not in it
            continue
        if content is None:
            continue
        searched += 1
        within = path.relative_to(home)
        may_be_indexed = within.parts[0] != COMPANIONS
        if path not in theirs and any(
            gone.stand_in(part, may_be_indexed=may_be_indexed) for part in content
        ):
            found_in.append(str(within))
    found_in += [place for place, is_found in in_rows.items() if is_found]
    return Proof(searched + len(in_rows), tuple(found_in))


def files_of(home: Path, folder: Path | None) -> Iterator[Path]:
    """The files of a data directory but those of other people's memory, sorted."""
    people = home / "people"
    for path in sorted(home.rglob("*")):
        if not path.is_file() or path.relative_to(home).parts[0] in NOT_MEMORY:
            continue
        if path.is_relative_to(people) and (folder is None or not _is_own(path, folder)):
            continue
        yield path


def _is_own(path: Path, folder: Path) -> bool:
    within = path.is_relative_to(folder)
    return within and path.relative_to(folder).parts[0] != "companions"


def contents(path: Path) -> list[bytes] | None:
    """The bytes of a file, and of all that is packed in it; None where it is gone meanwhile.

    Raises:
        OSError: it cannot be read, or is too large unpacked.
    """
    try:
        return list(layers(path.read_bytes()))
    except FileNotFoundError:
        return None


def _rows_within(rows: Collection[str], texts: Collection[str]) -> frozenset[str]:
    """Which of the rows stand in the row of any of the texts."""
    beginnings = {row: {beginning_of(token) for token in row.split()} for row in rows}
    # The longest is looked for first: few texts have it, and of the others nothing more is asked.
    rarest = {row: max(beginnings[row], key=len) for row in rows}
    found: set[str] = set()
    for text in texts if rows else ():
        looked_into = searchable(text)
        near = [
            row
            for row in rows
            if rarest[row] in looked_into
            and row not in found
            and may_hold(looked_into, beginnings[row])
        ]
        held = _row(text) if near else ""
        found.update(row for row in near if row in held)
    return frozenset(found)


def _row(text: str) -> str:
    """The text as the search index keeps it."""
    return " ".join(tokenize(text))


def _sentences(text: str) -> Iterator[str]:
    return (piece for piece in split_at_marks(text) if len(piece) >= SHORTEST_SENTENCE)


def _forms(text: str) -> Collection[bytes]:
    """The text as files hold it: plain, as JSON strings with and without escapes, as Markdown."""
    plain, escaped = json.dumps(text, ensure_ascii=False), json.dumps(text)
    forms = {text, plain[1:-1], escaped[1:-1], escape_inline(text)}
    return {form.encode("utf-8", "surrogatepass") for form in forms}


def _wide_forms(text: str) -> Collection[bytes]:
    """The forms in UTF-16 that are more than those in UTF-8 with zeros between."""
    plain = json.dumps(text, ensure_ascii=False)
    forms = {form for form in (text, plain[1:-1], escape_inline(text)) if not form.isascii()}
    return {
        form.encode(encoding, "surrogatepass")
        for form in forms
        for encoding in ("utf-16-le", "utf-16-be")
    }
