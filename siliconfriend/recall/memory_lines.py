"""Format memories as the lines of a prompt: the day, who said it, and the words.

A turn is ``[Mon 2 Mar 2026, 12 days ago] Maya: …``; further lines of the same day have no label. The person's words
stand always. The companion's stand where the person had asked for something, where they name
something or promise it, or where they are short: its comforting would push out what was told.
Nothing that rules made is written here, since a model would read it as what happened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from siliconfriend.clock import day_of
from siliconfriend.language.sentences import join_sentences, sentences_within, split_sentences
from siliconfriend.memory.knowledge import BY_PERSON, OFFLINE, Event, Fact, Insight, Topic
from siliconfriend.memory.records import Memory, PersonMemory, Turn, is_put_away
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.prompts.escape import Escaped, escaped_text, join
from siliconfriend.recall.results import RecallResult
from siliconfriend.recall.time_words import annotate_dates, label_day, label_time
from siliconfriend.texts import Language, text

SHORT_REPLY_TOKENS = 12
"""A reply of at most so many tokens stands with the words it answers, whatever it says."""

ANSWER_TOKENS = 80  # most tokens of any reply

DAY_TOKENS = 16  # most tokens of the label before a line

_ASKS = re.compile(r"[?？]")
_OF_ITSELF = re.compile(r"(?<![A-Za-z])AI(?![A-Za-z])")
"""What an AI says of being one tells nothing of the person, and a small model says it again."""
_NAMES = re.compile(r"[\"“《「].+[\"”》」]")  # a title or a quotation, as a recommendation has it


@dataclass(frozen=True, slots=True)
class MemoryLines:
    """Writes memories of one person in their language.

    Attributes:
        memory: of the person; what a model found in it tells which replies promise something.
        companion: what the companion calls itself.
    """

    memory: PersonMemory
    companion: str

    @property
    def language(self) -> Language:
        """The language of the words around."""
        return self.memory.profile.language

    def by_day(self, memories: Iterable[Memory], now: datetime, about: str = "") -> Escaped:
        """Write turns and what a model made of them, day by day in order.

        Of a long reply the sentences nearest to ``about`` stand. Facts and topics are left to
        :meth:`known`. The hour stands with what was said lately, the part of the day with what is
        older, the day alone with the rest (dynamic memory, part 7).
        """
        lines, when_before = list[Escaped](), ""
        notes = (memory for memory in memories if not isinstance(memory, Fact | Topic))
        for memory in sorted(notes, key=_place):
            when = self._when(memory, now)
            for line in self._lines(memory, about):
                if when != when_before:
                    line = escaped_text("prompts", "dated", self.language, date=when, words=line)
                    when_before = when
                lines.append(line)
        return join(lines)

    def known(self, memories: Iterable[Memory], now: datetime) -> Escaped:
        """Write facts and topics, a line each, those of one name together."""
        found = [it for it in memories if isinstance(it, Fact | Topic)]
        found.sort(key=lambda it: (it.entity if isinstance(it, Fact) else "", it.date, it.position))
        return join(self._fact(memory, now) for memory in found)

    def story(self, memories: Iterable[Memory]) -> Escaped:
        """Write entries of the companion's own story, which belongs to no calendar."""
        lines = list[Escaped]()
        for memory in memories:
            words = memory.query if isinstance(memory, Turn) else memory.text
            head = memory.place if isinstance(memory, Event) else ""
            if isinstance(memory, Fact) and memory.entity not in words:
                head = memory.entity
            if head:
                words = text("prompts", "about", self.language, name=head, words=words)
            lines.append(escaped_text("prompts", "fact", self.language, words=words))
        return join(lines)

    def tokens(self, memory: Memory) -> int:
        """Estimate the tokens of a memory with its day."""
        if isinstance(memory, Fact | Topic):
            return estimate_tokens(self._fact(memory)) + DAY_TOKENS
        return sum(estimate_tokens(line) + 1 for line in self._lines(memory)) + DAY_TOKENS

    def _when(self, memory: Memory, now: datetime) -> str:
        moment = memory.time if isinstance(memory, Turn) else None
        zone = self.memory.profile.zone
        day = date.fromisoformat(memory.date)
        return label_time(day, moment, now=now, zone=zone, language=self.language)

    def _lines(self, memory: Memory, about: str = "") -> Iterator[Escaped]:
        """Yield the lines of a memory without its day."""
        day = date.fromisoformat(memory.date)
        if not isinstance(memory, Turn):
            words = annotate_dates(memory.text.strip(), day, self.language)
            key = "thought" if isinstance(memory, Insight) else "note"
            yield escaped_text("prompts", key, self.language, name=self.companion, words=words)
            return
        if memory.query.strip():
            words = annotate_dates(memory.query.strip(), day, self.language)
            yield self._said(self.memory.profile.called, words)
        for fact in self._facts_from(memory):
            if fact.provenance.made_by == BY_PERSON:
                yield escaped_text("prompts", "put_right", self.language, words=fact.text)
        if reply := self._reply(memory, about):
            yield self._said(self.companion, reply)

    def _reply(self, turn: Turn, about: str) -> str:
        """Return the companion's words, where they carry something."""
        spoken = split_sentences(turn.response.strip())
        words = join_sentences([it for it in spoken if not _OF_ITSELF.search(it)])
        is_shared = self.memory.find(turn.id) is None  # another companion's words
        if not words or turn.replied_by == OFFLINE or is_shared:
            return ""
        is_named = self._is_promise(turn) or _NAMES.search(words)
        if is_named or _ASKS.search(turn.query):
            most = ANSWER_TOKENS if is_named else ANSWER_TOKENS // 2
            return sentences_within(words, most, estimate_tokens, about)
        is_short = estimate_tokens(words) <= SHORT_REPLY_TOKENS
        return words if is_short and any(map(str.isalnum, words)) else ""

    def _is_promise(self, turn: Turn) -> bool:
        """True if a model noted that the companion promised or recommended something here."""
        return any(fact.group == "promises" for fact in self._facts_from(turn))

    def _facts_from(self, turn: Turn) -> Iterator[Fact]:
        """Yield the facts of a turn's day that still hold and were taken from it."""
        for fact in self.memory.on(turn.date, "fact") if turn.date in self.memory.days else ():
            if isinstance(fact, Fact) and may_stand(fact) and turn.id in fact.provenance.from_ids:
                yield fact

    def _said(self, name: str, words: str) -> Escaped:
        return escaped_text("prompts", "speaker_line", self.language, name=name, words=words)

    def _fact(self, memory: Fact | Topic, now: datetime | None = None) -> Escaped:
        words = memory.text.strip()
        if isinstance(memory, Fact) and memory.entity not in words:
            words = text("prompts", "about", self.language, name=memory.entity, words=words)
        is_dated = isinstance(memory, Topic) or memory.aspect != "attribute"
        if not is_dated or now is None:
            return escaped_text("prompts", "fact", self.language, words=words)
        today = day_of(now, self.memory.profile.zone)
        when = label_day(date.fromisoformat(_day_of(memory)), today, self.language)
        return escaped_text("prompts", "fact_dated", self.language, date=when, words=words)


def may_stand(memory: Memory) -> bool:
    """Return True if a memory was said or a model wrote it, and it still holds."""
    if isinstance(memory, Turn) or is_put_away(memory):
        return isinstance(memory, Turn) and not memory.is_left_alone
    if isinstance(memory, Fact) and memory.superseded_by:
        return False
    return memory.provenance.made_by != OFFLINE


def sections_of(found: RecallResult, lines: MemoryLines) -> Mapping[str, str]:
    """Write what was recalled as the sections of a prompt, those that are not empty.

    ``memories`` holds turns and notes by day, ``known`` facts and topics.
    """
    shown = [it.memory for it in (*found.facts, *found.memories) if may_stand(it.memory)]
    sections = {
        "memories": lines.by_day(shown, found.now, found.query),
        "known": lines.known(shown, found.now),
    }
    return {name: words for name, words in sections.items() if words}


def _place(memory: Memory) -> tuple[str, int, int]:
    position = getattr(memory, "position", 0)
    return (memory.date, 0 if isinstance(memory, Turn) else 1, position)


def _day_of(memory: Fact | Topic) -> str:
    return (memory.first if isinstance(memory, Fact) else "") or memory.date
