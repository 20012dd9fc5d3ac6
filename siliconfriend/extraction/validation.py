"""Validate a model's answer against the turns.

Invalid parts are dropped, and so are facts that only the companion stated or that are about
friends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from siliconfriend.clock import noon_of
from siliconfriend.extraction.extractor import ChangeDraft, Extracted, Known, Subject
from siliconfriend.extraction.polarity import split_clauses
from siliconfriend.extraction.queue import Batch
from siliconfriend.extraction.support import Source, is_supported, unsupported_names
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.dictionary import is_everyday_word
from siliconfriend.language.numbers import figures_in
from siliconfriend.language.tokenizer import segmenter
from siliconfriend.language.words import content_set, word_set
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.memory.knowledge import CLOSING, OFFLINE, Aspect, EntityType, Fact
from siliconfriend.memory.records import Turn
from siliconfriend.models.output import map_texts
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.embedders.cached import Embed
from siliconfriend.texts import LANGUAGES, lookup, text

COPIED_CHINESE = 4
"""Minimum length at which Chinese text from the prompt counts as copied."""


def validate_extraction(
    data: Mapping[str, Any],
    subject: Subject,
    batch: Batch,
    known: Sequence[Known],
    form: str = "",
    embed: Embed | None = None,
    *,
    checks: bool = True,
) -> Extracted:
    """Validate an answer of :func:`extraction_schema`: keep supported parts as drafts.

    ``known`` is what was shown, by its numbers. ``form`` is the prompt without the talk:
    what small models copy from it says nothing. ``embed`` is None to compare words alone.
    ``checks`` is False where a model judges afterwards whether the turns bear it out.
    """
    folded = fold(form)

    def without_copy(words: str) -> str:
        is_long = len(words) >= COPIED_CHINESE if is_chinese(words) else " " in words
        return "" if is_long and fold(words) in folded else words

    data = map_texts(data, without_copy)
    validator = _BatchValidator(subject, batch, known, embed, checks)
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
    embed: Embed | None
    checks: bool

    def event(self, raw: Mapping[str, Any]) -> EventDraft | None:
        """Return the event, or None if its turns do not support it."""
        turns = self._turns(raw["turns"])
        spoken = [words for turn in turns for words in (turn.query, turn.response)]
        if not raw["text"] or (self.checks and self._is_only_in_replies(raw["text"], turns)):
            return None
        if self.checks and not self._is_supported(raw["text"], spoken, self.subject.person):
            return None
        is_placed = fold(raw["place"]) in fold("\n".join(spoken))
        return EventDraft(
            text=raw["text"],
            turns=tuple(turn.id for turn in turns),
            time=self._time(raw["time"], turns),
            place=raw["place"] if is_placed else "",
        )

    def fact(self, raw: Mapping[str, Any]) -> FactDraft | None:
        """Return the fact, or None if it is only role-play or its speaker did not say it."""
        turns = [turn for turn in self._turns(raw["turns"]) if turn.id not in self.batch.role_play]
        if not turns or not raw["entity"] or not raw["description"]:
            return None
        draft = self._normalize(raw)
        is_own = draft.said_by == "companion"
        if not self.checks:
            is_said = not is_own or draft.entity_type == "subject"
        elif is_own:
            is_said = draft.entity_type == "subject" and self._is_said_by_companion(draft, turns)
        else:
            is_said = self._is_said_by_person(draft, turns)
        repeated = self._known_fact(raw["repeats"], draft)
        if repeated is not None and figures_in(repeated.text) != figures_in(draft.text):
            repeated = None
        corrected = self._known_fact(raw["corrects"], draft)
        spoken = [turn.query for turn in turns] + [turn.response for turn in turns if is_own]
        speaker = self.subject.companion if is_own else self.subject.person
        if not is_said or not (
            repeated
            or not self.checks
            or self._is_supported(draft.text, spoken, speaker, draft.entity, corrected)
        ):
            return None
        if is_own and corrected is not None and corrected.said_by == "person":
            corrected = None  # the companion cannot correct the person's statements
        return replace(
            draft,
            turns=tuple(turn.id for turn in turns),
            corrects=corrected.id if corrected else "",
            repeats=repeated.id if repeated else "",
        )

    def change(self, raw: Mapping[str, Any]) -> ChangeDraft | None:
        """Return a turn's change to a known memory; None for itself or without a shared word."""
        if not self.known:
            return None
        turn, known = self.batch.turns[raw["turn"] - 1], self.known[raw["number"] - 1]
        told = word_set(own_words(known))
        said = word_set(turn.query, self.batch.before.query if self.batch.before else "")
        if turn.id == known.id or turn.id in self.batch.role_play:
            return None
        if self.checks and raw["how"] in CLOSING and told.isdisjoint(said):
            return None
        return ChangeDraft(known.id, turn.id, raw["how"])

    def _turns(self, numbers: Sequence[int]) -> list[Turn]:
        return [self.batch.turns[number - 1] for number in sorted(set(numbers))]

    def _time(self, written: str, turns: Sequence[Turn]) -> datetime | None:
        """Return when an event was: at the written time if the turns name its day, else when told."""
        try:
            moment = datetime.fromisoformat(written)
        except ValueError:
            return turns[0].time
        if not self._is_told(moment.date(), turns):
            return turns[0].time
        if len(written) <= len("2026-06-01"):
            is_own_day = written == self.batch.date
            return turns[0].time if is_own_day else noon_of(moment.date(), self.batch.zone)
        return moment.astimezone() if moment.tzinfo else moment.replace(tzinfo=self.batch.zone)

    def _is_told(self, day: date, turns: Sequence[Turn]) -> bool:
        said_on = date.fromisoformat(self.batch.date)
        spoken = "\n".join(words for turn in turns for words in (turn.query, turn.response))
        named = find_dates_said_on(spoken, said_on)
        return day == said_on or any(span.first <= day <= span.last for span in named)

    def _is_supported(
        self,
        words: str,
        spoken: Sequence[str],
        speaker: str,
        entity: str = "",
        corrected: Fact | None = None,
    ) -> bool:
        turns = [turn for turn in (self.batch.before, *self.batch.turns) if turn is not None]
        around = [said for turn in turns for said in (turn.query, turn.response)]
        around += map(own_words, self.known)
        day, puts_right = date.fromisoformat(self.batch.date), corrected.text if corrected else ""
        source = Source(
            [words for words in spoken if words.strip()], day, "\n".join(around), puts_right
        )
        names = (speaker, self.subject.person, self.subject.companion, entity)
        return is_supported(words, source, names, self.embed)

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

    def _is_said_by_person(self, draft: FactDraft, turns: Sequence[Turn]) -> bool:
        """Return True if a fact rests on the person's own words, which tell it of the same one."""
        forms = self._content(draft.text)
        before = [] if self.batch.before is None else [self.batch.before]
        asked = content_set(*(turn.query for turn in (*self.batch.turns, *before)))
        from_reply = (forms - asked) & content_set(*(turn.response for turn in turns))
        from_reply -= content_set(*unsupported_names(draft.text, "\n".join(t.query for t in turns)))
        if from_reply and len(from_reply) >= len(forms & asked):
            return False
        if from_reply & content_set(draft.key_word):
            return False
        said = [part for turn in turns for part in split_clauses(turn.query)]
        if not said or draft.entity_type != "object":
            return bool(said)
        evidence = max(said, key=lambda part: len(forms & content_set(part)))
        is_by_name = self.subject.person in evidence
        return is_by_name or not is_about_someone_else(evidence, draft.text)

    def _is_said_by_companion(self, draft: FactDraft, turns: Sequence[Turn]) -> bool:
        """Return True if the companion's own words support a fact; offline replies only quote."""
        replies = [
            turn.response for turn in turns if turn.replied_by != OFFLINE and turn.response.strip()
        ]
        forms = self._content(draft.text)
        asked = content_set(*(turn.query for turn in turns))
        return bool(replies) and bool(forms & content_set(*replies) or not forms & asked)

    def _is_only_in_replies(self, event: str, turns: Sequence[Turn]) -> bool:
        """Return True if only the companion mentioned it and the companion is not its subject."""
        if fold(self.subject.companion) in fold(event):
            return False
        forms = self._content(event)
        is_asked = forms & content_set(*(turn.query for turn in turns))
        return not is_asked and bool(forms & content_set(*(turn.response for turn in turns)))

    def _content(self, words: str) -> frozenset[str]:
        names = content_set(self.subject.person, self.subject.companion)
        return content_set(words) - names

    def _known_fact(self, number: int | None, draft: FactDraft) -> Fact | None:
        fact = None if number is None else self.known[number - 1]
        return fact if isinstance(fact, Fact) and fold(fact.entity) == fold(draft.entity) else None


