"""What a model says it read, held against what was said.

A prompt asks; this makes sure. Evidence must be turns that are there and no play; what the
companion said is never a fact about the person; a friend's taste is not the person's. What
does not hold is left out, and the rest of the answer stays.

The client of a real server checks an answer against the schema and asks once more;
:func:`complete_validated` looks again, so that no other client can bring half an answer into
the memory. The schemas bound every list and string: an answer that runs on until the length
limit cuts it is no JSON any more. Numbers that name no turn or no known fact are no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from siliconfriend.clock import noon_of
from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.attribution import (
    best_evidence,
    is_about_someone_else,
    leading_relative,
    words_without,
)
from siliconfriend.extraction.drafts import EventDraft, FactDraft
from siliconfriend.extraction.extractor import Extracted, Subject
from siliconfriend.extraction.phrases import figures_agree
from siliconfriend.extraction.queue import Batch
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import listed
from siliconfriend.memory.knowledge import Aspect, EntityType, Fact
from siliconfriend.memory.records import Turn
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.output import clean
from siliconfriend.recall.documents import OFFLINE
from siliconfriend.texts import LANGUAGES, text
from siliconfriend.topics.drafts import TopicDraft

COPIED_CHINESE = 4
"""Characters from which on a Chinese text that stands in the prompt is taken for a copy."""


def validate_extraction(
    data: Mapping[str, Any], subject: Subject, batch: Batch, known: Sequence[Fact], form: str = ""
) -> Extracted:
    """What of an answer holds.

    Args:
        data: of :func:`siliconfriend.extraction.validation.extraction_schema`.
        subject: whose talk it is.
        batch: what was read.
        known: the facts that were shown with it, by their numbers.
        form: the prompt without the talk; small models copy from it, which says nothing.
    """
    data = _without_prompt_copies(data, fold(form))
    reading = _AnswerValidator(subject, batch, known)
    return Extracted(
        events=tuple(filter(None, map(reading.event, data["events"]))),
        facts=tuple(filter(None, map(reading.fact, data["facts"]))),
        topics=tuple(reading.topics(data["themes"])),
        importance=reading.importance(data["importance"]),
    )


@dataclass(frozen=True, slots=True)
class _AnswerValidator:
    """One batch as its answer is checked against it."""

    subject: Subject
    batch: Batch
    known: Sequence[Fact]

    def event(self, raw: Mapping[str, Any]) -> EventDraft | None:
        turns = self._turns(raw["turns"])
        if not raw["text"] or self._is_retold(raw["text"], turns):
            return None
        return EventDraft(
            text=raw["text"],
            turns=tuple(turn.id for turn in turns),
            time=self._time(raw["time"], turns),
            place=raw["place"],
            scene=raw["scene"],
            key_words=_unique_words(raw["key_words"]),
            insight=raw["insight"],
        )

    def fact(self, raw: Mapping[str, Any]) -> FactDraft | None:
        turns = [it for it in self._turns(raw["turns"]) if it.id not in self.batch.role_play]
        draft = self._named(raw)
        if not turns or draft is None:
            return None
        if draft.said_by == "companion":
            holds = draft.entity_type == "subject" and self._was_said(draft, turns)
        else:
            holds = self._is_the_persons_word(draft, turns)
        if not holds:
            return None
        return FactDraft(
            text=draft.text,
            turns=tuple(turn.id for turn in turns),
            entity=draft.entity,
            entity_type=draft.entity_type,
            aspect=draft.aspect,
            key_word=draft.key_word,
            said_by=draft.said_by,
            corrects=self._known(raw["corrects"], draft),
            repeats=self._known(raw["repeats"], draft, alike=True),
        )

    def topics(self, raw: Sequence[Mapping[str, Any]]) -> Iterator[TopicDraft]:
        """The themes with every turn in just one; a turn that is in none goes with the one before."""
        place: dict[int, int] = {}
        for at, theme in enumerate(raw):
            for number in theme["turns"]:
                place.setdefault(number, at)
        if not place:
            return
        last = place[min(place)]
        for number in range(1, len(self.batch.turns) + 1):
            last = place.setdefault(number, last)
        for at, theme in enumerate(raw):
            numbers = sorted(number for number, where in place.items() if where == at)
            if numbers and theme["summary"]:
                continues = theme["continues"] and numbers[0] == 1 and self.batch.before is not None
                pages = tuple(self.batch.turns[number - 1].id for number in numbers)
                yield TopicDraft(
                    theme["summary"], _unique_words(theme["key_words"]), pages, continues
                )

    def importance(self, raw: Sequence[int]) -> dict[str, float]:
        """The ratings, where there is one for each turn."""
        if len(raw) != len(self.batch.turns):
            return {}
        return {turn.id: rating / 10 for turn, rating in zip(self.batch.turns, raw, strict=True)}

    def _turns(self, numbers: Sequence[int]) -> list[Turn]:
        return [self.batch.turns[number - 1] for number in sorted(set(numbers))]

    def _time(self, told: str, turns: Sequence[Turn]) -> datetime | None:
        """The moment that is told, in the person's zone; else that of the first turn, if known."""
        try:
            moment = datetime.fromisoformat(told)
        except ValueError:
            return turns[0].time
        if len(told) <= len("2026-06-01"):
            is_own_day = told == self.batch.date
            return turns[0].time if is_own_day else noon_of(moment.date(), self.batch.zone)
        return moment.astimezone() if moment.tzinfo else moment.replace(tzinfo=self.batch.zone)

    def _named(self, raw: Mapping[str, Any]) -> FactDraft | None:
        """The fact with its entity by the right name and of the right type."""
        entity, said, words = raw["entity"], raw["said_by"], raw["description"]
        if not entity or not words:
            return None
        kind: EntityType = raw["entity_type"]
        aspect: Aspect = raw["aspect"]
        entity = self._called(entity)
        if entity == self.subject.person:
            kind = "object"
        elif entity == self.subject.companion:
            kind = "subject"
        elif kind == "object":
            kind = "specific"
        elif kind == "subject":
            entity = self.subject.companion
        other = leading_relative(words, self.subject.person)
        if kind == "object" and other and aspect == "attribute":
            entity, kind = other, "specific"
        if aspect == "promise" and kind != "subject":
            aspect = "attribute"
        if fold(entity) not in fold(words):
            words = text("extraction", "unnamed", self.subject.language, entity=entity, text=words)
        return FactDraft(words, (), entity, kind, aspect, raw["key_word"], said)

    def _called(self, entity: str) -> str:
        plain = fold(entity)
        for name, key in (
            (self.subject.person, "called_person"),
            (self.subject.companion, "called_companion"),
        ):
            aliases = {
                alias for language in LANGUAGES for alias in listed("extraction", key, language)
            }
            if plain == fold(name) or plain in map(fold, aliases):
                return name
        return entity

    def _is_the_persons_word(self, draft: FactDraft, turns: Sequence[Turn]) -> bool:
        """Whether the person's own words bear it, and tell it of the one it is told of."""
        names = (self.subject.person, self.subject.companion)
        told = words_without(draft.text, *names)
        before = [] if self.batch.before is None else [self.batch.before]
        spoken = frozenset[str]().union(
            *(words_without(it.query) for it in (*self.batch.turns, *before))
        )
        replied = frozenset[str]().union(*(words_without(it.response) for it in turns))
        from_reply = (told - spoken) & replied
        if from_reply and len(from_reply) >= len(told & spoken):
            return False
        if from_reply & words_without(draft.key_word):
            return False
        said = [sentence for turn in turns for sentence in split_sentences(turn.query)]
        if not said:
            return False
        if draft.entity_type != "object" or leading_relative(draft.text, self.subject.person):
            return True
        support = best_evidence(draft.text, said, *names) or said[0]
        is_by_name = fold(support).startswith(fold(self.subject.person))
        return is_by_name or not is_about_someone_else(support)

    def _is_retold(self, event: str, turns: Sequence[Turn]) -> bool:
        """Whether only the companion told it: what it recalled must not be remembered once more.

        What the companion itself did may be an event, and then it is named in it.
        """
        if fold(self.subject.companion) in fold(event):
            return False
        told = words_without(event, self.subject.person)
        said = frozenset[str]().union(*(words_without(it.query) for it in turns))
        replied = frozenset[str]().union(*(words_without(it.response) for it in turns))
        return not told & said and bool(told & replied)

    def _was_said(self, draft: FactDraft, turns: Sequence[Turn]) -> bool:
        """Whether the companion's own words bear it; offline it only quotes the person."""
        told = words_without(draft.text, self.subject.person, self.subject.companion)
        replied = [it.response for it in turns if it.replied_by != OFFLINE and it.response.strip()]
        if not replied:
            return False
        asked = frozenset[str]().union(*(words_without(it.query) for it in turns))
        said = frozenset[str]().union(*map(words_without, replied))
        return bool(told & said) or not told & asked

    def _known(self, number: int | None, draft: FactDraft, *, alike: bool = False) -> str:
        """The id of a known fact by its number, where it is about the same."""
        fact = None if number is None else self.known[number - 1]
        if fact is None or fold(fact.entity) != fold(draft.entity):
            return ""
        if alike and not figures_agree(fact.text, draft.text):
            return ""
        if not alike and draft.said_by == "companion" and fact.said_by == "person":
            return ""
        return fact.id


