"""The fields of imported entries: ours, and those that companion databases elsewhere have.

A database of entities has ``entity_name``, ``entity_type``, ``kind``, ``keyword``,
``description`` and ``updatetime``, one of events has ``text`` and ``metadata``; both mostly
with Chinese values. What is not known here is kept as it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from siliconfriend.memory.knowledge import Aspect, EntityType
from siliconfriend.models.output import clean
from siliconfriend.texts import Language

TEXT = ("content", "text", "description")
ENTITY = ("entity", "entity_name")
TYPE = ("entity_type",)
ASPECT = ("aspect", "kind")
KEY_WORDS = ("key_words", "key_word", "keywords", "keyword")
MOMENT = ("time", "last", "updatetime", "created_at", "date", "first")
INSIGHT = ("insight", "deepinsight", "deepinsigt")
OF_FACTS = (*ENTITY, *TYPE, *ASPECT)
"""A field of these makes an entry in a mixed list a fact."""

NOT_KEPT = frozenset(
    {"memory_id", "id", "position", "trace", "provenance", "said_by", "superseded_by", "merged"}
    | {"topic", "vectors", "sparse_vectors", "score", "log", "matched_keywords"}
)
"""Fields that belong to the place an entry comes from."""

ENTITY_TYPES: Mapping[str, EntityType] = {
    "subject": "subject",
    "主体": "subject",
    "object": "object",
    "客体": "object",
    "specific": "specific",
    "具体实体": "specific",
    "特殊实体": "specific",
    "general": "general",
    "泛化实体": "general",
}
ASPECTS: Mapping[str, Aspect] = {
    "attribute": "attribute",
    "属性": "attribute",
    "用户属性": "attribute",
    "其他属性": "attribute",
    "特殊实体属性": "attribute",
    "relation": "relation",
    "关系": "relation",
    "用户关系": "relation",
    "其他关系": "relation",
    "与主体和客体的关系": "relation",
    "与其它实体的关系": "relation",
    "与其他实体的关系": "relation",
    "scene": "scene",
    "记忆画面": "scene",
    "promise": "promise",
    "承诺": "promise",
}
LANGUAGES_NAMED: Mapping[str, Language] = {"en": "en", "cn": "cn", "zh": "cn"}


class ImportedEntry:
    """One entry of a file, read field by field.

    Args:
        form: the entry; used up.
        number: its place in the file, from 1, for what is said of it.
        zone: of moments without an offset.

    Raises:
        UnreadableFile: from every method, naming the entry and the field.
    """

    def __init__(self, form: object, number: int, zone: ZoneInfo) -> None:
        self._number, self._zone = number, zone
        if not isinstance(form, dict):
            raise self._wrong("{…}")
        self._form = {**self._nested(form, "extra"), **self._nested(form, "metadata"), **form}
        for name in ("extra", "metadata"):
            self._form.pop(name, None)
        self._written = frozenset(self._form)

    @property
    def is_of_a_fact(self) -> bool:
        """True if the entry has a field that only facts have."""
        return any(self._form.get(name) for name in OF_FACTS)

    def fact(self) -> Draft:
        """The entry as a fact."""
        kind = self._form.get("kind")
        entity = self._text(ENTITY)
        usual: EntityType = "specific" if entity else "subject"
        if isinstance(kind, str) and kind.startswith("用户"):
            usual = "object"
        return FactDraft(
            self._needed(TEXT),
            entity=entity,
            entity_type=self._one_of(TYPE, ENTITY_TYPES, usual),
            aspect=self._one_of(ASPECT, ASPECTS, "attribute"),
            key_word=" ".join(self._words(KEY_WORDS)),
            day=self._moment(MOMENT)[0],
            language=self._language(),
            extra=self._rest(),
        )

    def event(self) -> Draft:
        """The entry as an event."""
        text = self._needed(TEXT)
        day, time = self._moment(MOMENT)
        return EventDraft(
            text,
            day=day,
            time=time,
            place=self._text(("place",)),
            scene=self._text(("scene",)),
            key_words=self._words(KEY_WORDS),
            insight=self._text(INSIGHT),
            language=self._language(),
            extra=self._rest(),
        )

    def _take(self, names: Sequence[str]) -> object:
        """The first of these fields that says anything; all of them are used up."""
        found = [self._form.pop(name, None) for name in names]
        return next((it for it in found if it not in (None, "", [])), None)

    def _text(self, names: Sequence[str]) -> str:
        value = self._take(names)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self._wrong(self._as_written(names))
        return clean(value).strip()

    def _needed(self, names: Sequence[str]) -> str:
        words = self._text(names)
        if not words:
            raise self._wrong(self._as_written(names))
        return words

    def _words(self, names: Sequence[str]) -> tuple[str, ...]:
        value = self._take(names)
        several = value if isinstance(value, list) else [] if value is None else [value]
        words = [clean(word).strip() for word in several if isinstance(word, str)]
        if len(words) < len(several):
            raise self._wrong(self._as_written(names))
        return tuple(dict.fromkeys(filter(None, words)))

    def _one_of(self, names: Sequence[str], known: Mapping[str, Any], usual: Any) -> Any:
        value = self._text(names)
        if value and value not in known:
            raise self._wrong(self._as_written(names))
        return known.get(value, usual)

    def _moment(self, names: Sequence[str]) -> tuple[date | None, datetime | None]:
        """The day, and the moment where one is told; 0 and nothing mean that nobody knows."""
        value = self._take(names)
        if value in (None, 0, "0"):
            return None, None
        if not isinstance(value, str):
            raise self._wrong(self._as_written(names))
        try:
            if len(value.strip()) <= len("2018-09-30"):
                return date.fromisoformat(value.strip()), None
            moment = datetime.fromisoformat(value.strip())
        except ValueError as error:
            raise self._wrong(self._as_written(names)) from error
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=self._zone)).astimezone(UTC)
        return moment.astimezone(self._zone).date(), moment

    def _language(self) -> Language | None:
        language: Language | None = self._one_of(("language",), LANGUAGES_NAMED, None)
        return language

    def _rest(self) -> dict[str, Any]:
        return {name: it for name, it in self._form.items() if name not in NOT_KEPT}

    def _nested(self, form: Mapping[str, Any], name: str) -> dict[str, Any]:
        value = form.get(name) or {}
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError as error:
                raise self._wrong(name) from error
        if not isinstance(value, dict):
            raise self._wrong(name)
        return value

    def _as_written(self, names: Sequence[str]) -> str:
        """The name of a field as the file has it; of one that is missing our own."""
        return next((name for name in names if name in self._written), names[0])

    def _wrong(self, field: str) -> UnreadableFile:
        return UnreadableFile("lore_wrong_entry", number=self._number, field=field)
