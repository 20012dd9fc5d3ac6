"""Validate a model's answer: against its JSON schema, and against what was said.

A prompt asks; this makes sure. Evidence must be turns that are there and no role-play; what the
companion said is never a fact about the person; a friend's taste is not the person's. What
does not hold is left out, and the rest of the answer stays.

The client of a real server checks an answer against the schema and asks once more;
:func:`complete_validated` looks again, so that no other client can bring half an answer into
the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
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
from siliconfriend.extraction.support import Said, is_borne_out
from siliconfriend.extraction.unsaid import unsaid_names
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.knowledge import Aspect, EntityType, Fact
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Turn
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.output import clean, mismatch
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.texts import LANGUAGES, lookup, text
from siliconfriend.topics.drafts import TopicDraft

COPIED_CHINESE = 4
"""Characters from which on a Chinese text that stands in the prompt is taken for a copy."""


def complete_validated(chat: CompletionModel, prompt: str, schema: Mapping[str, Any]) -> Any:
    """Ask the model and validate its answer against a JSON schema; broken characters go.

    Raises:
        UnusableAnswer: the answer is not of the schema.
        ModelError: as :meth:`ChatModel.complete`.
    """
    data = _clean_strings(chat.complete([Message("user", prompt)], schema).data)
    if mismatch(data, schema):
        raise UnusableAnswer("model_not_json", name=chat.name)
    return data


def validate_extraction(
    data: Mapping[str, Any],
    subject: Subject,
    batch: Batch,
    known: Sequence[Fact],
    form: str = "",
    embed: Embed | None = None,
) -> Extracted:
    """Validate an answer against the batch: keep what the turns bear out, as drafts.

    Args:
        data: of :func:`extraction_schema`.
        subject: whose talk it is.
        batch: what was read.
        known: the facts that were shown with it, by their numbers.
        form: the prompt without the talk; small models copy from it, which says nothing.
        embed: compares what is answered with what was said; None for words alone.
    """
    data = _without_prompt_copies(data, fold(form))
    validator = _BatchValidator(subject, batch, known, embed)
    return Extracted(
        events=tuple(filter(None, map(validator.event, data["events"]))),
        facts=tuple(filter(None, map(validator.fact, data["facts"]))),
        topics=tuple(validator.topics(data["themes"])),
        importance=validator.importance(data["importance"]),
    )


@dataclass(frozen=True, slots=True)
class _BatchValidator:
    """Validates the parts of an answer against the batch that was read."""

    subject: Subject
    batch: Batch
    known: Sequence[Fact]
    embed: Embed | None

    def event(self, raw: Mapping[str, Any]) -> EventDraft | None:
        """The event, or None if only the companion told it or nobody did."""
        turns = self._turns(raw["turns"])
        if not raw["text"] or self._is_only_in_replies(raw["text"], turns):
            return None
        spoken = [words for turn in turns for words in (turn.query, turn.response)]
        if not self._is_borne_out(raw["text"], spoken, self.subject.person):
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
        """The fact, or None if it is only role-play or its speaker did not say it.

        What is known already was borne out when it was told first, by other turns.
        """
        turns = [turn for turn in self._turns(raw["turns"]) if turn.id not in self.batch.role_play]
        if not turns or not raw["entity"] or not raw["description"]:
            return None
        draft = self._normalize(raw)
        if draft.said_by == "companion":
            is_said = draft.entity_type == "subject" and self._is_said_by_companion(draft, turns)
        else:
            is_said = self._is_said_by_person(draft, turns)
        repeats = self._repeated_id(raw["repeats"], draft)
        speaker = self.subject.person if draft.said_by == "person" else self.subject.companion
        spoken = [turn.query for turn in turns]
        if draft.said_by == "companion":
            spoken += [turn.response for turn in turns]
        corrected = self._known_fact(raw["corrects"], draft)
        if not is_said or not (
            repeats or self._is_borne_out(draft.text, spoken, speaker, draft.entity, corrected)
        ):
            return None
        return replace(
            draft,
            turns=tuple(turn.id for turn in turns),
            corrects=self._corrected_id(raw["corrects"], draft),
            repeats=repeats,
        )

    def _is_borne_out(
        self,
        text: str,
        spoken: Sequence[str],
        speaker: str,
        entity: str = "",
        corrected: Fact | None = None,
    ) -> bool:
        """True if the words of the turns that are named as evidence bear a text out."""
        before = [] if self.batch.before is None else [self.batch.before]
        turns = [*before, *self.batch.turns]
        around = [words for turn in turns for words in (turn.query, turn.response)]
        around += [fact.text for fact in self.known]
        day = date.fromisoformat(self.batch.date)
        said = Said(
            tuple((words, day) for words in spoken if words.strip()),
            around="\n".join(around),
            corrected="" if corrected is None else corrected.text,
        )
        names = (speaker, self.subject.person, self.subject.companion, entity)
        told = "\n".join([*spoken, *around])
        if is_chinese(text) and is_chinese(told) and unsaid_names(text, f"{told}\n{names}"):
            return False
        return is_borne_out(text, said, names, self.embed)

    def topics(self, raw: Sequence[Mapping[str, Any]]) -> Iterator[TopicDraft]:
        """The topics with every turn in just one; a turn in none goes with the turn before it."""
        topic_of: dict[int, int] = {}
        for index, topic in enumerate(raw):
            for number in topic["turns"]:
                topic_of.setdefault(number, index)
        if not topic_of:
            return
        last = topic_of[min(topic_of)]
        for number in range(1, len(self.batch.turns) + 1):
            last = topic_of.setdefault(number, last)
        for index, topic in enumerate(raw):
            numbers = sorted(number for number, its in topic_of.items() if its == index)
            if numbers and topic["summary"]:
                continues = topic["continues"] and numbers[0] == 1 and self.batch.before is not None
                pages = tuple(self.batch.turns[number - 1].id for number in numbers)
                key_words = _unique_words(topic["key_words"])
                yield TopicDraft(topic["summary"], key_words, pages, continues)

    def importance(self, raw: Sequence[int]) -> dict[str, float]:
        """The ratings by turn id, or none if there is not one for each turn."""
        if len(raw) != len(self.batch.turns):
            return {}
        return {turn.id: rating / 10 for turn, rating in zip(self.batch.turns, raw, strict=True)}

    def _turns(self, numbers: Sequence[int]) -> list[Turn]:
        return [self.batch.turns[number - 1] for number in sorted(set(numbers))]

    def _time(self, written: str, turns: Sequence[Turn]) -> datetime | None:
        """The moment that is written, in the person's zone; else that of the first turn, if known."""
        try:
            moment = datetime.fromisoformat(written)
        except ValueError:
            return turns[0].time
        if len(written) <= len("2026-06-01"):
            is_own_day = written == self.batch.date
            return turns[0].time if is_own_day else noon_of(moment.date(), self.batch.zone)
        return moment.astimezone() if moment.tzinfo else moment.replace(tzinfo=self.batch.zone)

    def _normalize(self, raw: Mapping[str, Any]) -> FactDraft:
        """The fact with its entity by the right name and of the right type."""
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
        relative = leading_relative(description, self.subject.person)
        if entity_type == "object" and relative and aspect == "attribute":
            entity, entity_type = relative, "specific"
        if aspect == "promise" and entity_type != "subject":
            aspect = "attribute"
        if fold(entity) not in fold(description):
            language = self.subject.language
            description = text("extraction", "unnamed", language, entity=entity, text=description)
        return FactDraft(
            text=description,
            entity=entity,
            entity_type=entity_type,
            aspect=aspect,
            key_word=raw["key_word"],
            said_by=raw["said_by"],
        )

    def _resolve_name(self, entity: str) -> str:
        """The name of the person or companion where an alias ("user", 用户) stands for it."""
        folded = fold(entity)
        for name, key in (
            (self.subject.person, "called_person"),
            (self.subject.companion, "called_companion"),
        ):
            aliases = {it for language in LANGUAGES for it in lookup("extraction", key, language)}
            if folded == fold(name) or folded in map(fold, aliases):
                return name
        return entity

    def _is_said_by_person(self, draft: FactDraft, turns: Sequence[Turn]) -> bool:
        """True if the person's own words bear a fact out, and tell it of the same one."""
        names = (self.subject.person, self.subject.companion)
        words = words_without(draft.text, *names)
        before = [] if self.batch.before is None else [self.batch.before]
        asked = _words_in(turn.query for turn in (*self.batch.turns, *before))
        from_reply = (words - asked) & _words_in(turn.response for turn in turns)
        if from_reply and len(from_reply) >= len(words & asked):
            return False
        if from_reply & words_without(draft.key_word):
            return False
        said = [sentence for turn in turns for sentence in split_sentences(turn.query)]
        if not said:
            return False
        if draft.entity_type != "object" or leading_relative(draft.text, self.subject.person):
            return True
        evidence = best_evidence(draft.text, said, *names) or said[0]
        is_by_name = fold(evidence).startswith(fold(self.subject.person))
        return is_by_name or not is_about_someone_else(evidence)

    def _is_said_by_companion(self, draft: FactDraft, turns: Sequence[Turn]) -> bool:
        """True if the companion's own words bear a fact out; offline it only quotes the person."""
        words = words_without(draft.text, self.subject.person, self.subject.companion)
        replies = [turn.response for turn in turns if turn.replied_by != OFFLINE]
        replies = [reply for reply in replies if reply.strip()]
        if not replies:
            return False
        asked = _words_in(turn.query for turn in turns)
        return bool(words & _words_in(replies)) or not words & asked

    def _is_only_in_replies(self, event: str, turns: Sequence[Turn]) -> bool:
        """True if only the companion told it: what it recalled must not be remembered again.

        What the companion itself did may be an event, and then it is named in it.
        """
        if fold(self.subject.companion) in fold(event):
            return False
        words = words_without(event, self.subject.person)
        is_asked = words & _words_in(turn.query for turn in turns)
        return not is_asked and bool(words & _words_in(turn.response for turn in turns))

    def _repeated_id(self, number: int | None, draft: FactDraft) -> str:
        """The id of the known fact that a draft repeats, if their figures agree; else empty."""
        fact = self._known_fact(number, draft)
        return fact.id if fact is not None and figures_agree(fact.text, draft.text) else ""

    def _corrected_id(self, number: int | None, draft: FactDraft) -> str:
        """The id of the known fact that a draft corrects, not the companion the person; else empty."""
        fact = self._known_fact(number, draft)
        if fact is None or (draft.said_by == "companion" and fact.said_by == "person"):
            return ""
        return fact.id

    def _known_fact(self, number: int | None, draft: FactDraft) -> Fact | None:
        """The known fact of a number, if it is about the same entity."""
        fact = None if number is None else self.known[number - 1]
        return fact if fact is not None and fold(fact.entity) == fold(draft.entity) else None


def _words_in(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(words_without, texts))


def _without_prompt_copies(data: Any, form: str) -> Any:
    """Empty every text of several words that only repeats the prompt's own words."""
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


def _clean_strings(data: Any) -> Any:
    """Keep whole characters only: JSON can spell halves of them."""
    if isinstance(data, str):
        return clean(data).strip()
    if isinstance(data, list):
        return [_clean_strings(it) for it in data]
    if isinstance(data, dict):
        return {name: _clean_strings(it) for name, it in data.items()}
    return data
