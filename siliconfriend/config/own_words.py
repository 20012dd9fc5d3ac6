"""The operator's own words, ``words.txt`` in the data directory: what Chinese is cut into.

The segmenter's dictionary has no 玻璃琴 and cuts it in two. A line that cannot be read is refused
with its number: a list read in part would cut texts otherwise than it says, and nobody would
know why.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import chinese_runs, fold
from siliconfriend.language.tokenizer import OwnWord

FILE_NAME = "words.txt"


def read_own_words(path: Path) -> tuple[OwnWord, ...]:
    """The words of a file that need not be there, in the form of jieba's own: word, count, kind.

    Only the word must be given. Empty lines and lines that begin with ``#`` are passed over.
    UTF-8, with or without a mark.

    Raises:
        ConfigurationError: a line is something else, or the file cannot be read.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError("words_unreadable", path=path) from error
    return tuple(_words(lines, path))


def _words(lines: list[str], path: Path) -> Iterator[OwnWord]:
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            word = _word(line)
            if word is None:
                raise ConfigurationError("words_line", path=path, number=number)
            yield word


def _word(line: str) -> OwnWord | None:
    """The word of a line; None where it is none."""
    word, *more = fold(line).split()
    count = int(more.pop(0)) if more and more[0].isdecimal() else None
    kind = more.pop(0) if more and more[0].isascii() and more[0].isalpha() else None
    if more or len(word) < 2 or chinese_runs(word) != [word]:
        return None
    return OwnWord(word, count, kind)
