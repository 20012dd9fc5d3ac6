"""Export a memory as a folder of Markdown notes (an Obsidian vault).

The output is deterministic. Remembered text is escaped, so that no text becomes front matter, a
heading or a link.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from siliconfriend.errors import UsageError
from siliconfriend.memory import atomic
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Day, Derived, PersonMemory, Turn
from siliconfriend.texts import sentences, text

_MARKS = re.compile(r"[\\`*_{}\[\]<>#|~$=^%&]|(?<=:):")
"""Characters that can begin or end Markdown anywhere in a line: links, tags, HTML, maths,
comments, and the ``::`` of inline fields."""
_LINE_START = re.compile(r"(?:[-+]|\d+(?=[.)]))")
_STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def escape_inline(words: object) -> str:
    """Return the words on one line with Markdown escaped."""
    line = _STEERS.sub("", " ".join(str(words).split()))
    line = _MARKS.sub(r"\\\g<0>", line)
    start = _LINE_START.match(line)
    if start is None:
        return line
    # A number starts a list only with the mark after it; a dash is escaped directly.
    at = start.end() if line[0].isdigit() else 0
    return f"{line[:at]}\\{line[at:]}"


def quote(words: str) -> str:
    """Return the words as a Markdown block quote; empty if there are no words."""
    lines = [escape_inline(line) for line in words.strip().splitlines()]
    # Two trailing spaces keep a line break.
    return "\n".join(f"> {line}  " if line else ">" for line in lines).rstrip()


def write_notes(folder: Path, memory: PersonMemory, companion: str) -> int:
    """Write the notes of a memory into a new or empty folder; return how many there are.

    UsageError, OSError: the path is a file, a non-empty folder or not writable.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError("notes_folder_taken", path=folder)
    pages = _Notes(memory.kept(), companion).pages()
    for name, words in pages.items():
        atomic.make_folder((folder / name).parent)
        atomic.write_whole(folder / name, words.encode("utf-8", "replace"))
    return len(pages)


@dataclass(frozen=True, slots=True)
class _Notes:
    """The notes of a memory: an index, days, facts, promises and thoughts."""

    memory: PersonMemory
    companion: str

    def pages(self) -> dict[str, str]:
        """Return the text of every note by its path in the folder."""
        days = [day for day in self.memory.days.values() if day.turns or day.summary]
        dates, lists = [day.date for day in days], list[str]()
        pages = {
            f"{self._path(day.date)}.md": self._day(day, dates[max(0, at - 1) : at + 2])
            for at, day in enumerate(days)
        }
        for key in ("facts", "promises", "insights"):
            title = self._text(f"titles.{key}")
            if groups := self._groups(key):
                items = [part for heading in sorted(groups) for part in (heading, *groups[heading])]
                pages[f"{title}.md"] = _joined([self._head(key, title), *items])
                lists.append(f"[[{title}]]")
        pages[f"{self._text('titles.first')}.md"] = self._first(lists, dates)
        return pages

    def _text(self, key: str, **values: object) -> str:
        return text("notes", key, self.memory.profile.language, **values)

    def _heading(self, key: str) -> str:
        return f"## {self._text(key)}"

    def _head(self, kind: str, title: str, **fields: object) -> str:
        whose = {"person": self.memory.profile.name, "companion": self.companion}
        lines = [
            f"{name}: {json.dumps(value, ensure_ascii=False)}"
            for name, value in {"kind": kind, **fields, **whose}.items()
        ]
        return "\n".join(["---", *lines, "---", "", f"# {escape_inline(title)}", ""])

    def _path(self, day: str) -> str:
        return f"{self._text('folders.days')}/{day}"

    def _link(self, day: str) -> str:
        return f"[[{self._path(day)}|{day}]]"

    def _day(self, day: Day, around: Sequence[str]) -> str:
        weekdays = sentences("times", self.memory.profile.language)["days"]["weekdays"]
        weekday = weekdays[date.fromisoformat(day.date).weekday()]
        title = self._text("day", date=day.date, weekday=weekday)
        near = [f"← {self._link(other)}" for other in around if other < day.date]
        near += [f"{self._link(other)} →" for other in around if other > day.date]
        parts = [self._head("day", title, date=day.date, turns=len(day.turns)), " · ".join(near)]
        for key, told in (("summary", day.summary), ("personality", day.personality)):
            parts += [self._heading(f"headings.{key}"), quote(told.text)] if told else []
        if day.turns:
            parts.append(self._heading("headings.said"))
            parts += [part for turn in day.turns for part in self._turn(turn)]
        if day.events:
            parts += [self._heading("headings.events"), *map(self._item, day.events)]
        return _joined(parts)

    def _turn(self, turn: Turn) -> Iterator[str]:
        time = turn.time.astimezone(self.memory.profile.zone) if turn.time else None
        marks = [f"{time:%H:%M}"] if time else []
        marks += [] if turn.trace.is_active else [self._text("archived")]
        said = ((self.memory.profile.name, turn.query), (self.companion, turn.response))
        for name, words in said:
            if words.strip():
                yield " ".join([f"**{escape_inline(name)}**", *marks])
                yield quote(words)
            marks = []

    def _item(self, record: Derived) -> str:
        is_past = isinstance(record, Fact) and record.superseded_by
        marks = [self._link(record.date), *([self._text("no_longer")] if is_past else [])]
        marks += [] if record.trace.is_active else [self._text("archived")]
        return f"- {escape_inline(record.text)} ({', '.join(marks)})"

    def _groups(self, key: str) -> dict[str, list[str]]:
        groups: dict[str, list[str]] = {}
        for record in self.memory.insights() if key == "insights" else self.memory.facts():
            group = record.group if isinstance(record, Fact) else key
            if (group if group in ("promises", "insights") else "facts") == key:
                heading = self._heading(f"groups.{group}") if key == "facts" else ""
                groups.setdefault(heading, []).append(self._item(record))
        return groups

    def _first(self, lists: Iterable[str], dates: Iterable[str]) -> str:
        memory, profile = self.memory, self.memory.profile
        created = profile.created.date().isoformat()
        parts = [self._head("person", profile.name, created=created), *lists]
        if profile.meta_information:
            parts.append(self._heading("headings.starting_portrait"))
        for name, value in profile.meta_information.items():
            shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
            parts.append(f"- {escape_inline(name)}: {escape_inline(shown)}")
        for key in ("overall_personality", "overall_history"):
            overall = getattr(memory, key)
            if overall is not None and overall.text.strip():
                parts += [self._heading(f"headings.{key}"), quote(overall.text)]
        if topics := [topic for topic in memory.topics() if topic.text.strip()]:
            parts += [self._heading("headings.topics"), *map(self._item, topics)]
        parts += [self._heading("headings.days"), *(f"- {self._link(date)}" for date in dates)]
        return _joined(parts)


def _joined(parts: Iterable[str]) -> str:
    written = ""
    for part in filter(None, parts):
        together = part.startswith("- ") and written.rpartition("\n")[2].startswith("- ")
        written += ("\n" if together else "\n\n") * bool(written) + part.rstrip("\n")
    return f"{written}\n"
