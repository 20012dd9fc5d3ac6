"""Answers a message that speaks of hurting or killing oneself: first of all where help is.

The words before the answer are made up by no model. The turn is kept and shown in lists, and
is never recalled, summed up or extracted, so that nobody is reminded of it by accident. A list
of patterns misses much: where a model answers, it judges too, by :data:`MARK`. It is told so only
beside a message that may be meant (:func:`may_be_distress`), since a small model that reads of it
in every prompt refuses what is harmless.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from siliconfriend.config import Settings
from siliconfriend.errors import ModelError
from siliconfriend.prompts.escape import Escaped, escaped_text
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.texts import LANGUAGES, Language, area, text

MARK = "[HELP]"
"""What a model begins its answer with where it sees such words; ``watch`` in ``distress.toml`` asks for it."""


@dataclass(frozen=True, slots=True)
class Help:
    """Where help is, in the words of a language.

    Attributes:
        language: the person's.
        lines: whom one can call, a line each; empty for those that come with the program.
    """

    language: Language
    lines: str = ""

    @classmethod
    def of(cls, settings: Settings, language: Language) -> Help:
        """The help lines that the settings name, with semicolons between them."""
        named = [line.strip() for line in (settings.help_lines or "").split(";")]
        return cls(language, "\n".join(f"- {line}" for line in named if line))

    @property
    def opening(self) -> str:
        """What stands before the answer."""
        lines = self.lines or text("distress", "lines", self.language).strip("\n")
        return text("distress", "opening", self.language, lines=lines)

    def instructions(self, person: str) -> Escaped:
        """How a model is to go on after it."""
        return escaped_text("distress", "instruction", self.language, person=person)


def may_be_distress(message: str, embedder: Embedder | None) -> bool:
    """Return True if a message is nearer in meaning to words of distress than half of everyday words.

    Measured on 400 messages of the lives and 21 that hint at it without a pattern: 5 of 100 and
    18 of 21. Without an embedder the list alone judges; True where the embedder failed.
    """
    if embedder is None:
        return False
    try:
        near, usual = _examples(embedder)
        return bool((embedder.queries([message]) @ near.T).max() >= usual)
    except ModelError:
        return True


@lru_cache(maxsize=1)
def _examples(embedder: Embedder) -> tuple[Vectors, float]:
    """The vectors of words of distress, and how near to one of them everyday words usually are."""
    near, everyday = (
        embedder.queries(
            [words for language in LANGUAGES for words in area("distress", language)[key]]
        )
        for key in ("near", "everyday")
    )
    return near, float(np.median((everyday @ near.T).max(axis=1)))


def replace_mark(pieces: Iterable[str], words: str) -> Generator[str, None, None]:
    """Pass an answer on, with other words in the place of :data:`MARK` at its beginning.

    Args:
        pieces: of the answer; closed with the result.
        words: what stands there instead.
    """
    with closing(_generator(pieces)) as stream:
        begun = ""
        for piece in stream:
            begun += piece
            if _is_decided(begun):
                break
        if begun.lstrip().startswith(MARK):
            begun = words + begun.lstrip().removeprefix(MARK).lstrip()
        if begun:
            yield begun
        yield from stream


def _is_decided(begun: str) -> bool:
    """True once it is known whether an answer begins with the mark, and with what after it."""
    start = begun.lstrip()
    if start.startswith(MARK):
        return bool(start.removeprefix(MARK).strip())
    return not MARK.startswith(start)


def _generator(pieces: Iterable[str]) -> Generator[str, None, None]:
    """The pieces as a generator, which closes what gives them when it is closed."""
    yield from pieces
