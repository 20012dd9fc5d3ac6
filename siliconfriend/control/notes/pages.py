"""The notes of a memory: one a day, one for each name and place, and one about the person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from siliconfriend.control.notes.markdown import (
    escape_inline,
    file_names,
    front_matter,
    link,
    quote,
)
from siliconfriend.language.characters import fold
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Day, Derived, PersonMemory, Turn
from siliconfriend.texts import area, text


def names_in(memory: PersonMemory, companion: str) -> list[str]:
    """List the names that have a note, those that facts are about, sorted.

    Args:
        memory: whose.
        companion: what the companion calls itself, which is no such name; nor is the person's.
    """
    speakers = {fold(memory.profile.name), fold(companion)}
    names = (
        fact.entity if fact.entity_type == "specific" else fact.key_word
        for fact in memory.facts()
        if fact.entity_type == "specific" or fact.aspect == "relation"
    )
    spelled = {fold(name): name for name in map(str.strip, names)}
    return sorted(name for key, name in spelled.items() if key and key not in speakers)


SHORTEST_NAME = 2
"""Characters of a name that is looked for in what was said."""


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of one memory.

    Attributes:
        memory: what is told; unkept turns are left out.
        companion: what the companion calls itself.
        names: the note of each name and place.
        days: the days that have a note.
    """

    memory: PersonMemory
    companion: str
    names: Mapping[str, str] = field(default_factory=dict)
    days: Mapping[str, Day] = field(default_factory=dict)

    @classmethod
    def of(cls, memory: PersonMemory, companion: str) -> Notes:
        """The notes of a memory."""
        memory = memory.kept()
        folders = area("notes", memory.profile.language)["folders"]
        named = names_in(memory, companion)
        places = {it.place for it in memory.events() if it.place}.difference(named)
        names = {it: f"{folders['names']}/{name}.md" for it, name in file_names(named).items()}
        names |= {it: f"{folders['places']}/{name}.md" for it, name in file_names(places).items()}
        days = {it: day for it, day in memory.days.items() if day.turns or day.summary}
        return cls(memory, companion, names, days)

    def pages(self) -> dict[str, str]:
        """Every note: its path in the vault and its words."""
        person = self.memory.profile.name
        spoken = {it: self._names_of(day) for it, day in self.days.items()}
        pages = {self._day_path(it): self._day(day, spoken[it]) for it, day in self.days.items()}
        for name, path in self.names.items():
            pages[path] = self._name(name, [it for it in spoken if name in spoken[it]])
        extra = {
            title: words
            for key in ("facts", "promises", "insights")
            if (words := self._list(key))
            for title in [self._text(f"titles.{key}")]
        }
        home = file_names([person], extra)[person]
        pages |= {f"{title}.md": words for title, words in extra.items()}
        pages[f"{home}.md"] = self._person(extra)
        return pages

    def _text(self, key: str, **values: object) -> str:
        return text("notes", key, self.memory.profile.language, **values)

    def _head(self, kind: str, title: str, **fields: object) -> str:
        whose = {"person": self.memory.profile.name, "companion": self.companion}
        return front_matter({"kind": kind, **fields, **whose}) + f"\n# {escape_inline(title)}\n"

    def _day_path(self, day: str) -> str:
        return f"{self._text('folders.days')}/{day}.md"

    def _day_link(self, day: str) -> str:
        return link(self._day_path(day), day) if day in self.days else day

    def _day(self, day: Day, names: list[str]) -> str:
        weekday = area("notes", self.memory.profile.language)["weekdays"]
        title = self._text("day", date=day.date, weekday=weekday[_weekday(day.date)])
        fields = {"date": day.date, "turns": len(day.turns), "names": names}
        parts = [self._head("day", title, **fields), self._neighbours(day.date)]
        if names:
            several = ", ".join(link(self.names[it], it) for it in names)
            parts.append(self._text("speaks_of", names=several))
        if day.summary is not None:
            parts += [self._heading("summary"), quote(day.summary.text)]
        if day.personality is not None:
            parts += [self._heading("personality"), quote(day.personality.text)]
        if day.turns:
            parts.append(self._heading("said"))
            parts += [part for turn in day.turns for part in self._turn(turn)]
        if day.events:
            parts += [self._heading("events"), *map(self._event, day.events)]
        return _joined(parts)

    def _neighbours(self, day: str) -> str:
        days = sorted(self.days)
        at = days.index(day)
        before = [f"← {self._day_link(days[at - 1])}"] if at else []
        after = [f"{self._day_link(days[at + 1])} →"] if at + 1 < len(days) else []
        return " · ".join([*before, *after])

    def _turn(self, turn: Turn) -> Iterator[str]:
        time = turn.time.astimezone(self.memory.profile.zone) if turn.time else None
        marks = [f"{time:%H:%M}"] if time else []
        if turn.trace.archived is not None:
            marks.append(self._text("archived"))
        for name, words in (
            (self.memory.profile.name, turn.query),
            (self.companion, turn.response),
        ):
            if words.strip():
                yield " ".join([f"**{escape_inline(name)}**", *marks])
                yield quote(words)
            marks = []

    def _event(self, event: Event) -> str:
        where = [link(self.names[event.place], event.place)] if event.place else []
        time = event.time.astimezone(self.memory.profile.zone) if event.time else None
        return self._item(event, *([f"{time:%Y-%m-%d %H:%M}"] if time else []), *where)

    def _fact(self, fact: Fact) -> str:
        about = [it for it in (fact.entity, fact.key_word) if it in self.names]
        links = [link(self.names[it], it) for it in about]
        return self._item(fact, *links, self._day_link(fact.date))

    def _dated(self, record: Derived) -> str:
        return self._item(record, self._day_link(record.date))

    def _item(self, record: Derived, *marks: str) -> str:
        several = [*marks]
        if isinstance(record, Fact) and record.superseded_by:
            several.append(self._text("no_longer"))
        if record.trace.archived is not None:
            several.append(self._text("archived"))
        return f"- {escape_inline(record.text)}" + (f" ({', '.join(several)})" if several else "")

    def _list(self, key: str) -> str:
        """The note of all facts, promises or insights; empty where there are none."""
        facts = list(self.memory.facts())
        groups: dict[str, list[str]] = {}
        if key == "insights":
            groups = {"": [self._dated(it) for it in self.memory.insights()]}
        else:
            for fact in facts:
                if (fact.group == "promises") == (key == "promises"):
                    heading = "" if key == "promises" else self._text(f"groups.{fact.group}")
                    groups.setdefault(heading, []).append(self._fact(fact))
        if not any(groups.values()):
            return ""
        parts = [self._head(key, self._text(f"titles.{key}"))]
        for heading in sorted(groups):
            parts += [f"## {heading}"] if heading else []
            parts += groups[heading]
        return _joined(parts)

    def _name(self, name: str, days: list[str]) -> str:
        facts = [it for it in self.memory.facts() if name in (it.entity, it.key_word)]
        events = [it for it in self.memory.events() if it.place == name]
        kind = "place" if events and not facts else "name"
        parts = [self._head(kind, name), *map(self._dated, facts)]
        if events:
            parts += [self._heading("events"), *map(self._dated, events)]
        if days:
            parts += [self._heading("days"), *(f"- {self._day_link(it)}" for it in days)]
        return _joined(parts)

    def _person(self, lists: Iterable[str]) -> str:
        memory, profile = self.memory, self.memory.profile
        parts = [self._head("person", profile.name, created=profile.created.date().isoformat())]
        parts += [link(f"{title}.md", title) for title in lists]
        if profile.meta_information:
            parts.append(self._heading("starting_portrait"))
            parts += [
                f"- {escape_inline(name)}: {escape_inline(_shown(value))}"
                for name, value in profile.meta_information.items()
            ]
        for key in ("overall_personality", "overall_history"):
            overall = getattr(memory, key)
            if overall is not None and overall.text.strip():
                parts += [self._heading(key), quote(overall.text)]
        if topics := [it for it in memory.topics() if it.text.strip()]:
            parts += [self._heading("topics"), *map(self._dated, topics)]
        if self.names:
            parts.append(self._heading("names"))
            parts += [f"- {link(path, name)}" for name, path in self.names.items()]
        parts += [self._heading("days"), *(f"- {self._day_link(it)}" for it in sorted(self.days))]
        return _joined(parts)

    def _heading(self, key: str) -> str:
        return f"## {self._text(f'headings.{key}')}"

    def _names_of(self, day: Day) -> list[str]:
        """The names and places that a day speaks of, in the order of the alphabet."""
        said = "\n".join(part for turn in day.turns for part in (turn.query, turn.response))
        said = said.casefold()
        told = {it for fact in day.facts for it in (fact.entity, fact.key_word)}
        told |= {it.place for it in day.events}
        return [it for it in self.names if it in told or _is_in(it.casefold(), said)]


def _is_in(name: str, said: str) -> bool:
    """True if the name is said; one of letters as a whole word."""
    if len(name) < SHORTEST_NAME or name not in said:
        return False
    if not name.isascii():
        return True
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said) is not None


def _weekday(day: str) -> int:
    return date.fromisoformat(day).weekday()


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _joined(parts: Iterable[str]) -> str:
    """Parts with an empty line between them; items of one list stand together."""
    written = ""
    for part in filter(None, parts):
        together = part.startswith("- ") and written.rpartition("\n")[2].startswith("- ")
        written += ("\n" if together else "\n\n") * bool(written) + part.rstrip("\n")
    return f"{written}\n"
