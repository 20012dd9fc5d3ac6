"""Extract events and facts of a batch with a chat model: one request to extract, one to check.

A batch or an answer that is too long is halved; any other failure leaves the batch pending.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, get_args

from siliconfriend.errors import ModelError
from siliconfriend.extraction.extractor import ChangeDraft, Extracted, Known, Subject
from siliconfriend.extraction.judge import TOO_LONG, Claim, judge_claims
from siliconfriend.extraction.queue import BATCH_SIZE, Batch
from siliconfriend.extraction.validation import claim_of, validate_extraction
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.memory.knowledge import CLOSING, TieKind
from siliconfriend.memory.records import Turn
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.tokens import MESSAGE_TOKENS, estimate_tokens, truncate
from siliconfriend.prompts.escape import Escaped, join, speaker_line
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.time_words import date_with_weekday
from siliconfriend.recall.times import words_of
from siliconfriend.texts import text

MAX_FACT_TOKENS = 60
"""Tokens of a known fact in the prompt."""
MAX_TOKENS_BEFORE = 120
"""Maximum tokens of the turn before the batch."""
MIN_UTTERANCE_TOKENS = 60
"""Minimum tokens of one utterance for any context size."""
MAX_EVENTS, MAX_FACTS = 6, 10
"""Maximum number of each in one answer for up to ten turns; doubled for more."""


class ModelExtractor:
    """Reads with a chat model.

    Args:
        prompts: in the person's language.
        answer_tokens: how long an answer may be.
    """

    def __init__(self, chat: CompletionModel, prompts: Prompts, *, answer_tokens: int) -> None:
        self._chat, self._prompts = chat, prompts
        self._room = chat.context_tokens - min(answer_tokens, chat.context_tokens // 3)

    @property
    def made_by(self) -> str:
        """The name of the model that answered last."""
        return self._chat.name

    def extract(self, subject: Subject, batch: Batch, known: Sequence[Known]) -> Extracted:
        """Extract from a batch, and validate the answer; errors as ``CompletionModel.complete``."""
        taken = estimate_tokens(self._prompt(subject, batch, known, "")) + MESSAGE_TOKENS
        room, count = self._room - taken, len(batch.turns)
        talk = _format_turns(subject, batch, None)
        if estimate_tokens(talk) > room:
            if count > 1:
                return self._extract_halves(subject, batch, known)
            longest = max(room // 2 - MAX_TOKENS_BEFORE, MIN_UTTERANCE_TOKENS)
            talk = _format_turns(subject, batch, longest)
        prompt = self._prompt(subject, batch, known, talk)
        try:
            asked = [Message("user", prompt)]
            data = self._chat.complete(asked, extraction_schema(count, len(known))).data
        except ModelError as error:
            if error.key not in TOO_LONG or count == 1:
                raise
            return self._extract_halves(subject, batch, known)
        found = validate_extraction(data, subject, batch, known)
        return self._judged(subject, batch, known, found)

    def _judged(
        self, subject: Subject, batch: Batch, known: Sequence[Known], found: Extracted
    ) -> Extracted:
        """Return the events and facts that the model confirms against the turns."""
        turns = {turn.id: turn for turn in batch.turns}
        words = {memory.id: _stated(subject, batch, memory) for memory in known}
        drafts: list[EventDraft | FactDraft] = [*found.events, *found.facts]
        changes = [change for change in found.changes if change.how in CLOSING]
        changes += [
            ChangeDraft(fact.corrects, fact.turns[-1], "replaces")
            for fact in found.facts
            if fact.corrects
        ]
        claims = [
            Claim(claim_of(draft, batch.zone), tuple(turns[id_] for id_ in draft.turns))
            for draft in drafts
        ]
        claims += [
            Claim(
                text(
                    "extraction",
                    f"changed.{change.how}",
                    subject.language,
                    words=words[change.known],
                ),
                (turns[change.turn],),
            )
            for change in changes
        ]
        claims += [Claim(note, batch.noted) for note in batch.notes]
        around = [turn for turn in (batch.before, *batch.turns) if turn is not None]
        verdicts = judge_claims(self._chat, self._prompts, subject, claims, around)
        kept = list(compress(drafts, verdicts))
        rest = [not holds for holds in verdicts[len(drafts) :]]
        refused = {*compress(changes, rest)}
        wrong = {(change.known, change.turn) for change in refused}
        return replace(
            found,
            events=tuple(draft for draft in kept if isinstance(draft, EventDraft)),
            facts=tuple(
                replace(draft, corrects="") if (draft.corrects, draft.turns[-1]) in wrong else draft
                for draft in kept
                if isinstance(draft, FactDraft)
            ),
            changes=tuple(change for change in found.changes if change not in refused),
            refused=frozenset(compress(batch.notes, rest[len(changes) :])),
            denied=len(drafts) - len(kept) + len(refused),
        )

    def _extract_halves(self, subject: Subject, batch: Batch, known: Sequence[Known]) -> Extracted:
        middle = len(batch.turns) // 2
        parts = (
            replace(batch, turns=batch.turns[:middle], notes=()),
            replace(batch, turns=batch.turns[middle:], before=batch.turns[middle - 1]),
        )
        first, second = (self.extract(subject, part, known) for part in parts)
        return Extracted(
            events=first.events + second.events,
            facts=first.facts + second.facts,
            changes=first.changes + second.changes,
            importance={**first.importance, **second.importance},
            refused=second.refused,
            denied=first.denied + second.denied,
        )

    def _prompt(self, subject: Subject, batch: Batch, known: Sequence[Known], talk: str) -> str:
        return self._prompts.render(
            "extract",
            person=subject.person,
            companion_name=subject.companion,
            date=date_with_weekday(batch.date, subject.language),
            count=len(batch.turns),
            most_events=MAX_EVENTS * _share(len(batch.turns)),
            most_facts=MAX_FACTS * _share(len(batch.turns)),
            known=_numbered(subject, batch, known),
            talk=talk,
        )


def _numbered(subject: Subject, batch: Batch, known: Sequence[Known]) -> str:
    """Write known memories as lines with number and day; a dash if there are none."""
    lines = (
        f"{at}. ({memory.date}) {_stated(subject, batch, memory, 'said')}"
        for at, memory in enumerate(known, start=1)
    )
    return "\n".join(lines) or "-"


def _stated(subject: Subject, batch: Batch, memory: Known, key: str = "partly") -> str:
    """Write the start of a known memory on one line; for a turn, who said it by ``key``."""
    words = words_of(memory, batch.zone, subject.language)
    words = truncate(" ".join(words.split()), MAX_FACT_TOKENS)
    if not isinstance(memory, Turn):
        return words
    return text("extraction", key, subject.language, name=subject.person, words=words)


def _format_turns(subject: Subject, batch: Batch, longest: int | None) -> Escaped:
    """Write the turns with their numbers and times of day, the one before the batch as number 0."""
    lines: list[Escaped] = []
    for number, turn in enumerate((batch.before, *batch.turns)):
        if turn is None:
            continue
        mark = f"[{number}]"
        if turn.date != batch.date:
            mark += f" {turn.date}"
        if turn.time is not None:
            mark += f" {turn.time.astimezone(batch.zone):%H:%M}"
        if turn.id in batch.role_play:
            mark += f" ({text('extraction', 'role_play', subject.language)})"
        lines.append(Escaped(mark))
        most = longest if number else MAX_TOKENS_BEFORE
        for name, words in ((subject.person, turn.query), (subject.companion, turn.response)):
            if words.strip():
                line = truncate(words, most or len(words) + 1)
                lines.append(speaker_line(name, line, subject.language))
    return join(lines)


def extraction_schema(turns: int, known: int) -> dict[str, Any]:
    """Return the JSON schema for a batch of so many turns, shown with so many known facts."""
    numbers = _array(_integer(turns), turns, least=1)
    named: dict[str, Any] = {"type": "null"}
    if known:
        named = {"anyOf": [_integer(known), named]}
    share = _share(turns)
    event = {
        "text": _string(400, least=1),
        "time": _string(25),
        "place": _string(60),
        "turns": numbers,
    }
    fact = {
        "entity": _string(60, least=1),
        "entity_type": {"enum": ["subject", "object", "specific", "general"]},
        "aspect": {"enum": ["attribute", "relation", "scene", "promise"]},
        "key_word": _string(60),
        "description": _string(400, least=1),
        "said_by": {"enum": ["person", "companion"]},
        "turns": numbers,
        "corrects": named,
        "repeats": named,
    }
    change = {
        "number": _integer(max(known, 1)),
        "how": {"enum": [*get_args(TieKind)]},
        "turn": _integer(turns),
    }
    whole = _object(
        {
            "events": _array(_object(event), MAX_EVENTS * share),
            "facts": _array(_object(fact), MAX_FACTS * share),
            "importance": _array(_integer(10), 2 * turns),  # used only if it has one for each
        }
    )
    whole["properties"]["changes"] = _array(_object(change), known)
    return whole


def _share(turns: int) -> int:
    return 1 if turns <= BATCH_SIZE else 2


def _integer(most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": most}


def _string(longest: int, least: int = 0) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": longest}


def _array(items: dict[str, Any], most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties]}
