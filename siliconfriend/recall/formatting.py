"""Format memories for a prompt: who said what, when, and how sure it still is.

All words of a prompt that come from memory are put together here, so that nothing enters
one without its day, its speaker and the mark of a dim memory. What was told on one day of another
has both: the heading or "told" names the first, brackets or the head of the line the second. Facts stand in groups, in the
order a model reads them in (dynamic memory, part 7): the person's attributes, the person's
relations, the companion's, then each named entity with its attributes and relations. A fact
that stood in the wrong group would turn a friend's birthday into the person's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from siliconfriend.memory.knowledge import Event, Fact, FactGroup, Insight
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.prompts.escape import (
    Escaped,
    escape_line,
    escaped_text,
    join,
    speaker_line,
)
from siliconfriend.recall.results import Recalled
from siliconfriend.recall.spoken_times import (
    SpokenTime,
    day_of_event,
    moment_of_event,
    spoken_times,
)
from siliconfriend.recall.time_formatting import annotate_dates, format_span, format_time
from siliconfriend.texts import Language, text

_GROUP_ORDER: dict[FactGroup, int] = {
    "attributes": 0,
    "relations": 1,
    "scenes": 1,
    "companion": 2,
    "named": 3,
    "general": 4,
    "promises": 5,
}
"""The order of the headings; a scene stands among the relations."""


def fact_of(recalled: Recalled) -> Fact:
    """The fact that was recalled.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(recalled.memory, Fact):
        msg = f"{recalled.memory.id} is no fact"
        raise TypeError(msg)
    return recalled.memory


