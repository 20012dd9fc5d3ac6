"""No event beside the turns it was made from: a place in a recall is for something new.

Offline an event is a run of turns and nothing else; left in, each thing that was said would
take two of the few places, and what was said only once would have none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.documents import OFFLINE


def drop_repeated_events(ranked: Sequence[Memory], top: int) -> list[Memory]:
    """The first ``top`` of what is ranked, without events that say nothing their turns do not.

    An event goes where all of its turns are among those found; one made offline, which holds
    their words alone, where any of them is.
    """
    found = list(ranked[:top])
    while True:
        shown = {it.id for it in found if isinstance(it, Turn)}
        kept = [it for it in ranked if not _repeats(it, shown)][:top]
        if len(kept) == len(found) and all(a is b for a, b in zip(kept, found, strict=True)):
            return kept
        found = kept


def _repeats(memory: Memory, shown: Collection[str]) -> bool:
    if not isinstance(memory, Event) or not memory.provenance.from_ids:
        return False
    told = [it in shown for it in memory.provenance.from_ids]
    return any(told) if memory.provenance.made_by == OFFLINE else all(told)
