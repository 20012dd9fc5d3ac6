"""The operator's own words, ``words.txt`` in the data directory: what Chinese is cut into."""

from __future__ import annotations

from pathlib import Path

from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import chinese_runs, fold
from siliconfriend.language.tokenizer import OwnWord

FILE_NAME = "words.txt"


def read_own_words(path: Path) -> tuple[OwnWord, ...]:
    """The words of a file that need not be there, in the form of jieba's own: word, count, kind.

    Raises:
        ConfigurationError: a line is something else, or the file cannot be read.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError("words_unreadable", path=path) from error
    words = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            if (word := _word(line)) is None:
                raise ConfigurationError("words_line", path=path, number=number)
            words.append(word)
    return tuple(words)


def _word(line: str) -> OwnWord | None:
    word, *more = fold(line).split()
    count = int(more.pop(0)) if more and more[0].isdecimal() else None
    kind = more.pop(0) if more and more[0].isascii() and more[0].isalpha() else None
    if more or len(word) < 2 or chinese_runs(word) != [word]:
        return None
    return OwnWord(word, count, kind)