def _without_prompt_copies(data: Any, form: str) -> Any:
    """The same with every text of several words empty that only repeats the form."""
    if isinstance(data, str):
        is_long = len(data) >= COPIED_CHINESE if is_chinese(data) else " " in data
        return "" if is_long and fold(data) in form else data
    if isinstance(data, list):
        return [_without_prompt_copies(it, form) for it in data]
    if isinstance(data, dict):
        return {name: _without_prompt_copies(it, form) for name, it in data.items()}
    return data


def _unique_words(raw: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in raw if word))


def complete_validated(chat: CompletionModel, prompt: str, schema: Mapping[str, Any]) -> Any:
    """What the model answers to a prompt, as JSON of the schema, without broken characters.

    Raises:
        UnusableAnswer: it is not of the schema.
        ModelError: as :meth:`ChatModel.complete`.
    """
    import jsonschema

    data = _clean_strings(chat.complete([Message("user", prompt)], schema).data)
    try:
        jsonschema.validate(data, dict(schema))
    except jsonschema.ValidationError as error:
        raise UnusableAnswer("model_not_json", name=chat.name) from error
    return data


def _clean_strings(data: Any) -> Any:
    """The same with whole characters only: JSON can spell halves of them."""
    if isinstance(data, str):
        return clean(data).strip()
    if isinstance(data, list):
        return [_clean_strings(it) for it in data]
    if isinstance(data, dict):
        return {name: _clean_strings(it) for name, it in data.items()}
    return data


