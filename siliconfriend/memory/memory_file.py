"""One person's memory as the object that ``memory.json`` holds.

It is MemoryBank's per-user object with more beside it: a program that knows only
``history``, ``summary``, ``personality``, ``overall_history``, ``overall_personality`` and
``meta_information`` reads it as it is. What those texts rest on stands apart from them in
``provenance``, because MemoryBank has plain strings there.

There is one version so far. A file of a newer one is refused as it stands: reading it with
the rules of today could drop what they do not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from zoneinfo import ZoneInfo

from siliconfriend.errors import StoreError
from siliconfriend.memory import checksum, codec, resting_tables
from siliconfriend.memory.codec import Form, Unreadable
from siliconfriend.memory.lazy_days import LazyDays, RestingDay
from siliconfriend.memory.memorybank import state_fields
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
    listed,
)

FORMAT = "siliconfriend-memory"
VERSION = 1

_KNOWN = frozenset(
    (
        *("format", "version", "generation", "folded_through", "companion", checksum.KEY),
        *("name", "language", "timezone", "created", "meta_information", "extra"),
        *("history", "summary", "personality", "overall_history", "overall_personality"),
        *("insights", "events", "facts", "topics", "provenance", "erased"),
    )
)
_DERIVED = {kind: table for kind, table in LISTS.items() if kind != "turn"}
_TABLES = ("history", "summary", "personality", *_DERIVED.values(), "provenance")
_MADE = "personality provenance"
"""What tells how each day's personality was made: a table within one."""


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """The content of a ``memory.json``.

    Attributes:
        memory: the memory; its ``sequence`` is the file's ``folded_through``.
        companion: the companion it belongs to.
        generation: how often the file was written anew; 0 in an export.
    """

    memory: PersonMemory
    companion: str
    generation: int = 0


def serialize_memory(memory: PersonMemory, companion: str, generation: int = 0) -> Form:
    """Serialize a memory to the object of ``memory.json``; without a generation, the one for an export."""
    profile = codec.serialize(memory.profile)
    days = memory.days.values()
    form: Form = {"format": FORMAT, "version": VERSION}
    if generation:
        form |= {"generation": generation, "folded_through": memory.sequence}
    form |= {
        "companion": companion,
        "name": profile.pop("name"),
        "language": profile.pop("language"),
        "timezone": profile.pop("timezone"),
        "created": profile.pop("created"),
        "meta_information": profile.pop("meta_information", {}),
        **profile,
        "history": {day.date: list(_turns(day, memory.profile)) for day in days},
        "summary": {day.date: _summary(day, memory.profile) for day in days if day.summary},
        "personality": {day.date: day.personality.text for day in days if day.personality},
    }
    if memory.overall_history is not None:
        form["overall_history"] = memory.overall_history.text
    if memory.overall_personality is not None:
        form["overall_personality"] = memory.overall_personality.text
    for kind, table in _DERIVED.items():
        by_date = {
            day.date: [_derived(it) for it in found] for day in days if (found := listed(day, kind))
        }
        if by_date:
            form[table] = by_date
    provenance = _provenance(memory)
    if provenance:
        form["provenance"] = provenance
    if memory.erased:
        form["erased"] = sorted(memory.erased)
    return form


def parse_memory(form: Form) -> MemoryFile:
    """Parse and validate a memory from the object of ``memory.json``, which is used up.

    Raises:
        Unreadable: it is not what this version writes.
        StoreError: a newer version of the program wrote it.
    """
    for name in _TABLES:
        form[name] = _object(form, name)
    return _parse(form, _days)


def _parse(form: Form, days: Callable[[Form], Mapping[str, Day]]) -> MemoryFile:
    """Parse and validate all but the days, which ``days`` gives."""
    if form.get("format") != FORMAT:
        raise Unreadable(f"format: {FORMAT} was expected")
    check_version(form.get("version"))
    profile = _profile(form)
    texts = _Texts(form)
    memory = PersonMemory(
        profile=profile,
        days=days(form),
        overall_history=texts.overall("overall_history"),
        overall_personality=texts.overall("overall_personality"),
        last_reflection=texts.last_reflection(),
        erased=frozenset(_strings(form.get("erased", []), "erased")),
        sequence=_number(form.get("folded_through", 0), "folded_through"),
    )
    companion = form.get("companion")
    if not isinstance(companion, str):
        raise Unreadable("companion: a name was expected")
    return MemoryFile(memory, companion, _number(form.get("generation", 0), "generation"))


