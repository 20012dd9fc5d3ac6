"""The fields of imported entries: ours, and those that companion databases elsewhere have.

A database of entities has ``entity_name``, ``entity_type``, ``kind``, ``keyword``,
``description`` and ``updatetime``, one of events has ``text`` and ``metadata``; both mostly
with Chinese values. What is not known here is kept as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from siliconfriend.models.output import clean

FACTS = ("facts", "memory_entities", "entities")
EVENTS = ("events", "memory_events")
NAMES: Mapping[str, tuple[str, ...]] = {
    "content": ("content", "text", "description"),
    "entity": ("entity", "entity_name"),
    "entity_type": ("entity_type",),
    "aspect": ("aspect", "kind"),
    "key_words": ("key_words", "key_word", "keywords", "keyword"),
    "time": ("time", "last", "updatetime", "created_at", "date", "first"),
    "insight": ("insight", "deepinsight", "deepinsigt"),
    **{name: (name,) for name in ("place", "scene", "language")},
}
"""The names that each field has."""
OF_FACTS = (*NAMES["entity"], *NAMES["entity_type"], *NAMES["aspect"])
"""A field of these makes an entry in a mixed list a fact."""
NOT_KEPT = frozenset(
    {"memory_id", "id", "position", "trace", "provenance", "said_by", "superseded_by", "merged"}
    | {"topic", "vectors", "sparse_vectors", "score", "log", "matched_keywords"}
)
"""Fields that belong to the place an entry comes from."""
VALUES: Mapping[str, Mapping[str, str]] = {
    "entity_type": {
        **{name: name for name in ("subject", "object", "specific", "general")},
        "主体": "subject",
        "客体": "object",
        "泛化实体": "general",
        **dict.fromkeys(("具体实体", "特殊实体"), "specific"),
    },
    "aspect": {
        **{name: name for name in ("attribute", "relation", "scene", "promise")},
        "属性": "attribute",
        "关系": "relation",
        "画面": "scene",
        "承诺": "promise",
    },
    "language": {"en": "en", "cn": "cn", "zh": "cn"},
}
"""What the values of a field end with (用户属性, 特殊实体属性), and what they mean."""


def read_drafts(form: object, zone: ZoneInfo) -> Iterator[Draft]:
    """The entries of a JSON value: a list, or an object with lists of facts and of events.

    ``zone`` is of moments without an offset.

    Raises:
        UnreadableFile: it holds no lore, or naming the entry and the field that is wrong.
    """
    number = 0
    for kind, entries in _lists(form):
        for entry in entries:
            number += 1
            fields = _Fields(entry, number)
            is_fact = fields.is_of_a_fact if kind is None else kind == "fact"
            yield _fact(fields, zone) if is_fact else _event(fields, zone)


def is_ours(document: object) -> bool:
    """True if the JSON is an object of facts or events."""
    return isinstance(document, dict) and any(name in document for name in (*FACTS, *EVENTS))


def _lists(form: object) -> Iterator[tuple[str | None, list[Any]]]:
    if isinstance(form, list):
        yield None, form
        return
    if not isinstance(form, dict) or not is_ours(form):
        raise UnreadableFile("lore_no_entries")
    for name in (*FACTS, *EVENTS):
        entries = form.get(name, [])
        if not isinstance(entries, list):
            raise UnreadableFile("lore_no_entries")
        yield "fact" if name in FACTS else "event", entries


def _fact(fields: _Fields, zone: ZoneInfo) -> Draft:
    is_of_the_person = fields.starts_with("kind", "用户")
    entity = fields.text("entity")
    usual = "object" if is_of_the_person else "specific" if entity else "subject"
    more: dict[str, Any] = {
        "entity_type": fields.one_of("entity_type") or usual,
        "aspect": fields.one_of("aspect") or "attribute",
        "language": fields.one_of("language"),
    }
    return FactDraft(
        fields.text("content", is_needed=True),
        entity=entity,
        key_word=" ".join(fields.words("key_words")),
        day=fields.moment("time", zone)[0],
        extra=fields.rest(),
        **more,
    )


def _event(fields: _Fields, zone: ZoneInfo) -> Draft:
    text = fields.text("content", is_needed=True)
    day, time = fields.moment("time", zone)
    language: Any = fields.one_of("language")
    return EventDraft(
        text,
        day=day,
        time=time,
        place=fields.text("place"),
        scene=fields.text("scene"),
        key_words=fields.words("key_words"),
        insight=fields.text("insight"),
        language=language,
        extra=fields.rest(),
    )


class _Fields:
    """One entry of a file, taken field by field; what is wrong is told with its number."""

    def __init__(self, form: object, number: int) -> None:
        self._number, self._written = number, frozenset[str]()
        if not isinstance(form, dict):
            raise self._wrong("{…}")
        self._form = dict(form)
        inner = [self._nested(self._form.pop(name, None), name) for name in ("extra", "metadata")]
        self._form = {**inner[0], **inner[1], **self._form}
        self._written = frozenset(self._form)

    @property
    def is_of_a_fact(self) -> bool:
        return any(self._form.get(name) for name in OF_FACTS)

    def starts_with(self, name: str, prefix: str) -> bool:
        return str(self._form.get(name)).startswith(prefix)

    def text(self, field: str, *, is_needed: bool = False) -> str:
        value = self._take(field)
        words = clean(value).strip() if isinstance(value, str) else ""
        if (is_needed and not words) or not isinstance(value, str | None):
            raise self._wrong(field)
        return words

    def words(self, field: str) -> tuple[str, ...]:
        value = self._take(field)
        several = value if isinstance(value, list) else [] if value is None else [value]
        if not all(isinstance(word, str) for word in several):
            raise self._wrong(field)
        return tuple(dict.fromkeys(filter(None, (clean(word).strip() for word in several))))

    def one_of(self, field: str) -> str | None:
        value = self.text(field)
        found = (own for end, own in VALUES[field].items() if value.endswith(end))
        if value and (own := next(found, None)) is None:
            raise self._wrong(field)
        return own if value else None

    def moment(self, field: str, zone: ZoneInfo) -> tuple[date | None, datetime | None]:
        """The day, and the moment where one is told; 0 and nothing mean that nobody knows."""
        value = self._take(field)
        if value in (None, 0, "0"):
            return None, None
        try:
            written = str(value).strip()
            if len(written) <= len("2018-09-30"):
                return date.fromisoformat(written), None
            moment = datetime.fromisoformat(written)
        except ValueError as error:
            raise self._wrong(field) from error
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
        return moment.astimezone(zone).date(), moment

    def rest(self) -> dict[str, Any]:
        return {name: it for name, it in self._form.items() if name not in NOT_KEPT}

    def _take(self, field: str) -> Any:
        """The first of the field's names that says anything; all of them are used up."""
        found = [self._form.pop(name, None) for name in NAMES[field]]
        return next((it for it in found if it not in (None, "", [])), None)

    def _nested(self, value: Any, name: str) -> dict[str, Any]:
        try:
            value = json.loads(value) if isinstance(value, str) and value else value or {}
        except ValueError as error:
            raise self._wrong(name) from error
        if not isinstance(value, dict):
            raise self._wrong(name)
        return value

    def _wrong(self, field: str) -> UnreadableFile:
        """The error of a field, by the name that the file has for it."""
        names = NAMES.get(field, (field,))
        written = next((name for name in names if name in self._written), names[0])
        return UnreadableFile("lore_wrong_entry", number=self._number, field=written)
