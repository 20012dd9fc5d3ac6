"""The table of associated words for word expansion: the built-in one, or the operator's file."""

import lzma
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import fold
from siliconfriend.language.tokenizer import stem, token_pairs, tokenize

BASE_FILE = "base_associations.tsv.xz"
FILE_NAME = "associations.tsv"
"""The operator's table in the data directory."""

HIGHEST = 9  # levels go from 1 (weak) to this

AssociatedWord = tuple[str, int]
"""An associated word and its level."""

TableEntry = tuple[str, str, int]
"""A word, an associated word, and its level."""


def base_associations(token: str) -> tuple[AssociatedWord, ...]:
    """Look up a token's associated words in the base table, highest level first."""
    entries = _base().get(token, "").split("\t")
    return tuple((entry[:-1], int(entry[-1])) for entry in entries if entry)


@cache
def _base() -> Mapping[str, str]:
    packed = (resources.files("siliconfriend.seeds") / BASE_FILE).read_bytes()
    text = lzma.decompress(packed).decode("utf-8")
    words = [line.partition("\t") for line in text.splitlines() if not line.startswith("#")]
    return {stem(word) if word.isascii() else word: others for word, _, others in words}


class AssociationTable:
    """Words with the words they bring to mind; immutable; without ``entries`` the base table.

    Duplicate entries keep the highest level.
    """

    def __init__(self, entries: Iterable[TableEntry] | None = None) -> None:
        self._is_base = entries is None
        found: dict[str, dict[str, int]] = {}
        for word, other, level in entries or ():
            there = found.setdefault(_form(word), {})
            folded = fold(other).strip()
            there[folded] = max(level, there.get(folded, 0))
        self._of = {
            form: tuple(sorted(others.items(), key=lambda entry: -entry[1]))
            for form, others in found.items()
        }
        self._phrases = {form: tokens for form in found if len(tokens := tokenize(form)) > 1}

    def of(self, word: str) -> tuple[AssociatedWord, ...]:
        """Look up a word in any of its forms; return its associated words, highest level first."""
        form = _form(word)
        return base_associations(form) if self._is_base else self._of.get(form, ())

    def phrases_in(self, text: str, tokens: Sequence[str]) -> list[str]:
        """Find the entries of several words in a text, which has these tokens."""
        folded, sequence = fold(text), f" {' '.join(tokens)} "
        return [
            phrase
            for phrase, words in self._phrases.items()
            if phrase in folded or f" {' '.join(words)} " in sequence
        ]


BASE_TABLE = AssociationTable()


def _form(word: str) -> str:
    """Return the key of a word: its token, or the whole word if it has several."""
    pairs = token_pairs(word)
    return pairs[0][1] if len(pairs) == 1 else fold(word).strip()


def table_in(home: Path | None) -> AssociationTable:
    """Return the operator's table in a data directory, as it is now, or the base table.

    Raises:
        ConfigurationError: the operator's file cannot be read.
    """
    if home is None:
        return BASE_TABLE
    path = home / FILE_NAME
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return BASE_TABLE
    except OSError as error:
        raise ConfigurationError("associations_unreadable", path=path) from error
    return _read_once(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read_once(path: Path, _modified: int, _size: int) -> AssociationTable:
    return read_table(path)


def read_table(path: Path) -> AssociationTable:
    """Read a table from UTF-8 lines of a word, an associated word and a level 1 to 9, tab-separated.

    Empty lines and lines that begin with ``#`` are ignored.

    Raises:
        ConfigurationError: a line has another form, or the file cannot be read.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError("associations_unreadable", path=path) from error
    return AssociationTable(
        _entry(line, number, path)
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.startswith("#")
    )


def _entry(line: str, number: int, path: Path) -> TableEntry:
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) != 3 or not parts[0] or not parts[1] or parts[2] not in _LEVELS:
        raise ConfigurationError("associations_line", path=path, number=number)
    return parts[0], parts[1], int(parts[2])


_LEVELS = frozenset(str(level) for level in range(1, HIGHEST + 1))
