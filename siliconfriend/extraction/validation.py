"""Validate the form of a model's answer against the turns.

Invalid parts and facts from role-play are dropped. Whether the turns support a sentence is judged by
the model itself (:mod:`siliconfriend.extraction.judge`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.clock import noon_of
from siliconfriend.extraction.extractor import ChangeDraft, Extracted, Known, Subject
from siliconfriend.extraction.queue import Batch
from siliconfriend.language.characters import fold, is_written_in
from siliconfriend.language.numbers import figures_in
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.memory.knowledge import Aspect, EntityType, Fact
from siliconfriend.memory.records import Turn
from siliconfriend.texts import LANGUAGES, lookup, text

MOST_YEARS = 200
"""Maximum years between an event and the day it was told."""


def validate_extraction(
    data: Mapping[str, Any], subject: Subject, batch: Batch, known: Sequence[Known]
) -> Extracted:
    """Validate an answer of :func:`extraction_schema`: keep usable parts as drafts.

    ``known`` are the shown memories, by their numbers.
    """
    validator = _BatchValidator(subject, batch, known)
    ratings = data["importance"] if len(data["importance"]) == len(batch.turns) else ()
    return Extracted(
        events=tuple(filter(None, map(validator.event, data["events"]))),
        facts=tuple(filter(None, map(validator.fact, data["facts"]))),
        changes=tuple(filter(None, map(validator.change, data.get("changes", ())))),
        importance={
            turn.id: rating / 10 for turn, rating in zip(batch.turns, ratings, strict=False)
        },
    )


@dataclass(frozen=True, slots=True)
class _BatchValidator:
    subject: Subject
    batch: Batch
    known: Sequence[Known]

    def event(self, raw: Mapping[str, Any]) -> EventDraft | None:
        """Return the event, or None if it is in another language."""
        turns = self._turns(raw["turns"])
        if not is_written_in(raw["text"], self.subject.language):
            return None
        ids, time = tuple(turn.id for turn in turns), self._time(raw["time"])
        return EventDraft(raw["text"], ids, time=time, place=raw["place"])

    def fact(self, raw: Mapping[str, Any]) -> FactDraft | None:
        """Return the fact.

        None if it is only role-play, in another language or the companion's about the person.
        """
        turns = [turn for turn in self._turns(raw["turns"]) if turn.id not in self.batch.role_play]
        if not turns or not is_written_in(raw["description"], self.subject.language):
            return None
        draft = self._normalize(raw)
        is_own = draft.said_by == "companion"
        if is_own and draft.entity_type != "subject":
            return None
        repeated = self._known_fact(raw["repeats"], draft)
        if repeated is not None and figures_in(repeated.text) != figures_in(draft.text):
            repeated = None
        corrected = self._known_fact(raw["corrects"], draft)
        if is_own and corrected is not None and corrected.said_by == "person":
            corrected = None  # the companion cannot correct the person's statements
        return replace(
            draft,
            turns=tuple(turn.id for turn in turns),
            corrects=corrected.id if corrected else "",
            repeats=repeated.id if repeated else "",
        )

    def change(self, raw: Mapping[str, Any]) -> ChangeDraft | None:
        """Return a turn's change to an earlier memory; None in role-play."""
        if not self.known:
            return None
        turn, known = self.batch.turns[raw["turn"] - 1], self.known[raw["number"] - 1]
        if turn.id == known.id or turn.id in self.batch.role_play:
            return None
        return ChangeDraft(known.id, turn.id, raw["how"])

    def _turns(self, numbers: Sequence[int]) -> list[Turn]:
        return [self.batch.turns[number - 1] for number in sorted(set(numbers))]

    def _time(self, written: str) -> datetime | None:
        """Return when an event was: noon of a day alone; None if only the day it was told is known."""
        try:
            moment = datetime.fromisoformat(written)
        except ValueError:
            return None
        if abs(moment.year - int(self.batch.date[:4])) > MOST_YEARS:  # "9999-12-31" for unknown
            return None
        if len(written) <= len("2026-06-01"):
            is_own_day = written == self.batch.date
            return None if is_own_day else noon_of(moment.date(), self.batch.zone)
        return moment if moment.tzinfo else moment.replace(tzinfo=self.batch.zone)

    def _normalize(self, raw: Mapping[str, Any]) -> FactDraft:
        description = raw["description"]
        entity_type: EntityType = raw["entity_type"]
        aspect: Aspect = raw["aspect"]
        entity = self._resolve_name(raw["entity"])
        if entity == self.subject.person:
            entity_type = "object"
        elif entity == self.subject.companion:
            entity_type = "subject"
        elif entity_type == "object":
            entity_type = "specific"
        elif entity_type == "subject":
            entity = self.subject.companion
        if aspect == "promise" and entity_type != "subject":
            aspect = "attribute"
        if fold(entity) not in fold(description):
            language = self.subject.language
            description = text("extraction", "unnamed", language, entity=entity, text=description)
        said_by, word = raw["said_by"], raw["key_word"]
        return FactDraft(description, (), entity, entity_type, aspect, word, said_by=said_by)

    def _resolve_name(self, entity: str) -> str:
        names = {"called_person": self.subject.person, "called_companion": self.subject.companion}
        for key, name in names.items():
            aliases = (
                alias for language in LANGUAGES for alias in lookup("extraction", key, language)
            )
            if fold(entity) in map(fold, (name, *aliases)):
                return name
        return entity

    def _known_fact(self, number: int | None, draft: FactDraft) -> Fact | None:
        fact = None if number is None else self.known[number - 1]
        return fact if isinstance(fact, Fact) and fold(fact.entity) == fold(draft.entity) else None


def claim_of(draft: EventDraft | FactDraft, zone: ZoneInfo) -> str:
    """Return all that a draft states, in one sentence for a judge; its time in a time zone."""
    if isinstance(draft, FactDraft):
        return draft.text
    when = "" if draft.time is None else f"{draft.time.astimezone(zone):%Y-%m-%d %H:%M}"
    details = ", ".join(filter(None, (when.removesuffix(" 12:00"), draft.place)))
    return f"{draft.text} ({details})" if details else draft.text
