"""The section of a prompt that says what is due, as material for a model to ask about.

Beside what a message brings to mind: nobody who says "Good morning" names the exam of that day.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from siliconfriend.dialogue.excerpt import excerpt
from siliconfriend.dialogue.open_matters import DueMatter
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.prompts.escape import Escaped, escaped_text, join
from siliconfriend.texts import Language

DUE_SHARE = 0.1
"""Most of the room for memories that goes to what is due."""

MOST_DUE = 3
"""Most matters in the section."""


def due_section(
    due: Sequence[DueMatter], language: Language, *, live: Collection[str], budget_tokens: int
) -> tuple[Escaped, tuple[DueMatter, ...]]:
    """Write what is due, a line a matter, and which of it had room.

    Args:
        due: the most urgent first.
        language: of the words around what was said.
        live: ids of the turns that stand in the prompt as the talk.
        budget_tokens: the room for everything remembered.
    """
    entered, lines = list[DueMatter](), list[Escaped]()
    for matter in [it for it in due if it.turn.id not in live][:MOST_DUE]:
        line = escaped_text(
            "dialogue",
            f"due.{matter.when}",
            language,
            day=matter.first.isoformat(),
            told=matter.turn.date,
            words=excerpt(matter.turn.query, frozenset()),
        )
        if estimate_tokens(join([*lines, line])) <= budget_tokens * DUE_SHARE:
            entered.append(matter)
            lines.append(line)
    return join(lines), tuple(entered)
