"""The section of a prompt that says what is due, as material for a model to ask about.

Beside what a message brings to mind: nobody who says "Good morning" names the exam of that day.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from siliconfriend.dialogue.excerpt import excerpt
from siliconfriend.dialogue.open_matters import DueMatter
from siliconfriend.memory.records import Turn
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.prompts.escape import Escaped, escaped_text, join
from siliconfriend.texts import Language

DUE_SHARE = 0.1
"""Most of the room for memories that goes to what is due."""

MOST_DUE = 3
"""Most matters in the section."""


def due_section(
    due: Sequence[DueMatter],
    language: Language,
    *,
    live: Collection[str],
    budget_tokens: int,
    said_first: Sequence[Turn] = (),
) -> tuple[Escaped, tuple[DueMatter, ...]]:
    """Write what is due, a line a matter, and which of it had room; then what was asked already.

    Args:
        due: the most urgent first.
        language: of the words around what was said.
        live: ids of the turns that stand in the prompt as the talk.
        budget_tokens: the room for everything remembered.
        said_first: what the companion spoke of today before it was asked, so that the person
            may be answering it.
    """
    entered, lines = list[DueMatter](), list[Escaped]()
    room = budget_tokens * DUE_SHARE
    for matter in [it for it in due if it.turn.id not in live][:MOST_DUE]:
        line = escaped_text(
            "dialogue",
            f"due.{matter.when}",
            language,
            day=matter.first.isoformat(),
            days=f"{matter.first.isoformat()}/{matter.last.isoformat()}",
            told=matter.turn.date,
            words=excerpt(matter.turn.query, frozenset()),
        )
        if estimate_tokens(join([*lines, line])) <= room:
            entered.append(matter)
            lines.append(line)
    for turn in said_first[:MOST_DUE]:
        words = excerpt(turn.query, frozenset())
        line = escaped_text("dialogue", "due.said_first", language, told=turn.date, words=words)
        if estimate_tokens(join([*lines, line])) <= room:
            lines.append(line)
    return join(lines), tuple(entered)
