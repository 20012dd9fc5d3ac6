"""What can be done with a memory, behind one button.

The button carries whose actions they are in its name, and each action a verb and an id; the
server looks the id up in the memory of whoever asks, so a made-up id reaches nothing.
``static/cards/action_menu.js`` opens it, by pointer and by keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from siliconfriend.control.listing import MemoryRow
from siliconfriend.memory.records import Turn
from siliconfriend.texts import Language

from ..words.labels import say
from ..words.markup import plain
from ..words.phrases import shortened, tell

NAMED = 40
"""Columns of a memory's words in the name of its button."""

_DOTS = (
    '<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="4" cy="10" r="1.8"/>'
    '<circle cx="10" cy="10" r="1.8"/><circle cx="16" cy="10" r="1.8"/></svg>'
)


def menu(acts: Iterable[str], identifier: str, words: str, language: Language) -> str:
    """Return a button that opens the actions of what has these words and this id.

    Args:
        acts: the verbs, in order.
        identifier: of what they act on.
        words: that name it to whoever cannot see where the button stands.
        language: of the labels.
    """
    about = shortened(" ".join(words.split()), NAMED)
    name = plain(tell("menu.name", language, words=about))
    return (
        '<div class="sf-menu"><button type="button" class="sf-menu-button" aria-haspopup="menu" '
        f'aria-expanded="false" aria-label="{name}">{_DOTS}</button>'
        f'<div role="menu" hidden>'
        f"{items(acts, identifier, language)}</div></div>"
    )


def items(acts: Iterable[str], identifier: str, language: Language) -> str:
    """Return the actions as items of a menu."""
    return "".join(
        f'<button type="button" role="menuitem" tabindex="-1" data-act="{verb}" '
        f'data-id="{plain(identifier)}">{plain(say(f"verbs.{verb}", language))}</button>'
        for verb in acts
    )


def verbs(row: MemoryRow) -> Iterator[str]:
    """Yield the actions that a memory offers."""
    yield "unpin" if row.memory.trace.pinned else "pin"
    yield "restore" if row.prospect.state == "archived" else "forget"
    if isinstance(row.memory, Turn) and row.memory.unkept:
        yield "rekeep"
    yield from ("edit", "erase")
