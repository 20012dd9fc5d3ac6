"""How a memory is told to a model: who said what, when, and how sure it still is.

All words of a prompt that come from memory are put together here, so that nothing enters
one without its day, its speaker and the mark of a dim memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Insight, Memory, Turn
from siliconfriend.prompts.escape import (
    Escaped,
    escape,
    escape_line,
    escaped_text,
    join,
    speaker_line,
)
from siliconfriend.recall.results import Recalled
from siliconfriend.recall.time_formatting import annotate_dates, format_time
from siliconfriend.texts import Language, text


@dataclass(frozen=True, slots=True)
class MemoryFormatter:
    """Tells memories of one person in one language.

    Attributes:
        person, companion: their names.
        language: of the words around.
        now: the moment of telling, aware.
        zone: the person's.
    """

    person: str
    companion: str
    language: Language
    now: datetime
    zone: ZoneInfo

    def by_date(self, recalled: Sequence[Recalled]) -> Escaped:
        """The memories under their days, both in order."""
        in_order = sorted(recalled, key=lambda it: (it.memory.date, _place(it.memory)))
        blocks = []
        for day, found in groupby(in_order, key=lambda it: it.memory.date):
            heading = Escaped(text("recall", "heading", self.language, date=day))
            blocks.append(join([heading, *(self.entry(it) for it in found)]))
        return join(blocks, "\n\n")

    def entry(self, recalled: Recalled) -> Escaped:
        """One memory, with its time as coarse as its age and a mark where it is dim."""
        memory = recalled.memory
        marks = [] if recalled.state == "vivid" else [text("recall", "dim", self.language)]
        day = date.fromisoformat(memory.date)
        if isinstance(memory, Turn):
            said = [(self.person, memory.query), (self.companion, memory.response)]
            lines = [self._said(name, words, day) for name, words in said if words.strip()]
            head = self._when(day, memory.time) if memory.time is not None else ""
        else:
            words = annotate_dates(memory.text.strip(), day, self.language)
            lines = [escape(words, (self.person, self.companion))]
            key = "insight" if isinstance(memory, Insight) else "summary"
            head = text("recall", key, self.language, companion=self.companion)
        label = " ".join([it for it in (head, *marks) if it])
        first = [escaped_text("recall", "label", self.language, label=label)] if label else []
        return join([*first, *lines])

    def event(self, event: Event, *, dim: bool = False) -> Escaped:
        """An event on a line: when and where it was, and what happened."""
        day = date.fromisoformat(event.date)
        when = self._when(day, event.time)
        head = text("recall", "at", self.language, when=when, place=event.place)
        words = annotate_dates(event.text.strip(), day, self.language)
        return self._line(words, head if event.place else when, dim=dim)

    def fact(self, fact: Fact, *, dim: bool = False) -> Escaped:
        """A fact on a line: what something is like without a date, all else with its day."""
        head = "" if fact.aspect == "attribute" else fact.first or fact.date
        return self._line(fact.text.strip(), head, dim=dim)

    def undated(self, memory: Memory) -> Escaped:
        """A fact or an event of the companion's own story, which belongs to no calendar."""
        words = memory.query if isinstance(memory, Turn) else memory.text.strip()
        head = memory.place if isinstance(memory, Event) else ""
        if isinstance(memory, Fact) and memory.entity not in words:
            head = memory.entity
        return self._line(words, head, dim=False)

    def _line(self, words: str, head: str, *, dim: bool) -> Escaped:
        if dim:
            mark = text("recall", "dim", self.language)
            words = f"{words} {text('recall', 'label', self.language, label=mark)}"
        if not head:
            return escape_line(words, (self.person, self.companion))
        return escaped_text("recall", "told", self.language, head=head, words=words)

    def _said(self, name: str, words: str, day: date) -> Escaped:
        dated = annotate_dates(words.strip(), day, self.language)
        return speaker_line(name, dated, self.language)

    def _when(self, day: date, moment: datetime | None) -> str:
        return format_time(day, moment, now=self.now, zone=self.zone, language=self.language)


def _place(memory: Memory) -> tuple[int, int]:
    """A day's summary first, then its turns in order, then what the companion thought of it."""
    if isinstance(memory, Turn):
        return (1, memory.position)
    return (2, memory.position) if isinstance(memory, Insight) else (0, 0)
