"""The table of associated words, for word expansion.

The base table is general; the operator's own file replaces it.
"""

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
"""The operator's own table in the data directory."""

HIGHEST = 9  # levels go from 1, which hardly comes to mind, to this

AssociatedWord = tuple[str, int]
"""A word that comes to mind, and its level."""

TableEntry = tuple[str, str, int]
"""A word, the word that comes to mind with it, and the level."""


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
    """Words with the words they bring to mind; immutable.

    Of ``entries`` with the same two words the highest level counts; without any it is the base table.
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
        self._phrases: dict[str, list[str]] = {}
        for form in self._of:
            tokens = tokenize(form)
            if len(tokens) > 1:
                self._phrases.setdefault(tokens[0], []).append(form)

    def of(self, word: str) -> tuple[AssociatedWord, ...]:
        """Look up what a word brings to mind, the highest level first; equals as they were given.

        English words are found in any of their forms: "cats" has what "cat" has.
        """
        form = _form(word)
        return base_associations(form) if self._is_base else self._of.get(form, ())

    def phrases_in(self, text: str, tokens: Sequence[str]) -> list[str]:
        """Find the entries of several words that occur in a text, in its order.

        Args:
            text: where to look.
            tokens: the text as :func:`~siliconfriend.language.tokenizer.tokenize` cuts it.
        """
        folded, sequence = fold(text), f" {' '.join(tokens)} "
        return [
            phrase
            for token in dict.fromkeys(tokens)
            for phrase in self._phrases.get(token, ())
            if phrase in folded or f" {' '.join(tokenize(phrase))} " in sequence
        ]


BASE_TABLE = AssociationTable()


def _form(word: str) -> str:
    """Return the key of a word: its token, or the whole word if it has several."""
    pairs = token_pairs(word)
    return pairs[0][1] if len(pairs) == 1 else fold(word).strip()


def table_in(home: Path | None) -> AssociationTable:
    """Return the operator's table in a data directory, else the base table.

    Raises:
        ConfigurationError: the operator's file cannot be read.
    """
    return operator_table(home and home / FILE_NAME) or BASE_TABLE


def operator_table(path: Path | None) -> AssociationTable | None:
    """Return the operator's table as the file is now, None where there is no file.

    Raises:
        ConfigurationError: it cannot be read.
    """
    if path is None:
        return None
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigurationError("associations_unreadable", path=path) from error
    return _read_once(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read_once(path: Path, _modified: int, _size: int) -> AssociationTable:
    return read_table(path)


def read_table(path: Path) -> AssociationTable:
    """Read a table from a file: a word, an associated word and a level 1 to 9 a line, tabs between.

    Empty lines and lines that begin with ``#`` are passed over. UTF-8, with or without a mark.

    Raises:
        ConfigurationError: a line is something else, or the file cannot be read.
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
