"""Compare the days of memories, and hash the inputs of derived texts.

A derived text is due when the hash of its inputs differs from the stored hash.
"""

import hashlib
from collections.abc import Iterable, Mapping

from siliconfriend.memory.records import (
    Asked,
    Day,
    DayPersonality,
    DaySummary,
    PersonMemory,
    Turn,
)

OVERALL = {"overall_history": "summary", "overall_personality": "personality"}
"""The texts about all days, each with the day texts that are its inputs."""


def inputs_hash(parts: Iterable[str]) -> str:
    """Return the SHA-256 (hex) of a list of texts; ``["ab"]`` and ``["a", "b"]`` differ."""
    written = [part.encode("utf-8", "replace") for part in parts]
    row = b"".join([b"%d:%b" % (len(words), words) for words in written])
    return hashlib.sha256(row).hexdigest()


def day_inputs(day: Day) -> str:
    """Hash the inputs of a day's summary and personality: ids and words of its turns.

    Fading and archiving do not change the hash. Quiet turns are excluded.
    """
    turns = [turn for turn in day.turns if not turn.is_quiet]
    return inputs_hash(part for turn in turns for part in (turn.id, turn.query, turn.response))


def reflection_inputs(turns: Iterable[Turn]) -> str:
    """Hash the inputs of a reflection: days of the turns and the person's words."""
    return inputs_hash(part for turn in turns for part in (turn.date, turn.query))


def input_of(day: Day, name: str) -> DaySummary | DayPersonality | None:
    """Return the text of a day that is an input of a text of :data:`OVERALL`.

    None while the summary of the day is unchecked.
    """
    if day.summary is not None and not day.summary.checked:
        return None
    return day.summary if OVERALL[name] == "summary" else day.personality


def overall_inputs(memory: PersonMemory, name: str) -> str:
    """Hash the inputs of a text of :data:`OVERALL`: the day texts by date."""
    texts = ((date, input_of(day, name)) for date, day in memory.days.items())
    return inputs_hash(part for date, made in texts if made for part in (date, made.text))


def standing_wishes(memory: PersonMemory) -> list[tuple[Asked, Turn]]:
    """Return the wishes about how to talk that still hold, with their turns, oldest first."""
    turns = (turn for day in memory.days.values() if day.has_wishes for turn in day.turns)
    held = (
        turn for turn in turns if turn.trace.is_active and not (turn.unkept or turn.outdated_by)
    )
    return [(turn.asked, turn) for turn in held if turn.asked and turn.asked.stands]


def changed_dates(before: Mapping[str, Day], after: Mapping[str, Day]) -> list[str]:
    """Return the dates whose day is new or has changed: memories share unchanged days."""
    if before is after:
        return []
    return [date for date, day in after.items() if before.get(date) is not day]
