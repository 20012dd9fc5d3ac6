"""Associated words: which words come to mind with a word, in tables that anybody can replace."""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import fold
from siliconfriend.language.tokenizer import stem, token_pairs, tokenize

FILE = "base_associations.tsv.xz"

Associated = tuple[str, int]
"""A word that comes to mind, and its level."""


def base_associations(token: str) -> tuple[Associated, ...]:
    """Look up what a word brings to mind for anybody, by its token; the highest level first."""
    entries = _base()[0].get(token, "").split("\t")
    return tuple((entry[:-1], int(entry[-1])) for entry in entries if entry)


def is_everyday_word(word: str) -> bool:
    """True for an everyday English word in lower case."""
    return word in _base()[1]


@cache
def _base() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Load the lines by token, unparsed, and the tokens of English words."""
    packed = (resources.files("siliconfriend.recall") / FILE).read_bytes()
    text = lzma.decompress(packed).decode("utf-8")
    words = [line.partition("\t") for line in text.splitlines() if not line.startswith("#")]
    english = {word: stem(word) for word, _, _ in words if word.isascii()}
    return {english.get(word, word): others for word, _, others in words}, english


FILE_NAME = "associations.tsv"
"""The operator's own table in the data directory; it replaces every person's."""

HIGHEST = 9
"""Levels go from 1, which hardly comes to mind, to this."""

Entry = tuple[str, str, int]
"""A word, the word that comes to mind with it, and the level."""


class AssociationTable:
    """Words with the words they bring to mind; immutable.

    Args:
        entries: of entries with the same two words the highest level counts.
        with_base: words also bring to mind what they do for anybody.
    """

    def __init__(self, entries: Iterable[Entry] = (), *, with_base: bool = False) -> None:
        self._has_base = with_base
        found: dict[str, dict[str, int]] = {}
        for word, other, level in entries:
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

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def of(self, word: str) -> tuple[Associated, ...]:
        """Look up what a word brings to mind, the highest level first; equals as they were given.

        English words are found in any of their forms: "cats" has what "cat" has.
        """
        form = _form(word)
        own = self._of.get(form, ())
        if not self._has_base:
            return own
        known = {other for other, _ in own}
        base = [entry for entry in base_associations(form) if entry[0] not in known]
        return tuple(sorted([*own, *base], key=lambda entry: -entry[1]))

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


BASE_TABLE = AssociationTable(with_base=True)
"""Table of an empty memory."""


def read_table(path: Path) -> AssociationTable:
    """The table of a file: a word, an associated word and a level 1 to 9 a line, tabs between.

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


def _entry(line: str, number: int, path: Path) -> Entry:
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) != 3 or not parts[0] or not parts[1] or parts[2] not in _LEVELS:
        raise ConfigurationError("associations_line", path=path, number=number)
    return parts[0], parts[1], int(parts[2])


_LEVELS = frozenset(str(level) for level in range(1, HIGHEST + 1))


def _form(word: str) -> str:
    """Return the key of a word: its token, or the whole word if it has several."""
    pairs = token_pairs(word)
    return pairs[0][1] if len(pairs) == 1 else fold(word).strip()
