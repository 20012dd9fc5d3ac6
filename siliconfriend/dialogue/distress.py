"""Answer a message about hurting or killing oneself, with help lines first.

No model writes that text. The turn is stored and listed, but never recalled, summed up or
extracted. Patterns miss much, so a model judges too, by :data:`MARK`; it is told so only beside a
message that may be meant (:func:`may_be_distress`), since a small model would refuse harmless ones.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from functools import lru_cache

from siliconfriend.config import Settings
from siliconfriend.errors import ModelError
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.texts import LANGUAGES, Language, area, text

MARK = "[HELP]"
"""Mark with which a model begins its answer to such words (``watch`` in ``distress.toml``)."""


def help_opening(settings: Settings, language: Language) -> str:
    """Return the text before the answer: whom one can call, by the settings or the program's own."""
    named = [line.strip() for line in (settings.help_lines or "").split(";")]
    lines = "\n".join(f"- {line}" for line in named if line)
    lines = lines or text("distress", "lines", language).strip("\n")
    return text("distress", "opening", language, lines=lines)


def may_be_distress(message: str, embedder: Embedder | None) -> bool:
    """Return True if a message lies nearer to words of distress than any everyday sentence does.

    Without an embedder the list alone judges; True where the embedder failed.
    """
    if embedder is None:
        return False
    try:
        towards, farthest = _direction(embedder)
        return float((embedder.queries([message]) @ towards)[0]) > farthest
    except ModelError:
        return True


@lru_cache(maxsize=1)
def _direction(embedder: Embedder) -> tuple[Vectors, float]:
    """Return the direction from everyday words to distress, and how far the former reach along it."""
    texts = [area("distress", language) for language in LANGUAGES]
    near, everyday = (
        embedder.queries([words for examples in texts for words in examples[key]])
        for key in ("near", "everyday")
    )
    towards = near.mean(axis=0) - everyday.mean(axis=0)
    return towards, float((everyday @ towards).max())


def replace_mark(pieces: Generator[str, None, None], words: str) -> Generator[str, None, None]:
    """Pass an answer on, with other words in the place of :data:`MARK` at its beginning."""
    with closing(pieces):
        begun = ""
        for piece in pieces:
            begun = (begun + piece).lstrip()
            after = begun.removeprefix(MARK).lstrip()
            if after if begun.startswith(MARK) else not MARK.startswith(begun):
                break
        if begun.startswith(MARK):
            begun = words + begun.removeprefix(MARK).lstrip()
        if begun:
            yield begun
        yield from pieces
