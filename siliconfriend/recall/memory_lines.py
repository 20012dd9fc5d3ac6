"""Format memories as the lines of a prompt: the day, who said it, and the words.

A turn is ``[Mon 2 Mar 2026, 12 days ago] Maya: …`` and what the companion answered; further lines of
the same time have no label. Of words that are too long, the sentences nearest to the message are
written. Rule-made texts are skipped, since a model would take them for facts.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from siliconfriend.clock import day_of
from siliconfriend.language.sentences import join_sentences, sentences_within, split_sentences
from siliconfriend.memory.knowledge import BY_PERSON, OFFLINE, Event, Fact, Insight, Topic
from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn, is_put_away
from siliconfriend.memory.scope import parse_memory_id
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.prompts.escape import Escaped, escaped_text, join
from siliconfriend.recall.results import RecallResult
from siliconfriend.recall.time_words import annotate_dates, label_day, label_time
from siliconfriend.recall.times import words_of
from siliconfriend.texts import Language, text

SAID_TOKENS = 200
"""Maximum tokens of the person's words in one turn."""

REPLY_TOKENS = (140, 70, 35, 16)
"""Most tokens of the companion's words of one turn, where there is most room, and where less."""

LATER_TOKENS = 40
"""Maximum tokens of the later words after outdated ones."""

LABEL_TOKENS = 24  # maximum tokens of a line's label

