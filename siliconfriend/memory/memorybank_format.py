"""Read and write the file format of MemoryBank, the original program.

An exported file can be imported again without loss. All variants of the format are accepted:
dialogues as objects or pairs, texts as strings or objects, missing keys. Errors name the person and
the key, and are raised before anything is imported.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Annotated, Any

import msgspec

from siliconfriend.clock import Moment, check_day, noon_of
from siliconfriend.errors import UnreadableFile
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.message import read_message
from siliconfriend.memory.codec import Unreadable, state_fields, validate
from siliconfriend.memory.days import OVERALL, day_inputs, overall_inputs
from siliconfriend.memory.knowledge import Provenance
from siliconfriend.memory.records import (
    Day,
    DayPersonality,
    DaySummary,
    Overall,
    PersonMemory,
    Profile,
    Turn,
)
from siliconfriend.memory.scope import Scope, memory_id

_KNOWN = ("name", "history", "summary", "personality", "meta_information", *OVERALL)
_STATE = frozenset({"memory_strength", "last_recall_date"})
_PARTS = ("traits", "mood", "strategy")
OWN = "siliconfriend"
"""Field of a dialogue for this program alone: ``sources``, ``brought`` and ``forgotten`` of a turn."""

_Source = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}\\Z")]
_Strength = Annotated[float, msgspec.Meta(gt=0)]


@dataclass(frozen=True, slots=True)
class BankPerson:
    """A validated person of a file, under the name ``user``.

    ``native`` is the memory if the file has it in this program's own format.
    """

    user: str
    form: Mapping[str, Any]
    native: PersonMemory | None = None

    def memory(self, scope: Scope | None = None, profile: Profile | None = None) -> PersonMemory:
        """Return the person's memory, from MemoryBank's format with the ids of ``scope``.

        The position of a turn is its index in the file; its time is unknown. Derived texts get the
        current hash of their inputs, so that nights keep them.
        """
        if self.native is not None:
            return self.native
        profile = profile or Profile(self.user, "en", "UTC", datetime(2000, 1, 1, tzinfo=UTC))
        return _Reader(self.user, scope or Scope(self.user), profile).memory(self.form)


def parse_person(user: str, form: Any) -> BankPerson:
    """Validate the person under the name ``user`` (UnreadableFile: names the invalid key)."""
    person = BankPerson(user, form)
    person.memory()
    return person


class _Reader:
    def __init__(self, user: str, scope: Scope, profile: Profile) -> None:
        self._user, self._scope, self._profile = user, scope, profile

    def memory(self, form: object) -> PersonMemory:
        person = self._object(form, self._user)
        extra = {key: person[key] for key in person if key not in _KNOWN}
        overall = {}
        for key, daily in OVERALL.items():
            overall[key] = self._text_or_content(person.get(key), key)
            whole = person.get(daily)
            # Some files have one text here for all days.
            if isinstance(whole, str) and whole.strip():
                if overall[key]:
                    extra[daily] = whole
                overall[key] = overall[key] or whole
        name = self._text(person.get("name") or self._user, "name")
        if name.strip() != self._user:
            extra["name"] = name
        meta = self._object(person.get("meta_information") or {}, "meta_information")
        profile = replace(self._profile, meta_information=meta, extra=extra)
        memory = PersonMemory(profile, self._days(person))
        texts = {}
        for key in OVERALL:
            inputs = overall_inputs(memory, key)
            made = Provenance("import", profile.created, inputs=inputs)
            texts[key] = Overall(overall[key], made) if overall[key] else None
        return replace(memory, **texts)  # type: ignore[arg-type]  # by their keys

    def _days(self, person: Mapping[str, Any]) -> dict[str, Day]:
        if person.get("history") is None:
            raise self._fault("missing", "history")
        days: dict[str, Day] = {}
        for day, key, value in self._dated(person["history"], "history"):
            turns = enumerate(self._valid(list[Any], value or [], key, "wrong_list"))
            days[day] = Day(
                day, tuple(self._turn(day, at, form, f"{key}[{at}]") for at, form in turns)
            )
        for kind, read in (("summary", self._summary), ("personality", self._personality)):
            texts = person.get(kind)
            if texts is None or isinstance(texts, str):
                continue
            for day, key, entry in self._dated(texts, kind):
                there = days.get(day) or Day(day)
                form = {"content": entry} if entry is None or isinstance(entry, str) else entry
                text = read(there, self._object(form, key), key)
                if text is not None:
                    days[day] = replace(there, **{kind: text})  # type: ignore[arg-type]  # by its kind
        return dict(sorted(days.items()))

    def _turn(self, day: str, position: int, entry: object, key: str) -> Turn:
        form = entry
        if isinstance(entry, list) and len(entry) == 2:
            form = {"query": entry[0], "response": entry[1]}
        if not isinstance(form, dict):
            raise self._fault("wrong_dialogue", key)
        for name in ("query", "response"):
            if form.get(name) is None:
                raise self._fault("missing", f"{key}.{name}")
        query = self._text(form["query"], f"{key}.query")
        sources, brought, forgotten = self._own(form.get(OWN), f"{key}.{OWN}")
        return Turn(
            id=memory_id(self._scope, "turn", day, position),
            date=day,
            position=position,
            query=query,
            response=self._text(form["response"], f"{key}.response"),
            time=None,
            trace=replace(self._trace(form, key, day), brought=brought, forgotten=forgotten),
            origin="import",
            distress=read_message(query).is_distress,
            sources=sources,
            extra=_rest(form, "query", "response", OWN),
        )

    def _own(
        self, value: object, key: str
    ) -> tuple[tuple[str, ...], datetime | None, datetime | None]:
        """Read ``sources``, ``brought`` and ``forgotten`` of a turn that was exported from here."""
        form = {} if value is None else self._object(value, key)
        written = form.get("sources") or []
        sources = self._valid(tuple[_Source, ...], written, f"{key}.sources", "wrong_sources")
        return sources, self._moment(form, "brought", key), self._moment(form, "forgotten", key)

    def _moment(self, form: Mapping[str, Any], name: str, key: str) -> datetime | None:
        where = f"{key}.{name}"
        found = self._valid(Moment | None, form.get(name), where, "wrong_moment")
        moment: datetime | None = found
        if moment is not None and not 1 < moment.year < 9999:
            raise self._fault("wrong_moment", where)
        return moment and moment.astimezone(UTC)

    def _summary(self, day: Day, form: Mapping[str, Any], key: str) -> DaySummary | None:
        if "content" not in form:
            raise self._fault("missing", f"{key}.content")
        text = self._text_or_content(form, f"{key}.content")
        trace, extra = self._trace(form, key, day.date), _rest(form, "content")
        identifier, made = memory_id(self._scope, "day", day.date, 0), self._made(day)
        return DaySummary(identifier, day.date, text, trace, made, extra) if text else None

    def _personality(self, day: Day, form: Mapping[str, Any], key: str) -> DayPersonality | None:
        parts = {part: self._text(form[part], f"{key}.{part}") for part in _PARTS if form.get(part)}
        if "content" not in form and not parts:
            raise self._fault("missing", f"{key}.content")
        whole = {"content": form.get("content") or "\n".join(parts.values())}
        text = self._text_or_content(whole, f"{key}.content")
        made, extra = self._made(day), _rest(form, "content", *_PARTS)
        return DayPersonality(day.date, text, made, **parts, extra=extra) if text else None

    def _made(self, day: Day) -> Provenance:
        ids = tuple(turn.id for turn in day.turns)
        return Provenance("import", self._profile.created, ids, day_inputs(day))

    def _trace(self, form: Mapping[str, Any], key: str, day: str) -> Trace:
        """Return a trace with this strength and last recall; the strength includes the recall."""
        where, last = f"{key}.memory_strength", form.get("last_recall_date")
        written = form.get("memory_strength")
        strength = self._valid(_Strength | None, written, where, "wrong_strength") or 1.0
        recalled = day if last is None else self._date(last, f"{key}.last_recall_date")
        zone = self._profile.zone
        created, recall = (
            noon_of(date.fromisoformat(written), zone) for written in (day, recalled)
        )
        if recalled <= day:
            return Trace(created, first_strength=strength)
        return Trace(created, first_strength=strength - 1, recalls=(recall,))

    def _dated(self, value: object, key: str) -> list[tuple[str, str, Any]]:
        """Return ISO day, displayed key and value for each day."""
        found: dict[str, tuple[str, str, Any]] = {}
        for name, entry in self._object(value, key).items():
            where = f"{key}.{name}"
            day = self._date(name, where)
            if day in found:
                raise self._fault("wrong_date", where)
            found[day] = (day, where, entry)
        return list(found.values())

    def _date(self, value: object, key: str) -> str:
        with suppress(ValueError):
            day = date(*time.strptime(str(value).strip(), "%Y-%m-%d")[:3])
            return check_day(day).isoformat()
        raise self._fault("wrong_date", key)

    def _object(self, value: object, key: str) -> dict[str, Any]:
        found: dict[str, Any] = self._valid(dict[str, Any], value, key, "wrong_object")
        return found

    def _text(self, value: object, key: str) -> str:
        return str(self._valid(str, value, key, "wrong_text"))

    def _text_or_content(self, value: object, key: str) -> str:
        """Return a text, or the ``content`` of an object; empty if missing or blank."""
        if isinstance(value, dict):
            value = value.get("content")
        text = "" if value is None else self._text(value, key)
        return text if text.strip() else ""

    def _valid(self, kind: Any, value: object, key: str, fault: str) -> Any:
        try:
            return validate(kind, value)
        except Unreadable as error:
            raise self._fault(fault, key) from error

    def _fault(self, kind: str, key: str) -> UnreadableFile:
        return UnreadableFile(f"import_{kind}", user=self._user, field=key)


def _rest(form: Mapping[str, Any], *known: str) -> dict[str, Any]:
    return {name: form[name] for name in form if name not in (*known, *_STATE)}


def export_memorybank(memory: PersonMemory) -> dict[str, Any]:
    """Export one person as ``{name: {...}}``, including archived turns.

    Strength and last recall are omitted if they equal MemoryBank's defaults. :data:`OWN` holds what
    recognizes a turn of an import; other programs ignore it.
    """
    profile, days = memory.profile, memory.kept().days.values()
    person: dict[str, Any] = {
        "name": profile.name,
        "summary": {day.date: _summary_form(day.summary, profile) for day in days if day.summary},
        "personality": {
            day.date: _personality_form(day.personality) for day in days if day.personality
        },
        "overall_history": memory.overall_history.text if memory.overall_history else "",
        "history": {
            day.date: list(_turn_forms(day, profile))
            for day in days
            if day.turns or not (day.summary or day.personality)
        },
        "meta_information": dict(profile.meta_information),
    }
    if memory.overall_personality is not None:
        person["overall_personality"] = memory.overall_personality.text
    for key, value in profile.extra.items():
        if key == "name" or not person.get(key):
            person[key] = value
    return {profile.name: person}


def _turn_forms(day: Day, profile: Profile) -> Iterator[Mapping[str, Any]]:
    for turn in day.turns:
        own: dict[str, Any] = {"sources": list(turn.sources)} if turn.sources else {}
        for name in ("brought", "forgotten"):
            if (moment := getattr(turn.trace, name)) is not None:
                own[name] = moment.isoformat()
        words = {"query": turn.query, "response": turn.response}
        state = state_fields(turn.trace, day.date, profile)
        yield {**words, **state, **({OWN: own} if own else {}), **turn.extra}


def _summary_form(summary: DaySummary, profile: Profile) -> Mapping[str, Any]:
    state = state_fields(summary.trace, summary.date, profile)
    return {"content": summary.text, **state, **summary.extra}


def _personality_form(personality: DayPersonality) -> str | Mapping[str, Any]:
    if not personality.extra:
        return personality.text
    named = {name: value for name in _PARTS if (value := getattr(personality, name))}
    return {"content": personality.text, **named, **personality.extra}
