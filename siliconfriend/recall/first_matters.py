"""Find what the companion may mention first on a day: for a greeting, and at night for its words."""

from datetime import date

from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.due import DueMatter, due_range, find_anniversaries, find_due
from siliconfriend.recall.raised import said_first, was_spoken_of
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.silenced import silenced_names, speaks_of

MOST_MATTERS = 3
"""Maximum number of matters in one greeting."""


def first_matters(
    recaller: Recaller,
    scope: Scope,
    memory: PersonMemory,
    today: date,
    *,
    reminders_only: bool = False,
) -> tuple[DueMatter, ...]:
    """Find the matters of a day's greeting, the most urgent first; none if already greeted.

    What the person wished not to be mentioned is left out. ``reminders_only`` where the companion
    may not speak first of its own. Errors as of :meth:`Recaller.planned`.
    """
    names, memory = silenced_names(memory, ""), memory.recallable()
    if said_first(memory, today):
        return ()
    planned = recaller.planned(scope, *due_range(memory, today))
    due = [
        matter
        for matter in find_due(planned, memory, today)
        if matter.is_reminder or not reminders_only
    ]
    due += [
        matter
        for matter in (() if reminders_only else find_anniversaries(memory, today))
        if not was_spoken_of(matter.turn, memory, since=today)
    ]
    due = [matter for matter in due if not speaks_of(matter.words, names)]
    due.sort(key=lambda matter: matter.when not in ("today", "anniversary"))
    by_turn: dict[str, DueMatter] = {}
    for matter in due:
        by_turn.setdefault(matter.turn.id, matter)
    return tuple(by_turn.values())[:MOST_MATTERS]
