"""Macros of character cards (``{{user}}``, ``<BOT>``), filled each time a text is used.

Were they filled at the import, a companion would call everybody by the name of the first
person, and an export would give a card that only that person can use. Nothing is run: of a
macro for chance the first choice is taken, and one that reads or sets a state of another
program leaves nothing behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from siliconfriend.texts import Language, text

_MACRO = re.compile(
    r"\{\{\s*(?P<name>//|[A-Za-z_]\w*)(?P<rest>[^{}]*)\}\}|<(?P<tag>user|bot|char|start)>",
    re.IGNORECASE,
)
_PERSON, _COMPANION = frozenset({"user"}), frozenset({"char", "bot", "charname"})
_CHOICES = frozenset({"random", "pick"})
_SILENT = frozenset({"//", "comment", "hidden_key", "noop", "trim", "original"})
_KNOWN = _PERSON | _COMPANION | _CHOICES | _SILENT | {"newline", "start"}
_DEEPEST = 4
"""Macros in one another that are filled; deeper ones stay as they are."""


def fill_macros(
    words: str, *, companion: str, language: Language, person: str | None = None
) -> str:
    """The words with names in the place of their macros.

    Args:
        words: as somebody wrote them.
        companion: what the companion calls itself.
        language: of the sentence that begins an example talk.
        person: whom it talks with; None leaves ``{{user}}`` for later.
    """
    example = text("lore", "example_talk", language)

    def filled(macro: re.Match[str]) -> str:
        name = (macro["name"] or macro["tag"]).lower()
        if name in _PERSON:
            return macro[0] if person is None else person
        if name in _COMPANION:
            return companion
        if name in _CHOICES:
            return _first_choice(macro["rest"])
        return {"newline": "\n", "start": example}.get(name, "")

    for _ in range(_DEEPEST):
        before, words = words, _MACRO.sub(filled, words)
        if words == before:
            break
    return words


def unfilled_macros(words: Iterable[str]) -> list[str]:
    """The names of macros in some texts that nothing is put in for, sorted."""
    names = {
        found["name"].lower() for it in words for found in _MACRO.finditer(it) if found["name"]
    }
    return sorted(names - _KNOWN)


def _first_choice(rest: str) -> str:
    """The first of ``::A::B`` or ``:A,B``; a comma after a backslash belongs to the words."""
    if rest.startswith("::"):
        return rest[2:].split("::")[0].strip()
    return re.split(r"(?<!\\),", rest.removeprefix(":"))[0].replace("\\,", ",").strip()
