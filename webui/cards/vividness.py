"""How vivid a memory is, for the eye and in words, and what becomes of it.

The card gets its retention as a number for the style sheet, which lets it fade; the same stands
beside it in words, for whoever cannot see how pale something is.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from siliconfriend.control.listing import MemoryRow
from siliconfriend.dialogue.humanize import humanize_day
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Turn
from siliconfriend.memory.used import Used
from siliconfriend.texts import Language

from ..words.labels import say
from ..words.markup import plain
from ..words.phrases import tell


def retention_style(row: MemoryRow) -> str:
    """Return the attribute that says how much is left; vivid where the policy has no curve."""
    kept = row.prospect.retention
    if row.prospect.state == "archived":
        kept = 0.0 if kept is None else min(kept, 0.1)
    elif row.memory.trace.pinned or kept is None:
        kept = 1.0
    return f'style="--sf-retention:{kept:.2f}"'


def vividness(row: MemoryRow, language: Language) -> str:
    """Return HTML of state and retention; of the strength where the policy has no curve."""
    outlook = row.prospect
    state = say(f"states.{outlook.state}", language)
    if outlook.retention is None:
        strength = say("strength", language, value=outlook.strength)
        return f"<span>{plain(state)}</span><span>{plain(strength)}</span>"
    if outlook.state == "archived":
        return f"<span>{plain(state)}</span>"
    kept = round(100 * outlook.retention)
    told = tell("vividness", language, state=state, kept=kept)
    return (
        f'<span class="sf-bar" aria-hidden="true"><i style="width:{kept}%"></i></span>'
        f"<span>{plain(told)}</span>"
    )


def vivid_then(row: MemoryRow, used: Used | None, language: Language) -> str:
    """Return HTML of how vivid it was when a reply recalled it, where that strengthened it since."""
    now = row.prospect.retention
    if used is None or used.retention is None or now is None:
        return ""
    kept = round(100 * used.retention)
    if kept >= round(100 * now):
        return ""
    return f"<span>{plain(say('vivid_then', language, kept=kept))}</span>"


def fates(row: MemoryRow, today: date, language: Language) -> Iterator[str]:
    """Yield what becomes of a memory, in words: pinned, dimming, archived, no longer so."""
    memory, outlook = row.memory, row.prospect
    if isinstance(memory, Turn) and memory.unkept:
        yield say("fate_unkept", language)
    elif memory.trace.pinned:
        yield say("fate_pinned", language)
    elif outlook.state == "archived" and outlook.archived_on:
        yield say("fate_archived", language, day=_day(outlook.archived_on, today, language))
    elif outlook.state == "vivid" and outlook.dims_on:
        yield say("fate_dims", language, day=_day(outlook.dims_on, today, language))
    if isinstance(memory, Fact) and memory.superseded_by:
        yield tell("no_longer", language)
    if row.brought_on is not None:
        # An old day alone does not say why it is vivid.
        yield say("brought", language, day=_day(row.brought_on, today, language))


def _day(day: date, today: date, language: Language) -> str:
    return humanize_day(day, today, language, alone=True)
