"""Write a person's message after the memories recalled for it, each memory once."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.language.message import read_message
from siliconfriend.language.sentences import sentences_within
from siliconfriend.memory.knowledge import DUE, GREETED, Fact, Used
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.prompts.escape import Escaped, escape_special_tokens, escaped_text, join
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.elapsed import last_talk
from siliconfriend.recall.memory_lines import (
    LABEL_TOKENS,
    REPLY_TOKENS,
    Excerpt,
    MemoryLines,
    may_stand,
)
from siliconfriend.recall.time_words import humanize_moment, label_day

LEAST_EXCERPT_TOKENS = 40
"""Minimum size of a turn's excerpt in tokens."""

MOST_RECALLED = 16
"""Maximum number of turns before one message."""

FIRST = 3
"""Number of leading memories of a question whose replies are completed where their turns are in
the prompt."""

DUE_TOKENS = 60
"""Maximum tokens of a due matter's words."""

REMINDER = "reminder"
"""Key in :class:`Used` parts for a due reminder."""

LAST_TALK = "last talk"
"""Key of the last talk's day in ``shown``; only one message of a talk names that day."""


@dataclass(slots=True, kw_only=True)
class MessageWriter:
    """Writes messages of one prompt in their order.

    Attributes:
        lines, prompts: writers of memories and prompts.
        find: returns a memory by its id, or None.
        room: tokens for what is recalled for one message.
        shown: ids of memories already in the prompt, with the part of their replies in it.
        used: memories recalled for the last message that are in the prompt.
        memories: the lines of memories that were written.
    """

    lines: MemoryLines
    prompts: Prompts
    find: Callable[[str], Memory | None]
    room: int
    shown: dict[str, str]
    used: tuple[Used, ...] = ()
    memories: list[str] = field(default_factory=list)

    def write(self, exchange: Exchange, own_story: str = "", wishes: str = "") -> str:
        """Write a message after its recalled memories; without a time, only the words."""
        if exchange.time is None:
            return escape_special_tokens(exchange.query)
        profile, lines = self.lines.memory.profile, self.lines
        now = exchange.time.astimezone(profile.zone)
        due, excerpts = self._choose(exchange)
        known = lines.known((excerpt.memory for excerpt in excerpts), now)
        memories = lines.by_day(excerpts, exchange.time, exchange.query, self.shown)
        self.memories += [memories, known]
        metadata = exchange.metadata
        last = None if LAST_TALK in self.shown else last_talk(lines.memory, now.date())
        before = self.prompts.render(
            "message",
            companion_name=lines.companion,
            person=profile.called,
            memories=memories or None,
            known=known or None,
            due=join(due) or None,
            own_story=own_story or None,
            metadata=json.dumps(metadata, ensure_ascii=False) if metadata else None,
            wishes=wishes,
            now=humanize_moment(now, lines.language, last),
        )
        self.shown.setdefault(LAST_TALK, "")
        return Escaped(f"{before}\n\n{escape_special_tokens(exchange.query)}")

    def _choose(self, exchange: Exchange) -> tuple[Sequence[Escaped], Sequence[Excerpt]]:
        """Choose, in order, new memories that fit the budget.

        First a turn is given the person's words and the nearest sentence of the reply; what room is
        left then completes the replies, those of the first memories first. A question about what the
        companion said completes that of the first memory at once.
        """
        used, due, chosen, asks = list[Used](), list[Escaped](), list[Excerpt](), False
        lines, left, labels = self.lines, self.room, set[str]()
        about, zone = exchange.query, lines.memory.profile.zone
        asked = (reading := read_message(about)).is_question
        asks_for_reply = asked and reading.addresses_companion
        assert exchange.time is not None
        now = exchange.time.astimezone(zone)
        for one in exchange.used:
            memory = self.find(one.id)
            if memory is None or not may_stand(memory):
                continue
            if one.is_due:
                if (key := f"{DUE}:{one.id}") not in self.shown:
                    due.append(self._due(one, memory, now.date()))
                    asks = asks or GREETED not in one.parts
                    self.shown[key] = ""
                    used.append(one)
                continue
            if self._stands(memory):
                used.append(one)
                if one.is_likely or (asked and len(used) <= FIRST):
                    chosen.append(Excerpt(memory, said=0, replied=0))
                continue
            label = lines.label(memory, now)
            room = left - (0 if label in labels else LABEL_TOKENS)
            is_best = asks_for_reply and not used
            excerpt = self._first_excerpt(memory, about, room if is_best else 0)
            cost = lines.tokens(excerpt, about)
            if cost > room and isinstance(memory, Turn) and room >= LEAST_EXCERPT_TOKENS:
                excerpt = Excerpt(memory, said=room // 2, replied=0)
                cost = lines.tokens(excerpt, about)
            if cost <= room and sum(kept.said > 0 for kept in chosen) < MOST_RECALLED:
                left = room - cost
                labels.add(label)
                chosen.append(excerpt)
                used.append(one)
                turn = memory if isinstance(memory, Turn) else None
                self.shown[memory.id] = (turn and lines.reply(turn, excerpt.replied, about)) or ""
        for excerpt in [kept for kept in chosen if self._is_told(kept.memory)]:
            chosen.remove(excerpt)
            used = [one for one in used if one.id != excerpt.memory.id]
            left += lines.tokens(excerpt, about)
        self.used = tuple(used)
        if asks:
            due.append(escaped_text("prompts", "due.ask", lines.language))
        return due, self._complete_replies(chosen, about, left)

    def _first_excerpt(self, memory: Memory, about: str, room: int) -> Excerpt:
        """Return a memory with as much of its reply as fits, or with little of it."""
        for replied in REPLY_TOKENS:
            excerpt = Excerpt(memory, replied=replied)
            if self.lines.tokens(excerpt, about) <= room:
                return excerpt
        return Excerpt(memory, replied=REPLY_TOKENS[-1])

    def _complete_replies(
        self, chosen: Sequence[Excerpt], about: str, left: int
    ) -> Sequence[Excerpt]:
        """Give replies of chosen turns more room, the first ones first, and drop empty excerpts."""
        lines, completed = self.lines, list[Excerpt]()
        for excerpt in chosen:
            turn = excerpt.memory
            if isinstance(turn, Turn):
                cost = lines.tokens(excerpt, about)
                label = 0 if excerpt.said else LABEL_TOKENS
                known = "" if excerpt.said else self.shown[turn.id]
                for replied in REPLY_TOKENS[:-1]:
                    longer = replace(excerpt, replied=replied, known=known)
                    words = lines.reply(turn, replied, about)
                    if words in self.shown[turn.id]:
                        break
                    if (more := lines.tokens(longer, about) - cost + label) <= left:
                        left, excerpt = left - more, longer
                        self.shown[turn.id] = f"{known}\n{words}"
                        break
            if excerpt.said or excerpt.replied:
                completed.append(excerpt)
        return completed

    def _stands(self, memory: Memory) -> bool:
        """True if the prompt has the memory or the turns it was derived from."""
        return memory.id in self.shown or self._is_told(memory)

    def _is_told(self, memory: Memory) -> bool:
        """True if the prompt has half of the source turns, or one source turn of a fact."""
        if isinstance(memory, Turn):
            return False
        turns = memory.provenance.from_ids
        standing = sum(turn in self.shown for turn in turns)
        return standing > 0 and (isinstance(memory, Fact) or 2 * standing >= len(turns))

    def _due(self, used: Used, memory: Memory, today: date) -> Escaped:
        language = self.lines.language
        words = memory.besides_wish if isinstance(memory, Turn) else memory.text
        before = [old for old in self._moved_by(memory) if old.id not in self.shown]
        words = " … ".join([*(old.besides_wish for old in before), words])
        day = today + timedelta(days=int(used.parts.get(DUE, 0)))
        key = "reminder" if REMINDER in used.parts else "matter"
        return escaped_text(
            "prompts",
            "due.greeted" if GREETED in used.parts else f"due.{key}",
            language,
            person=self.lines.memory.profile.called,
            told=label_day(date.fromisoformat(memory.date), today, language),
            when=label_day(day, today, language),
            words=sentences_within(words, DUE_TOKENS * (1 + len(before)), estimate_tokens),
        )

    def _moved_by(self, memory: Memory) -> list[Turn]:
        """Return the plans that a turn moved, whose request for a reminder still holds."""
        ties = memory.ties if isinstance(memory, Turn) else ()
        found = (self.find(tie.id) for tie in ties if tie.how in ("replaces", "postpones"))
        return [old for old in found if isinstance(old, Turn)][-1:]