def claim_of(draft: EventDraft | FactDraft, told_on: str) -> str:
    """Return all that a draft states, in one sentence for a judge."""
    if isinstance(draft, FactDraft):
        return draft.text
    day = "" if draft.time is None else draft.time.date().isoformat()
    details = ", ".join(part for part in ("" if day == told_on else day, draft.place) if part)
    return f"{draft.text} ({details})" if details else draft.text


def is_about_someone_else(sentence: str, text: str) -> bool:
    """Return True if a sentence introduces a person ("My friend Jack …") missing in a text."""
    plain = sentence.strip().replace("’", "'")
    if is_chinese(plain):
        if any(word in ("他", "她", "他们", "她们") for word, _ in segmenter().tag(plain)[:1]):
            return True
        owner = re.match("(?:我们|咱们|我)的?", plain)
        tagged = segmenter().tag(plain[owner.end() :])[:1] if owner else []
        return any(kind.startswith("n") and word not in text for word, kind in tagged)
    owned = re.match(r"(?:and |but |so )?(?:my|our) (\w+)(?: (\w+))?", plain, re.IGNORECASE)
    rest = plain[owned.end() :] if owned else plain
    if re.search(r"\b(?:i|we|me|us|my|our)\b", rest, re.IGNORECASE):
        return False
    if owned:
        named = [
            word for word in (owned[1], owned[2]) if word == owned[1] or (word or "").istitle()
        ]
        return not any(fold(word) in fold(text) for word in named)
    if re.match(r"(?:he|she|they|his|her|their)\b", plain, re.IGNORECASE):
        return True
    first = re.match(r"([A-Z][a-z]+)(?:'s)? \w", plain)
    name = fold(first[1]) if first else ""
    return bool(name) and not is_everyday_word(name) and name not in fold(text)