@dataclass(frozen=True, slots=True)
class MemoryFormatter:
    """Formats memories of one person in one language.

    Attributes:
        person, companion: their names.
        language: of the words around.
        now: the moment they are read, aware.
        zone: the person's.
    """

    person: str
    companion: str
    language: Language
    now: datetime
    zone: ZoneInfo
    _known: dict[tuple[str, date], str] = field(default_factory=dict, repr=False, compare=False)

    def by_date(self, memories: Iterable[Recalled]) -> Escaped:
        """Format memories under their days, both in order."""
        in_order = sorted(
            memories, key=lambda recalled: (recalled.memory.date, _place(recalled.memory))
        )
        blocks = []
        for day, found in groupby(in_order, key=lambda recalled: recalled.memory.date):
            heading = Escaped(text("recall", "heading", self.language, date=day))
            blocks.append(join([heading, *map(self.entry, found)]))
        return join(blocks, "\n\n")

    def events(self, events: Iterable[Recalled]) -> Escaped:
        """Format events in the order of the days they were on, a line each."""
        found = {
            recalled.memory.id: (recalled.memory, recalled.state != "vivid")
            for recalled in events
            if isinstance(recalled.memory, Event)
        }
        in_order = self.in_order(event for event, _is_dim in found.values())
        return join(self.event(event, dim=found[event.id][1]) for event in in_order)

    def in_order(self, events: Iterable[Event]) -> list[Event]:
        """Sort events by the days that their lines begin with, then as they were told."""
        return sorted(events, key=lambda event: (self._day_of(event), event.date, event.position))

    def facts(self, facts: Iterable[Recalled]) -> Escaped:
        """Format all but the companion's promises under their groups' headings; empty for none."""
        blocks: dict[Escaped, list[Recalled]] = {}
        for recalled in sorted(facts, key=_fact_order):
            fact = fact_of(recalled)
            if fact.group != "promises":
                blocks.setdefault(self._heading(fact), []).append(recalled)
        return join(
            line for heading, group in blocks.items() for line in (heading, *self._items(group))
        )

    def promises(self, facts: Iterable[Recalled]) -> Escaped:
        """Format what the companion promised or recommended, each with its day; empty for none."""
        promises = [recalled for recalled in facts if fact_of(recalled).group == "promises"]
        promises.sort(key=lambda recalled: fact_of(recalled).first)
        return join(self._items(promises))

    def entry(self, recalled: Recalled) -> Escaped:
        """Format a memory, with its time as coarse as its age and a mark where it is dim."""
        memory = recalled.memory
        marks = [] if recalled.state == "vivid" else [text("recall", "dim", self.language)]
        day = date.fromisoformat(memory.date)
        if isinstance(memory, Turn):
            said = [(self.person, memory.query), (self.companion, memory.response)]
            lines = [self._said(name, words, day) for name, words in said if words.strip()]
            head = self._when(day, memory.time) if memory.time is not None else ""
        else:
            words = self._dated(memory.text, day)
            lines = [escape_line(words, (self.person, self.companion))]
            key = "insight" if isinstance(memory, Insight) else "summary"
            head = text("recall", key, self.language, companion=self.companion)
        label = " ".join([part for part in (head, *marks) if part])
        first = [escaped_text("recall", "label", self.language, label=label)] if label else []
        return join([*first, *lines])

    def event(self, event: Event, *, dim: bool = False) -> Escaped:
        """Format an event on a line: when, where and in what scene it was, what happened and shows."""
        day = date.fromisoformat(event.date)
        words = self._dated(event.text, day)
        if event.insight:
            words += text("recall", "shows", self.language, insight=event.insight)
        return self._line(words, self._head_of_event(event, day), dim=dim)

    def fact(self, fact: Fact, *, dim: bool = False) -> Escaped:
        """Format a fact on a line: what something is like without a date, all else with its day."""
        head = "" if fact.aspect == "attribute" else fact.first or fact.date
        return self._line(fact.text.strip(), head, dim=dim)

    def undated(self, memory: Memory) -> Escaped:
        """Format a fact or an event of the companion's own story, which belongs to no calendar."""
        words = memory.query if isinstance(memory, Turn) else memory.text.strip()
        head = memory.place if isinstance(memory, Event) else ""
        if isinstance(memory, Fact) and memory.entity not in words:
            head = memory.entity
        return self._line(words, head, dim=False)

    def _items(self, facts: Iterable[Recalled]) -> Iterator[Escaped]:
        for recalled in facts:
            line = self.fact(fact_of(recalled), dim=recalled.state != "vivid")
            yield escaped_text("recall", "item", self.language, words=line)

    def _heading(self, fact: Fact) -> Escaped:
        if fact.entity_type == "object":
            key = "attributes" if fact.group == "attributes" else "relations"
            return escaped_text("recall", f"groups.{key}", self.language, name=self.person)
        name = self.companion if fact.entity_type == "subject" else fact.entity
        return escaped_text("recall", "groups.about", self.language, name=name)

    def _line(self, words: str, head: str, *, dim: bool) -> Escaped:
        if dim:
            mark = text("recall", "dim", self.language)
            words = f"{words} {text('recall', 'label', self.language, label=mark)}"
        if not head:
            return escape_line(words, (self.person, self.companion))
        return escaped_text("recall", "told", self.language, head=head, words=words)

    def _said(self, name: str, words: str, day: date) -> Escaped:
        return speaker_line(name, self._dated(words, day), self.language)

    def _dated(self, words: str, day: date) -> str:
        """Words told on a day with the days they mean; what enters a prompt is read twice."""
        key = (words, day)
        if key not in self._known:
            self._known[key] = annotate_dates(words.strip(), day, self.language)
        return self._known[key]

    def _head_of_event(self, event: Event, day: date) -> str:
        """When, where and in what scene an event was; where it was not on the day it was told, both days."""
        times = spoken_times(event, self.zone)
        when = self._when_it_was(event, times[0]) if len(times) == 1 else ""
        if not times:
            when = self._when(day, event.time)
        if event.place:
            when = text("recall", "at", self.language, when=when, place=event.place).strip()
        if event.scene:
            when = text("recall", "scene", self.language, when=when, scene=event.scene).strip()
        if not times:
            return when
        key = "told_later" if when else "told_on"
        return text("recall", key, self.language, when=when, told=day.isoformat())

    def _day_of(self, event: Event) -> date:
        """The first of the days an event was on: those it speaks of, else the one it was told on."""
        times = spoken_times(event, self.zone)
        return times[0][0] if len(times) == 1 else date.fromisoformat(event.date)

    def _when_it_was(self, event: Event, days: SpokenTime) -> str:
        """The days an event speaks of, with its hour where that is known of this very day."""
        happened = day_of_event(event, self.zone)
        if happened is not None and days == (happened, happened):
            return self._when(happened, moment_of_event(event, self.zone))
        return format_span(*days, self.language)

    def _when(self, day: date, moment: datetime | None) -> str:
        return format_time(day, moment, now=self.now, zone=self.zone, language=self.language)


def _place(memory: Memory) -> tuple[int, int]:
    """A day's summary first, then its turns in order, then what the companion thought of it."""
    if isinstance(memory, Turn):
        return (1, memory.position)
    return (2, memory.position) if isinstance(memory, Insight) else (0, 0)


def _fact_order(recalled: Recalled) -> tuple[int, str, bool, str]:
    """Sort by the heading, of named ones by the entity, what is undated first, then by age."""
    fact = fact_of(recalled)
    entity = fact.entity if fact.group in ("named", "general") else ""
    return _GROUP_ORDER[fact.group], entity, fact.aspect != "attribute", fact.first
