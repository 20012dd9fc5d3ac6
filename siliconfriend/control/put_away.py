"""Update derived texts when their memories are put away or restored."""

from collections.abc import Collection, Iterator
from datetime import datetime

from siliconfriend.control.dependents import DerivedText, dependents_of
from siliconfriend.memory.changes import Change, PutDerived, PutTrace
from siliconfriend.memory.knowledge import BY_PERSON, Fact, Topic
from siliconfriend.memory.records import PersonMemory, is_put_away
from siliconfriend.memory.scope import parse_memory_id

UNTOUCHED_MAKERS = (BY_PERSON, "import")
"""Makers of portraits that are kept, because a night cannot rewrite them."""


def following_changes(
    memory: PersonMemory, ids: Collection[str], now: datetime
) -> Iterator[Change]:
    """Yield the changes to texts derived from ``ids``; ``memory`` has the new state of ``ids``.

    A fact or topic is put away when all its sources are; other records with the first source.
    Portraits have no state: they are removed, and the next night rewrites them.
    """
    states = dict[str, bool]()

    def is_away(identifier: str) -> bool:
        record = memory.find(identifier)
        return states.get(identifier, record is not None and is_put_away(record))

    for derived in dependents_of(memory, ids):
        if derived.id in ids:
            continue
        record = memory.find(derived.id)
        away = [is_away(source) for source in _sources(derived, memory)]
        if record is None:
            if any(away) and derived.provenance.made_by not in UNTOUCHED_MAKERS:
                yield derived.removal
            continue
        follows = bool(away) and (all if isinstance(record, Fact | Topic) else any)(away)
        states[derived.id] = follows or (is_put_away(record) and not record.trace.with_source)
        if follows and not is_put_away(record):
            yield PutTrace(record.id, record.trace.put_away_at(now, with_source=True))
        elif not follows and record.trace.with_source:
            yield PutTrace(record.id, record.trace.brought_back())
        elif any(away) and isinstance(derived.removal, PutDerived):
            yield derived.removal  # a topic, rebuilt without the pages that were put away


def _sources(derived: DerivedText, memory: PersonMemory) -> list[str]:
    """Return the ids of a text's sources; for an imported text, all memories of its day."""
    if derived.provenance.from_ids:
        return [
            identifier
            for identifier in derived.provenance.from_ids
            if memory.find(identifier) is not None
        ]
    place = parse_memory_id(derived.id)
    date = derived.id.removeprefix("personality-") if place is None else place.date
    day = memory.days.get(date)
    return [] if day is None else [turn.id for turn in day.turns]
