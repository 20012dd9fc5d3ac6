"""Hash what the texts about all days are made from, without reading the days.

A night asks each time whether the texts about ten years still hold. The outlines of days say what
each day's texts are.
"""

from __future__ import annotations

from siliconfriend.memory.input_hash import inputs_hash
from siliconfriend.memory.lazy_days import outlines
from siliconfriend.memory.records import PersonMemory


def overall_history_inputs(memory: PersonMemory) -> str:
    """Hash what the overall history rests on: each day's summary, by date."""
    found = ((date, it.summary) for date, it in outlines(memory.days) if it.summary)
    return inputs_hash(part for it in found for part in it)


def overall_personality_inputs(memory: PersonMemory) -> str:
    """Hash what the overall personality rests on: each day's personality, by date."""
    found = ((date, it.personality) for date, it in outlines(memory.days) if it.personality)
    return inputs_hash(part for it in found for part in it)
