"""One person as MemoryBank's JSON has them, read strictly.

Such files come in several forms (dialogues as objects or pairs, texts as strings or
objects, keys that are left out), and all of those are taken. What cannot be understood is
named, with the person and the key, before anything is imported. Fields that mean nothing
here are kept for the export.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from siliconfriend.errors import UnreadableFile

_KNOWN = frozenset(
    (
        *("name", "history", "summary", "personality", "meta_information"),
        *("overall_history", "overall_personality"),
    )
)
_STATE = frozenset({"memory_strength", "last_recall_date"})
OWN = "siliconfriend"
"""The field of a dialogue that only this program reads: ``sources`` and ``brought`` of a turn."""

_SOURCE = re.compile(r"[0-9a-f]{16}", re.ASCII)
_PARTS = ("traits", "mood", "strategy")


@dataclass(frozen=True, slots=True)
class BankTurn:
    """One dialogue: the words, MemoryBank's strength and ISO day of the last recall, the rest.

    ``sources`` and ``brought`` are those of a turn, where it was exported from here.
    """

    query: str
    response: str
    strength: float = 1.0
    last_recall: str | None = None
    sources: tuple[str, ...] = ()
    brought: datetime | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BankText:
    """A summary or a personality of one day; a personality may name its ``parts``."""

    text: str
    strength: float = 1.0
    last_recall: str | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BankPerson:
    """All a bank says of one person; what is keyed by date is keyed by ISO days."""

    user: str
    history: Mapping[str, Sequence[BankTurn]]
    summaries: Mapping[str, BankText] = field(default_factory=dict)
    personalities: Mapping[str, BankText] = field(default_factory=dict)
    overall_history: str = ""
    overall_personality: str = ""
    meta_information: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


def parse_person(user: str, form: object) -> BankPerson:
    """The person who stands under the name ``user``.

    Raises:
        UnreadableFile: naming the person and the key that is missing or wrong.
    """
    read = _Reader(user)
    person = read.mapping(form, user)
    extra = {key: person[key] for key in person if key not in _KNOWN}
    overall = {}
    for key, daily in (("overall_history", "summary"), ("overall_personality", "personality")):
        overall[key] = read.text_or_content(person.get(key), key)
        whole = person.get(daily)
        # Some files have one text here for all days.
        if isinstance(whole, str) and whole.strip():
            if overall[key]:
                extra[daily] = whole
            overall[key] = overall[key] or whole
    name = read.text(person.get("name") or user, "name")
    if name.strip() != user:
        extra["name"] = name
    return BankPerson(
        user,
        history=read.history(person),
        summaries=read.texts(person.get("summary"), "summary"),
        personalities=read.texts(person.get("personality"), "personality", parts=_PARTS),
        **overall,
        meta_information=read.mapping(person.get("meta_information") or {}, "meta_information"),
        extra=extra,
    )


class _Reader:
    """Reads fields of one person and names them where they are wrong."""

    def __init__(self, user: str) -> None:
        self._user = user

    def history(self, person: Mapping[str, Any]) -> dict[str, list[BankTurn]]:
        if person.get("history") is None:
            raise self._fault("missing", "history")
        found = {}
        for day, key, value in self._dated(person["history"], "history"):
            turns = self._list(value or [], key)
            found[day] = [self._turn(it, f"{key}[{index}]") for index, it in enumerate(turns)]
        return found

    def texts(self, value: object, key: str, *, parts: Sequence[str] = ()) -> dict[str, BankText]:
        if value is None or isinstance(value, str):
            return {}
        found = {}
        for day, where, entry in self._dated(value, key):
            text = self._entry(entry, where, parts)
            if text is not None:
                found[day] = text
        return found

    def _entry(self, entry: object, key: str, parts: Sequence[str]) -> BankText | None:
        """The text of one day; None where there is none."""
        if entry is None or isinstance(entry, str):
            return BankText(entry) if entry and entry.strip() else None
        form = self.mapping(entry, key)
        named = {part: self.text(form[part], f"{key}.{part}") for part in parts if form.get(part)}
        if form.get("content") is None and not named:
            raise self._fault("missing", f"{key}.content")
        content = self.text(form.get("content") or "\n".join(named.values()), f"{key}.content")
        if not content.strip():
            return None
        known = {"content", *_STATE, *parts}
        extra = {name: form[name] for name in form if name not in known}
        return BankText(content, **self._state(form, key), parts=named, extra=extra)

    def _turn(self, entry: object, key: str) -> BankTurn:
        if isinstance(entry, list):
            if len(entry) != 2:
                raise self._fault("wrong_dialogue", key)
            query, response = entry
            return BankTurn(self.text(query, f"{key}[0]"), self.text(response, f"{key}[1]"))
        if not isinstance(entry, dict):
            raise self._fault("wrong_dialogue", key)
        for name in ("query", "response"):
            if entry.get(name) is None:
                raise self._fault("missing", f"{key}.{name}")
        known = {"query", "response", OWN, *_STATE}
        return BankTurn(
            self.text(entry["query"], f"{key}.query"),
            self.text(entry["response"], f"{key}.response"),
            **self._state(entry, key),
            **self._own(entry.get(OWN), f"{key}.{OWN}"),
            extra={name: entry[name] for name in entry if name not in known},
        )

    def _own(self, form: object, key: str) -> dict[str, Any]:
        if form is None:
            return {}
        own: dict[str, Any] = {}
        fields = self.mapping(form, key)
        if (sources := fields.get("sources")) is not None:
            own["sources"] = tuple(self._list(sources, f"{key}.sources"))
            if not all(isinstance(it, str) and _SOURCE.fullmatch(it) for it in own["sources"]):
                raise self._fault("wrong_sources", f"{key}.sources")
        if (brought := fields.get("brought")) is not None:
            own["brought"] = self._moment(brought, f"{key}.brought")
        return own

    def _moment(self, value: object, key: str) -> datetime:
        try:
            moment = datetime.fromisoformat(self.text(value, key))
        except ValueError as error:
            raise self._fault("wrong_moment", key) from error
        if moment.tzinfo is None or not 1 < moment.year < 9999:
            raise self._fault("wrong_moment", key)
        return moment.astimezone(UTC)

    def _state(self, form: Mapping[str, Any], key: str) -> dict[str, Any]:
        state: dict[str, Any] = {}
        strength, last = form.get("memory_strength"), form.get("last_recall_date")
        if strength is not None:
            is_number = isinstance(strength, int | float) and not isinstance(strength, bool)
            if not is_number or not 0 < strength < math.inf:
                raise self._fault("wrong_strength", f"{key}.memory_strength")
            state["strength"] = float(strength)
        if last is not None:
            state["last_recall"] = self._date(last, f"{key}.last_recall_date")
        return state

    def _dated(self, value: object, key: str) -> list[tuple[str, str, Any]]:
        """ISO day, the key as a person would name it, and the value, for each day."""
        found: dict[str, tuple[str, str, Any]] = {}
        for name, entry in self.mapping(value, key).items():
            where = f"{key}.{name}"
            day = self._date(name, where)
            if day in found:
                raise self._fault("wrong_date", where)
            found[day] = (day, where, entry)
        return list(found.values())

    def _date(self, value: object, key: str) -> str:
        try:
            day = date(*time.strptime(str(value).strip(), "%Y-%m-%d")[:3])
        except ValueError as error:
            raise self._fault("wrong_date", key) from error
        # At the ends of the calendar noon of a day has no moment in every time zone.
        if not 1 < day.year < 9999:
            raise self._fault("wrong_date", key)
        return day.isoformat()

    def mapping(self, value: object, key: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._fault("wrong_object", key)
        return value

    def text(self, value: object, key: str) -> str:
        if not isinstance(value, str):
            raise self._fault("wrong_text", key)
        return value

    def text_or_content(self, value: object, key: str) -> str:
        if value is None:
            return ""
        if isinstance(value, dict):
            value = value.get("content")
        text = self.text(value, key)
        return text if text.strip() else ""

    def _list(self, value: object, key: str) -> list[Any]:
        if not isinstance(value, list):
            raise self._fault("wrong_list", key)
        return value

    def _fault(self, kind: str, key: str) -> UnreadableFile:
        return UnreadableFile(f"import_{kind}", user=self._user, field=key)
