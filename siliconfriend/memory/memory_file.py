"""One person's memory as the object that ``memory.json`` holds.

It is MemoryBank's per-user object with more beside it: a program that knows only
``history``, ``summary``, ``personality``, ``overall_history``, ``overall_personality`` and
``meta_information`` reads it as it is. What those texts rest on stands apart from them in
``provenance``, because MemoryBank has plain strings there.

There is one version so far. A file of a newer one is refused as it stands: reading it with
the rules of today could drop what they do not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from siliconfriend.errors import StoreError
from siliconfriend.memory import codec, seal
from siliconfriend.memory.codec import Form, Unreadable
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    DERIVED_TYPES,
    LISTS,
    Day,
    DayPersonality,
    DaySummary,
    Derived,
    Overall,
    PersonMemory,
    Profile,
    Turn,
)

FORMAT = "siliconfriend-memory"
VERSION = 2

_KNOWN = frozenset(
    (
        *("format", "version", "epoch", "sequence", "companion", seal.KEY),
        *("name", "language", "timezone", "created", "meta_information", "extra"),
        *("history", "summary", "personality", "overall_history", "overall_personality"),
        *("insights", "events", "facts", "topics", "provenance", "erased"),
    )
)
DERIVED = {kind: table for kind, table in LISTS.items() if kind != "turn"}
BY_DAY = ("history", "summary", "personality", *DERIVED.values(), "provenance")
"""The objects of the form that hold something of days."""


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """The content of a ``memory.json``.

    Attributes:
        memory: the memory; its ``sequence`` is 0 in an export.
        companion: the companion it belongs to.
    """

    memory: PersonMemory
    companion: str


def parse_memory(form: Form) -> MemoryFile:
    """Parse and validate a memory from the object of ``memory.json``, which is used up.

    Raises:
        Unreadable: it is not what this version writes.
        StoreError: a newer version of the program wrote it.
    """
    for name in BY_DAY:
        form[name] = _object(form, name)
    if form.get("format") != FORMAT:
        raise Unreadable(f"format: {FORMAT} was expected")
    check_version(form.get("version"))
    profile = _profile(form)
    texts = _Texts(form)
    memory = PersonMemory(
        profile=profile,
        days=_days(form),
        overall_history=texts.overall("overall_history"),
        overall_personality=texts.overall("overall_personality"),
        last_reflection=texts.last_reflection(),
        erased=frozenset(_strings(form.get("erased", []), "erased")),
        sequence=_number(form.get("sequence", 0), "sequence"),
    )
    companion = form.get("companion")
    if not isinstance(companion, str):
        raise Unreadable("companion: a name was expected")
    return MemoryFile(memory, companion)


def check_version(version: object) -> None:
    """Refuse what this program cannot know.

    Raises:
        Unreadable: it is no version.
        StoreError: it is newer than the one known here.
    """
    if not isinstance(version, int) or version < 1:
        raise Unreadable("version: a number from 1 was expected")
    if version > VERSION:
        raise StoreError("memory_too_new", version=version, known=VERSION)


def _profile(form: Form) -> Profile:
    unknown = {name: form[name] for name in form.keys() - _KNOWN}
    named = {
        "name": form.get("name"),
        "language": form.get("language"),
        "timezone": form.get("timezone"),
        "created": form.get("created"),
        "meta_information": form.get("meta_information", {}),
        "extra": {**unknown, **_object(form, "extra")},
    }
    profile = codec.parse(Profile, named)
    try:
        ZoneInfo(profile.timezone)
    except (OSError, KeyError, ValueError) as error:
        raise Unreadable(f"timezone: {profile.timezone} is not known") from error
    return profile


def _days(form: Form) -> dict[str, Day]:
    texts = _Texts(form)
    dates = sorted(set().union(*(form[table] for table in BY_DAY[:-1])))
    return {date: _day(form, texts, date) for date in dates}


def _day(form: Form, texts: _Texts, date: str) -> Day:
    summary = form["summary"].get(date)
    lists = {
        table: parse_records(kind, form[written], written, date)
        for kind, table in LISTS.items()
        for written in ["history" if kind == "turn" else table]
    }
    return Day(
        date,
        summary=codec.parse(DaySummary, summary, date) if summary is not None else None,
        personality=texts.personality(date),
        **lists,  # type: ignore[arg-type]  # each list holds the records of its kind
    )


def parse_records(kind: str, table: Form, name: str, date: str) -> tuple[Turn | Derived, ...]:
    """Parse and validate the records of a kind that a table has of a date, by position.

    Raises:
        Unreadable: they are not what this version writes.
    """
    record_type: type[Turn | Derived] = Turn if kind == "turn" else DERIVED_TYPES[kind]
    found = (codec.parse(record_type, it, date) for it in _listed(table, name, date))
    return tuple(sorted(found, key=lambda record: record.position))


def _listed(table: Form, name: str, date: str) -> list[Form]:
    found = table.get(date, [])
    if not isinstance(found, list):
        raise Unreadable(f"{name}.{date}: a list was expected")
    return found


class _Texts:
    """The texts that stand apart from where they come from, put together again.

    A text without provenance was written into the file by hand.
    """

    def __init__(self, form: Form) -> None:
        self._form = form
        self._provenance: Form = form["provenance"]
        self._by_hand = {"made_by": "person", "made_at": form.get("created")}

    def overall(self, name: str) -> Overall | None:
        if self._form.get(name) is None:
            return None
        provenance = self._provenance.get(name, self._by_hand)
        return codec.parse(Overall, {"content": self._form[name], "provenance": provenance})

    def last_reflection(self) -> Provenance | None:
        form = self._provenance.get("reflection")
        return None if form is None else codec.parse(Provenance, form)

    def personality(self, date: str) -> DayPersonality | None:
        text = self._form["personality"].get(date)
        if text is None:
            return None
        rest = _object(_object(self._provenance, "personality"), date) or self._by_hand
        parts = {name: value for name, value in rest.items() if name not in _IN_PROVENANCE}
        made = {name: value for name, value in rest.items() if name in _IN_PROVENANCE}
        return codec.parse(
            DayPersonality, {"date": date, "content": text, "provenance": made, **parts}
        )


_IN_PROVENANCE = frozenset({"made_by", "made_at", "from_ids", "inputs"})


def _object(form: Form, name: str) -> Form:
    value = form.get(name, {})
    if not isinstance(value, dict):
        raise Unreadable(f"{name}: an object was expected")
    return value


def _strings(value: object, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(it, str) for it in value):
        raise Unreadable(f"{name}: a list of ids was expected")
    return value


def _number(value: object, name: str) -> int:
    if not isinstance(value, int) or value < 0:
        raise Unreadable(f"{name}: a number was expected")
    return value
