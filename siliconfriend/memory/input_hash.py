"""Hash the inputs of a derived text: one hash for "what was this made from", used by whoever makes or brings a derived text.

A text is due again when the hash of its inputs is no longer the one it carries. If the
night and the import each had their own way to hash, every imported summary would look
out of date and be written over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from siliconfriend.memory.records import Day, Turn


def inputs_hash(parts: Iterable[str]) -> str:
    """SHA-256 (64 hex digits) of a row of texts; ``["ab"]`` and ``["a", "b"]`` differ."""
    written = [part.encode("utf-8", "replace") for part in parts]
    row = b"".join([b"%d:%b" % (len(words), words) for words in written])
    return hashlib.sha256(row).hexdigest()


def day_inputs(day: Day) -> str:
    """Hash what a day's summary and personality rest on: the ids and words of its kept turns.

    A turn counts whatever its state: fading and archiving do not make a day's texts due. One
    that is not to be remembered counts for nothing.
    """
    turns = [turn for turn in day.turns if not turn.is_left_alone]
    return inputs_hash(part for turn in turns for part in (turn.id, turn.query, turn.response))


def reflection_inputs(turns: Iterable[Turn]) -> str:
    """Hash what a reflection is about: the days of the last memories and what the person said."""
    return inputs_hash(part for turn in turns for part in (turn.date, turn.query))


def text_mark(text: str) -> str:
    """Return a short hash of a text of a day, for what is made of the texts of all days."""
    return inputs_hash([text])[:32]
