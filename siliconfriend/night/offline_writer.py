"""The writer that needs no model: a day's summary is what the person said, word by word."""

from __future__ import annotations

from siliconfriend.extraction.day_sentences import weightiest_sentences
from siliconfriend.extraction.extractor import Subject
from siliconfriend.language.sentences import join_sentences
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Day
from siliconfriend.texts import text


class OfflineWriter:
    """Writes from the person's own sentences, and no portraits."""

    made_by = OFFLINE

    def day_summary(self, subject: Subject, day: Day) -> str:
        """Return the weightiest sentences of the day in their order."""
        sentences = weightiest_sentences(day.turns)
        if sentences:
            return join_sentences(sentences)
        key = "looked_back" if day.turns else "nothing"
        return text("night", f"offline.{key}", subject.language, person=subject.person)