_OF_ITSELF = re.compile(r"(?<![A-Za-z])AI(?![A-Za-z])")
"""Matches self-descriptions of an AI, which small models repeat."""
_MARKUP = re.compile(r"\*\*|^#+ ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A memory and the token limits of its excerpt.

    Attributes:
        memory: a turn or what was derived from turns.
        said: most tokens of the person's words of a turn; 0 where they are in the prompt already.
        replied: most tokens of the companion's words of a turn.
        known: companion's words of a turn that are in the prompt already.
    """

    memory: Memory
    said: int = SAID_TOKENS
    replied: int = REPLY_TOKENS[0]
    known: str = ""


@dataclass(frozen=True, slots=True)
class MemoryLines:
    """Writes memories of one person in their language.

    Attributes:
        memory: of the person.
        companion: name of the companion.
    """

    memory: PersonMemory
    companion: str
    _written: dict[tuple[object, ...], tuple[Escaped, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    _replies: dict[tuple[str, int, str], str] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def language(self) -> Language:
        """The language of labels and notes."""
        return self.memory.profile.language

    def by_day(
        self,
        memories: Iterable[Memory | Excerpt],
        now: datetime,
        about: str = "",
        shown: Collection[str] = (),
    ) -> Escaped:
        """Write turns and what a model derived from them, day by day, oldest first.

        Of long words the sentences nearest to ``about`` are written. Facts and topics are left to
        :meth:`known`. What was said lately has its hour, older turns the part of the day, the rest the
        day alone (dynamic memory, part 7). Later words that outdated a turn follow it, or only their
        day if their turn is one of ``shown``.
        """
        lines, when_before = list[Escaped](), ""
        excerpts = map(_as_excerpt, memories)
        notes = (excerpt for excerpt in excerpts if not isinstance(excerpt.memory, Fact | Topic))
        for excerpt in sorted(notes, key=lambda note: _place(note.memory)):
            when = self.label(excerpt.memory, now)
            for line in self._lines(excerpt, about, shown):
                if when != when_before:
                    line = escaped_text("prompts", "dated", self.language, date=when, words=line)
                    when_before = when
                lines.append(line)
        return join(lines)

    def known(self, memories: Iterable[Memory], now: datetime) -> Escaped:
        """Write facts and topics, a line each, grouped by name."""
        found = [known for known in memories if isinstance(known, Fact | Topic)]
        found.sort(
            key=lambda known: (
                known.entity if isinstance(known, Fact) else "",
                known.date,
                known.position,
            )
        )
        return join(self._fact(memory, now) for memory in found)

    def sources(self, memory: Memory) -> tuple[object, ...]:
        """Return what the lines of a memory are written from; equal ones make equal lines."""
        if isinstance(memory, Turn):
            made = (memory.query, memory.response, memory.replied_by, *self._corrections(memory))
        elif isinstance(memory, DaySummary):
            made = (memory.text, *self._changes_of(memory))
        else:
            made = (self._fact(memory) if isinstance(memory, Fact | Topic) else self._note(memory),)
        return (may_stand(memory), *made)

    def story(self, memories: Iterable[Memory]) -> Escaped:
        """Write entries of the companion's own story, without days."""
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

    def tokens(self, memory: Memory | Excerpt, about: str = "") -> int:
        """Estimate the tokens of a memory without its label."""
        excerpt = _as_excerpt(memory)
        if isinstance(excerpt.memory, Fact | Topic):
            return estimate_tokens(self._fact(excerpt.memory)) + LABEL_TOKENS
        return sum(estimate_tokens(line) + 1 for line in self._lines(excerpt, about))

    def label(self, memory: Memory, now: datetime) -> str:
        """Return when a memory was said, as the line before it tells."""
        moment = memory.time if isinstance(memory, Turn) else None
        zone = self.memory.profile.zone
        day = date.fromisoformat(memory.date)
        return label_time(day, moment, now=now, zone=zone, language=self.language)

    def _lines(
        self, excerpt: Excerpt, about: str = "", shown: Collection[str] = ()
    ) -> tuple[Escaped, ...]:
        """Return the lines of a memory without its day, which a prompt asks for several times."""
        is_changed = getattr(excerpt.memory, "outdated_by", "") in shown
        size = (excerpt.said, excerpt.replied, excerpt.known)
        key = (excerpt.memory.id, *size, about, is_changed)
        if key not in self._written:
            self._written[key] = tuple(self._write(excerpt, about, shown))
        return self._written[key]

    def _write(self, excerpt: Excerpt, about: str, shown: Collection[str]) -> Iterator[Escaped]:
        memory = excerpt.memory
        if not isinstance(memory, Turn):
            key = "thought" if isinstance(memory, Insight) else "note"
            words = self._note(memory)
            yield escaped_text("prompts", key, self.language, name=self.companion, words=words)
            if isinstance(memory, DaySummary):
                yield from self._changes_of(memory)
            return
        if excerpt.said and memory.query.strip():
            day = date.fromisoformat(memory.date)
            words = annotate_dates(memory.query.strip(), day, self.language)
            words = sentences_within(words, excerpt.said, estimate_tokens, about)
            yield self._said(self.memory.profile.called, words)
            yield from self._corrections(memory, shown)
        reply = self.reply(memory, excerpt.replied, about)
        if excerpt.known:
            fresh = (part for part in split_sentences(reply) if part not in excerpt.known)
            reply = join_sentences([*fresh])
        if reply:
            yield self._said(self.companion, reply)

    def _note(self, memory: Memory) -> str:
        return words_of(memory, self.memory.profile.zone, self.language)

    def reply(self, turn: Turn, most: int, about: str = "") -> str:
        """Return the companion's answer, truncated to a number of tokens.

        Empty for quotations by rules, and for the words of another companion.
        """
        key = (turn.id, most, about)
        if key not in self._replies:
            self._replies[key] = self._shorten_reply(turn, most, about)
        return self._replies[key]

    def _shorten_reply(self, turn: Turn, most: int, about: str) -> str:
        if most <= 0 or turn.replied_by == OFFLINE or self.memory.find(turn.id) is None:
            return ""
        spoken = split_sentences(turn.response)
        words = "\n".join(sentence for sentence in spoken if not _OF_ITSELF.search(sentence))
        if not any(map(str.isalnum, words)):
            return ""
        chosen = sentences_within(words, most, estimate_tokens, about).splitlines()
        return join_sentences([_MARKUP.sub("", line) for line in chosen])

    def _corrections(self, turn: Turn, shown: Collection[str] = ()) -> Iterator[Escaped]:
        """Yield the person's corrections of a turn, and the later words that outdated it."""
        for fact in self.memory.on(turn.date, "fact") if turn.date in self.memory.days else ():
            if not isinstance(fact, Fact) or not may_stand(fact):
                continue
            made = fact.provenance
            if made.made_by == BY_PERSON and turn.id in made.from_ids:
                yield escaped_text("prompts", "put_right", self.language, words=fact.text)
        later = self.memory.find(turn.outdated_by) if turn.outdated_by else None
        if isinstance(later, Turn) and may_stand(later):
            key = "outdated_by_shown" if later.id in shown else "outdated"
            words = sentences_within(later.query, LATER_TOKENS, estimate_tokens, turn.query)
            when = {"date": later.date, "words": words}
            yield escaped_text("prompts", key, self.language, **when)

    def _changes_of(self, summary: DaySummary) -> Iterator[Escaped]:
        """Yield the later words that outdated what was said on the day of a summary."""
        if summary.date in self.memory.days:
            turns = self.memory.days[summary.date].turns
            yield from dict.fromkeys(line for turn in turns for line in self._corrections(turn))

    def _said(self, name: str, words: str) -> Escaped:
        return escaped_text("prompts", "speaker_line", self.language, name=name, words=words)

    def _fact(self, memory: Fact | Topic, now: datetime | None = None) -> Escaped:
        words = memory.text.strip()
        if isinstance(memory, Fact) and memory.entity not in words:
            words = text("prompts", "about", self.language, name=memory.entity, words=words)
        words = self._with_changes(memory, words) if isinstance(memory, Fact) else words
        is_dated = isinstance(memory, Topic) or memory.aspect != "attribute"
        if not is_dated or now is None:
            return escaped_text("prompts", "fact", self.language, words=words)
        today = day_of(now, self.memory.profile.zone)
        when = label_day(date.fromisoformat(_day_of(memory)), today, self.language)
        return escaped_text("prompts", "fact_dated", self.language, date=when, words=words)

    def _with_changes(self, fact: Fact, words: str) -> str:
        """Add to a fact its earlier values, and a note if it may be outdated."""
        if fact.true_from:
            before = [
                earlier.text.strip()
                for earlier in self.memory.facts()
                if earlier.superseded_by == fact.id
            ]
            if before:
                since = {"day": fact.true_from, "words": words, "earlier": "; ".join(before)}
                words = text("prompts", "fact_since", self.language, **since)
        if place := parse_memory_id(fact.doubted_by):
            words = text("prompts", "fact_doubted", self.language, words=words, day=place.date)
        return words


def may_stand(memory: Memory) -> bool:
    """Return True if a memory is current, checked and not made by rules."""
    if isinstance(memory, Turn) or is_put_away(memory):
        return isinstance(memory, Turn) and not memory.is_left_alone
    if isinstance(memory, Fact | Event) and memory.superseded_by:
        return False
    if isinstance(memory, DaySummary) and not memory.checked:
        return False
    return memory.provenance.made_by != OFFLINE


def sections_of(found: RecallResult, lines: MemoryLines) -> Mapping[str, str]:
    """Write recalled memories as the non-empty sections of a prompt.

    ``memories`` holds turns and notes by day, ``known`` facts and topics.
    """
    shown = [
        result.memory for result in (*found.facts, *found.memories) if may_stand(result.memory)
    ]
    sections = {
        "memories": lines.by_day(shown, found.now, found.query),
        "known": lines.known(shown, found.now),
    }
    return {name: words for name, words in sections.items() if words}


def _as_excerpt(memory: Memory | Excerpt) -> Excerpt:
    return memory if isinstance(memory, Excerpt) else Excerpt(memory)


def _place(memory: Memory) -> tuple[str, int, int]:
    position = getattr(memory, "position", 0)
    return (memory.date, 0 if isinstance(memory, Turn) else 1, position)


def _day_of(memory: Fact | Topic) -> str:
    return (memory.first if isinstance(memory, Fact) else "") or memory.date