EVENTS, FACTS, THEMES, KEY_WORDS = 5, 8, 3, 6
"""The most of each in one answer."""


def extraction_schema(turns: int, known: int) -> dict[str, Any]:
    """The JSON schema for a batch of so many turns that was shown with so many known facts."""
    numbers = _array({"type": "integer", "minimum": 1, "maximum": turns}, turns, least=1)
    named: dict[str, Any] = {"type": "null"}
    if known:
        named = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": known}, named]}
    key_words = _array(_string(30), KEY_WORDS)
    event = {
        "text": _string(200, least=1),
        "time": _string(16),
        "place": _string(60),
        "scene": _string(60),
        "key_words": key_words,
        "insight": _string(120),
        "turns": numbers,
    }
    fact = {
        "entity": _string(60, least=1),
        "entity_type": {"enum": ["subject", "object", "specific", "general"]},
        "aspect": {"enum": ["attribute", "relation", "scene", "promise"]},
        "key_word": _string(30),
        "description": _string(160, least=1),
        "said_by": {"enum": ["person", "companion"]},
        "turns": numbers,
        "corrects": named,
        "repeats": named,
    }
    theme = {
        "summary": _string(160, least=1),
        "key_words": key_words,
        "turns": numbers,
        "continues": {"type": "boolean"},
    }
    rating = {"type": "integer", "minimum": 1, "maximum": 10}
    return _object(
        {
            "events": _array(_object(event), EVENTS),
            "facts": _array(_object(fact), FACTS),
            "themes": _array(_object(theme), THEMES),
            "importance": _array(rating, turns),
        }
    )


def deduplication_schema(facts: int) -> dict[str, Any]:
    """The JSON schema for the groups among so many facts."""
    number = {"type": "integer", "minimum": 1, "maximum": facts}
    group = {"numbers": _array(number, facts, least=2), "text": _string(240, least=1)}
    return _object({"groups": _array(_object(group), facts)})


def _string(longest: int, least: int = 0) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": longest}


def _array(items: dict[str, Any], most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }
