"""Facts and events in JSON: as a companion's ``lore.json`` has them, or written by hand.

``content`` may also be called ``text``; every other field may be left out, and one that is not
known here stays with its entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any, get_args
from zoneinfo import ZoneInfo

from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from siliconfriend.memory.knowledge import Aspect, EntityType
from siliconfriend.models.output import clean
from siliconfriend.texts import Language

LISTS = ("facts", "events")
VALUES: Mapping[str, tuple[str, ...]] = {
    "entity_type": get_args(EntityType),
    "aspect": get_args(Aspect),
    "language": get_args(Language),
}
NOT_KEPT = frozenset(
    {"memory_id", "id", "position", "trace", "provenance", "said_by", "superseded_by", "merged"}
    | {"topic", "kind", "value", "first"}
)
"""Fields that belong to the place an entry comes from."""


def read_drafts(form: object, zone: ZoneInfo) -> Iterator[Draft]:
    """Yield the entries of a JSON value: a list, or an object with lists of facts and of events.

    In a list an entry about an entity is a fact; ``zone`` is of moments without an offset.

    Raises:
        UnreadableFile: it holds no lore, or naming the entry and the field that is wrong.
    """
    if isinstance(form, list):
        entries = [("", it) for it in form]
    elif isinstance(form, dict) and is_ours(form):
        lists = {name: form.get(name, []) for name in LISTS}
        if not all(isinstance(several, list) for several in lists.values()):
            raise UnreadableFile("lore_no_entries")
        entries = [(name, it) for name, several in lists.items() for it in several]
    else:
        raise UnreadableFile("lore_no_entries")
    for number, (name, entry) in enumerate(entries, 1):
        fields = _Fields(entry, number)
        is_fact = name == "facts" or (not name and fields.is_of_a_fact)
        yield _fact(fields, zone) if is_fact else _event(fields, zone)


def is_ours(document: object) -> bool:
    """Return True if the JSON is an object of facts or events."""
    return isinstance(document, dict) and any(name in document for name in LISTS)


def _fact(fields: _Fields, zone: ZoneInfo) -> Draft:
    entity = fields.text("entity")
    return FactDraft(
        fields.text("content", "text", is_needed=True),
        entity=entity,
        entity_type=fields.one_of("entity_type") or ("specific" if entity else "subject"),
        aspect=fields.one_of("aspect") or "attribute",
        key_word=" ".join(fields.words("key_word", "key_words")),
        day=fields.moment(zone)[0],
        language=fields.one_of("language"),
        extra=fields.rest(),
    )


def _event(fields: _Fields, zone: ZoneInfo) -> Draft:
    words = fields.text("content", "text", is_needed=True)
    day, time = fields.moment(zone)
    return EventDraft(
        words,
        day=day,
        time=time,
        place=fields.text("place"),
        scene=fields.text("scene"),
        key_words=fields.words("key_words", "key_word"),
        insight=fields.text("insight"),
        language=fields.one_of("language"),
        extra=fields.rest(),
    )


class _Fields:
    """One entry of a file, taken field by field; what is wrong is told with its number."""

    def __init__(self, form: object, number: int) -> None:
        self._number = number
        if not isinstance(form, dict):
            raise self._wrong("{…}")
        extra = form.get("extra") or {}
        if not isinstance(extra, dict):
            raise self._wrong("extra")
        self._form = {**extra, **form}
        self._form.pop("extra", None)

    @property
    def is_of_a_fact(self) -> bool:
        return any(self._form.get(name) for name in ("entity", "entity_type", "aspect"))

    def text(self, *names: str, is_needed: bool = False) -> str:
        name, value = self._take(*names)
        words = clean(value).strip() if isinstance(value, str) else ""
        if (is_needed and not words) or not isinstance(value, str | None):
            raise self._wrong(name)
        return words

    def words(self, *names: str) -> tuple[str, ...]:
        name, value = self._take(*names)
        several = value if isinstance(value, list) else [] if value is None else [value]
        if not all(isinstance(word, str) for word in several):
            raise self._wrong(name)
        return tuple(dict.fromkeys(filter(None, (clean(word).strip() for word in several))))

    def one_of(self, name: str) -> Any:
        value = self.text(name)
        if value and value not in VALUES[name]:
            raise self._wrong(name)
        return value or None

    def moment(self, zone: ZoneInfo) -> tuple[date | None, datetime | None]:
        """Return the day, and the moment where one is told."""
        name, value = self._take("time", "last", "date")
        if value is None:
            return None, None
        try:
            written = str(value).strip()
            if len(written) <= len("2018-09-30"):
                return date.fromisoformat(written), None
            moment = datetime.fromisoformat(written)
        except ValueError as error:
            raise self._wrong(name) from error
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
        return moment.astimezone(zone).date(), moment

    def rest(self) -> dict[str, Any]:
        return {name: it for name, it in self._form.items() if name not in NOT_KEPT}

    def _take(self, *names: str) -> tuple[str, Any]:
        """The first of some names that says anything, and what it says; all of them are used up."""
        found = {name: self._form.pop(name) for name in names if name in self._form}
        usual = (next(iter(found), names[0]), None)
        return next((it for it in found.items() if it[1] not in (None, "", [])), usual)

    def _wrong(self, field: str) -> UnreadableFile:
        return UnreadableFile("lore_wrong_entry", number=self._number, field=field)
