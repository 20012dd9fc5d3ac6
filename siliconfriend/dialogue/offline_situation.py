"""Inputs and quotation helpers shared by all offline replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from siliconfriend.clock import day_of
from siliconfriend.dialogue.acts import Act
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.offline_wording import Wordings
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import Certainty
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.language.message import PersonText, read_message
from siliconfriend.language.sentences import excerpt
from siliconfriend.language.words import content_set
from siliconfriend.memory.knowledge import BY_PERSON, CLOSING, OFFLINE, Fact, Used
from siliconfriend.memory.records import Memory, Overall, Turn
from siliconfriend.recall.cue import days_remembered
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.results import Recalled
from siliconfriend.recall.silenced import silenced_names, speaks_of
from siliconfriend.recall.times import spoken_times
from siliconfriend.texts import Language

RECENT_TURNS = 8
"""Number of the last turns whose quotations no remark brings up again."""


@dataclass(frozen=True, slots=True)
class OfflineReply:
    """A reply without a model.

    Attributes:
        sentences: the sentences of the reply, in order.
        used: the memories it quotes.
        certainty: confidence that the quotations answer; ``nothing`` without quotations.
    """

    sentences: tuple[str, ...]
    used: tuple[Used, ...] = ()
    certainty: Certainty = "nothing"

    def pieces(self, language: Language) -> Iterator[str]:
        """Stream the reply sentence by sentence."""
        for number, sentence in enumerate(self.sentences):
            gap = "" if not number or sentence.startswith("\n") or language == "cn" else " "
            yield gap + sentence

    def with_more(self, other: OfflineReply) -> OfflineReply:
        """Return the reply with the sentences of another behind its own."""
        return replace(
            self,
            sentences=(*self.sentences, *other.sentences),
            used=(*self.used, *other.used),
        )


class Situation:
    """A message to answer without a model, with its act and recalled memories."""

    def __init__(
        self,
        message: IncomingMessage,
        retrieved: Retrieved,
        companion: str,
        act: Act,
        talk: Sequence[Exchange] = (),
    ) -> None:
        self.message, self.retrieved, self.memory = message, retrieved, message.memory
        self.said, self.reading, self.companion = message.text, message.reading, companion
        self.act: Act = message.reading.courtesy(companion) or act
        self.talk = talk
        self.unkept = [exchange.query for exchange in talk if not exchange.id]
        """Unstored exchanges of this conversation, oldest first."""
        profile = self.memory.profile
        self.today = day_of(message.now, profile.zone)
        self.keeps = message.turn is not None and not message.turn.unkept
        unseen = 0 if self.keeps else len(self.unkept)
        self.number = self.memory.next_position(self.today.isoformat()) + unseen
        self.days = days_remembered(self.memory)
        self.spans = retrieved.memories.spans
        self.silenced = silenced_names(self.memory, self.said)
        self.wordings = Wordings(
            profile.language, self.today, profile.called, companion, self.number
        )

    def say(self, key: str) -> OfflineReply:
        """Reply with a wording without quotations."""
        return OfflineReply((self.wordings.say(key),))

    @cached_property
    def found(self) -> list[Recalled]:
        """The memories and facts that state something, likeliest first, without duplicates."""
        recalled = (*self.retrieved.memories.memories, *self.retrieved.memories.facts)
        unique = dict[str, Recalled]()
        for recollection in sorted(recalled, key=lambda found: -found.likelihood):
            memory = self.put_right(self.in_own_words(recollection.memory))
            # Another companion's memories, which it shares, are not quoted.
            if tells(memory) and self.memory.find(memory.id) is not None:
                found = replace(recollection, memory=memory)
                unique.setdefault(own_words(memory).casefold(), found)
        return list(unique.values())

    def in_own_words(self, memory: Memory) -> Memory:
        """Return the newest source turn of a recalled fact, in place of the fact."""
        if not isinstance(memory, Fact) or memory.provenance.made_by == BY_PERSON:
            return memory
        turns = [turn for turn in map(self.memory.find, memory.provenance.from_ids) if turn]
        return max(turns, key=lambda turn: turn.date, default=memory)

    def chain(self, memory: Memory) -> list[Turn]:
        """Return later memories about the matter of a memory, oldest first.

        Replacements by a night, a correction or a newer fact come first; otherwise the nearest
        later turns.
        """
        facts = (fact for fact in self.memory.facts() if memory.id in fact.provenance.from_ids)
        ended = {getattr(memory, "outdated_by", ""), *(fact.superseded_by for fact in facts)}
        after = (self.memory.find(identifier) for identifier in ended if identifier)
        known = [
            turn
            for successor in after
            if successor and isinstance(turn := self.in_own_words(successor), Turn)
        ]
        chain = known or self.retrieved.memories.chains.get(memory.id, ())
        told = (turn for turn in chain if self.may_come_up(turn) and tells(turn))
        return sorted(told, key=lambda turn: (turn.date, turn.position))

    def put_right(self, memory: Memory) -> Memory:
        """Return the correction of a memory, which is quoted behind it; else the memory."""
        later = self._correction(memory)
        return memory if later is None else self.put_right(later)

    def first_told(self, turn: Turn) -> Turn:
        """Return the turn that has the day of a correction without one; else the turn itself."""
        has_day = not _corrects(turn) or spoken_times(turn, self.memory.profile.zone)
        return turn if has_day else next(self._closed(turn), turn)

    def told_by(self, turns: Iterable[Turn]) -> list[Turn]:
        """Return what may come up of some turns, each correction in place of what it corrects."""
        right = {turn.id: turn for turn in map(self.put_right, turns) if isinstance(turn, Turn)}
        return [turn for turn in right.values() if self.may_come_up(turn)]

    def may_come_up(self, memory: Memory | Overall) -> bool:
        """Return False for corrected memories and silenced people."""
        return self._correction(memory) is None and not speaks_of(memory.text, self.silenced)

    def _correction(self, memory: Memory | Overall) -> Turn | None:
        later = self.memory.find(getattr(memory, "outdated_by", ""))
        return later if isinstance(later, Turn) and _corrects(later) else None

    def _closed(self, memory: Memory) -> Iterator[Turn]:
        """Yield the turns that are no longer true since a memory was told."""
        for tie in getattr(memory, "ties", ()):
            old = self.memory.find(tie.id)
            if isinstance(old, Turn) and tie.how in CLOSING:
                yield old

    def _context(self, memory: Memory) -> Turn | None:
        """Return the turn that a memory refers to: the previous or the replaced one.

        A correction repeats little of a statement that says more besides, so that stands before it.
        """
        words = content_set(own_words(memory))
        corrects = isinstance(memory, Turn) and _corrects(memory)
        for old in self._closed(memory):
            before = content_set(old.query)
            if not words & before or (corrects and 2 * len(words & before) <= len(before)):
                return old
        return self._turn_before(memory) if PersonText(own_words(memory)).lacks_noun else None

    @cached_property
    def quoted_lately(self) -> set[str]:
        """Ids of the memories that the last replies quoted."""
        days = (self.memory.days[day] for day in sorted(self.memory.days, reverse=True))
        turns = islice((turn for day in days for turn in reversed(day.turns)), RECENT_TURNS)
        return {used.id for turn in turns for used in turn.used}

    def quotation(self, recalled: Recalled, key: str) -> tuple[str, tuple[Used, ...]]:
        """Quote a recalled memory with its day, and the turn before one that only refers to it."""
        memory = recalled.memory
        words, used = self.in_context(memory, excerpt(own_words(memory), self.said))
        ranked = (recalled.score, recalled.parts, recalled.retention, recalled.is_likely)
        used.append(Used(memory.id, *ranked))
        return self.written(memory, key, words), tuple(used)

    def in_context(self, memory: Memory, words: str) -> tuple[str, list[Used]]:
        """Return words of a memory behind those of the turn that they refer to, and that turn."""
        before = self._context(memory)
        if before is None or speaks_of(before.text, self.silenced):
            return words, []
        return f"{excerpt(before.query, self.said)} … {words}", [Used(before.id, 0.0)]

    def written(self, memory: Memory, key: str, words: str) -> str:
        """Quote the person's words; show a model's text with its day, not as a quotation."""
        if isinstance(memory, Turn) or memory.provenance.made_by in (OFFLINE, BY_PERSON):
            return self.wordings.quote(key, memory.date, words)
        return self.wordings.say("note_of_day", memory.date, words=words)

    def _turn_before(self, memory: Memory) -> Turn | None:
        if not isinstance(memory, Turn):
            return None
        for turn in reversed(self.memory.days[memory.date].turns):
            is_courtesy = read_message(turn.query).courtesy(self.companion)
            is_told = not (turn.is_quiet or is_courtesy) and tells(turn)
            if turn.position < memory.position and is_told:
                return turn
        return None

    def quote_in_sentences(self, chosen: Sequence[Recalled], key: str) -> OfflineReply:
        """Quote answering memories, a sentence each: the best, then the others."""
        sentences, used, last_day = list[str](), list[Used](), ""
        for recalled in chosen:
            day = recalled.memory.date
            if sentences:
                first = chosen[0].memory.date
                key = "told_earlier" if day < first else "told_later"
                key = "told_same_day" if day in (first, last_day) else key
            sentence, quoted = self.quotation(recalled, key)
            sentences.append(sentence)
            used += quoted
            last_day = day
        return OfflineReply(tuple(sentences), tuple(used), "sure" if used else "nothing")

    def quote_in_lines(self, chosen: Iterable[Recalled], opening: str) -> OfflineReply:
        """Quote memories that may answer, each on a line with its day; one alone in the same line."""
        quotations = [self.quotation(recalled, "of_day") for recalled in chosen]
        lines = [line for line, _ in quotations]
        if len(lines) > 1:
            lines = [f"\n{line}" for line in lines]
        used = tuple(one for _, quoted in quotations for one in quoted)
        return OfflineReply((opening, *lines), used, "unsure")

    def list_days(
        self, quotations: Iterable[tuple[Memory, str]], opening: str = ""
    ) -> OfflineReply:
        """List words of memories, each on a line with its day."""
        lines, used = [opening] if opening else [], list[Used]()
        for memory, said in quotations:
            words, before = self.in_context(memory, said)
            lines.append(self.written(memory, "of_day", words))
            used += [*before, Used(memory.id, 0.0)]
        return OfflineReply((lines[0], *(f"\n{line}" for line in lines[1:])), tuple(used), "sure")


def tells(memory: Memory) -> bool:
    """Return False for a turn that only asks or greets."""
    if not isinstance(memory, Turn):
        return True
    reading = read_message(memory.query)
    return reading.tells_before_asking or reading.tells_something


def _corrects(turn: Turn) -> bool:
    return turn.asked is not None and turn.asked.act == "correct"
