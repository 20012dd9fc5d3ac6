"""Answers a message that speaks of hurting or killing oneself: first of all where help is.

The words before the answer are made up by no model. The turn is kept and shown in lists, and
is never recalled, summed up or extracted, so that nobody is reminded of it by accident. A list
of patterns misses much: where a model answers, it judges too, by :data:`MARK`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass

from siliconfriend.config import Settings
from siliconfriend.prompts.escape import Escaped, escaped_text
from siliconfriend.texts import Language, text

MARK = "[HELP]"
"""What a model begins its answer with where it sees such words; ``prompts/*/chat.md`` asks for it."""


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