def parse_sealed(data: bytes) -> MemoryFile:
    """Parse and validate the bytes of a ``memory.json``, and compare them with their checksum.

    Raises:
        Unreadable: they are not what this version writes, or not what was written.
        StoreError: a newer version of the program wrote them.
    """
    top = resting_tables.split(data)
    check_version(codec.from_value(top.get("version", b"null")))
    if not checksum.verify(data, top):
        return parse_memory(codec.from_json(data))
    form = {name: codec.from_value(raw) for name, raw in top.items() if name not in _TABLES}
    tables = {name: resting_tables.split(top[name]) for name in _TABLES if name in top}
    provenance = tables.pop("provenance", {})
    form |= {
        "personality": {},
        "provenance": {
            name: codec.from_value(raw) for name, raw in provenance.items() if name != "personality"
        },
    }
    tables[_MADE] = resting_tables.split(provenance.get("personality", b"{}"))
    return _parse(form, lambda form: _resting_days(tables, form.get("created")))


def _resting_days(tables: Mapping[str, resting_tables.Table], created: object) -> LazyDays:
    """The days of the tables, each decoded when it is first read."""
    dates = sorted(set().union(*(table for name, table in tables.items() if name != _MADE)))
    return LazyDays({it: RestingDay(partial(_decode_day, tables, created, it)) for it in dates})


def _decode_day(tables: Mapping[str, resting_tables.Table], created: object, date: str) -> Day:
    """Decode a day from what the tables have of it."""
    form: Form = {"created": created, **{name: {} for name in _TABLES}}
    for name, table in tables.items():
        if date in table:
            form[name] = {date: codec.from_value(table[date])}
    form["provenance"] = {"personality": form.pop(_MADE, {})}
    return _day(form, _Texts(form), date)


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


def _turns(day: Day, profile: Profile) -> Iterator[Form]:
    for turn in day.turns:
        form = codec.serialize(turn)
        del form["date"]
        yield {**form, **state_fields(turn.trace, day.date, profile)}


def _summary(day: Day, profile: Profile) -> Form:
    assert day.summary is not None
    form = codec.serialize(day.summary)
    del form["date"]
    return {**form, **state_fields(day.summary.trace, day.date, profile)}


def _derived(record: Turn | Derived) -> Form:
    assert not isinstance(record, Turn)
    form = codec.serialize(record)
    del form["date"]
    return form


def _provenance(memory: PersonMemory) -> Form:
    forms: Form = {}
    by_date: Form = {}
    for day in memory.days.values():
        if day.personality is not None:
            form = codec.serialize(day.personality)
            del form["content"], form["date"]
            by_date[day.date] = form | form.pop("provenance")
    if by_date:
        forms["personality"] = by_date
    for name in ("overall_history", "overall_personality"):
        overall: Overall | None = getattr(memory, name)
        if overall is not None:
            forms[name] = codec.serialize(overall)["provenance"]
    if memory.last_reflection is not None:
        forms["reflection"] = codec.serialize(memory.last_reflection)
    return forms


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
    dates = sorted(set().union(*(form[table] for table in _TABLES[:-1])))
    return {date: _day(form, texts, date) for date in dates}


def _day(form: Form, texts: _Texts, date: str) -> Day:
    found = (codec.parse(Turn, turn, date) for turn in _listed(form["history"], "history", date))
    summary = form["summary"].get(date)
    derived = {
        table: tuple(
            sorted(
                (
                    codec.parse(DERIVED_TYPES[kind], it, date)
                    for it in _listed(form[table], table, date)
                ),
                key=lambda record: record.position,
            )
        )
        for kind, table in _DERIVED.items()
    }
    return Day(
        date,
        turns=tuple(sorted(found, key=lambda turn: turn.position)),
        summary=codec.parse(DaySummary, summary, date) if summary is not None else None,
        personality=texts.personality(date),
        **derived,  # type: ignore[arg-type]  # each list holds the records of its kind
    )


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
