"""Build the messages of one reply: the system message, the talk so far, the new message.

The system message is the same all day. What was recalled for a message stands before that message and
stays there: it is rendered from the ids that its turn keeps (``Turn.used``), so that a prompt only
grows. While all that the person has told fits into :attr:`Settings.memory_tokens`, all of it stands in
the system message, and before a message only the few that are likely to be meant.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from siliconfriend.characters.lore import Lore, persona_prompt
from siliconfriend.config import Settings
from siliconfriend.dialogue.chat_history import Exchange, as_messages
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.language.sentences import sentences_within
from siliconfriend.memory.knowledge import OFFLINE, Event, Used
from siliconfriend.memory.records import DaySummary, Memory, Overall, Turn
from siliconfriend.models.base import Message
from siliconfriend.models.tokens import MESSAGE_TOKENS, estimate_tokens, truncate
from siliconfriend.prompts.escape import (
    Escaped,
    escape_line,
    escape_special_tokens,
    escaped_text,
    join,
)
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.elapsed import last_talk
from siliconfriend.recall.memory_lines import MemoryLines, may_stand
from siliconfriend.recall.time_words import humanize_moment
from siliconfriend.texts import Language

MEMORY_SHARE = 0.2
"""Share of the context that memories may take, whatever :attr:`Settings.memory_tokens` says."""

PORTRAIT_SHARE = 0.14
"""Share of the room for memories that each text of the portrait may take."""

RECALLED_SHARE, RECALLED_LATER_SHARE = 0.5, 0.2
"""Shares of the room for memories that recall may fill for the first message of a talk, and for each
later one."""

LEAST_RECALLED_TOKENS = 120
"""Tokens left for what is recalled, however small the context."""

PERSONA_SHARE = 0.2
"""Share of the context that the persona may take."""

TALK_TOKENS = 8000
"""Most tokens of the talk, however large the context."""

MOST_RECALLED = 16
"""Most turns that are recalled for one message."""

DUE_TOKENS = 60
"""Most tokens of what was told of a day that is due."""

DUE, GREETED = "due", "greeted"
"""The parts of :class:`Used` that mark what is due, in days from today, and what the companion
spoke of first."""


@dataclass(frozen=True, kw_only=True)
class PromptPlan:
    """A prompt before anything is recalled for the new message.

    Attributes:
        message: what is answered.
        settings: for prompts of the operator's own and the room for memories.
        companion_name: what the companion calls itself.
        context_tokens: what prompt and answer may take together.
        find: returns a memory by its id, None where it is gone; also of shared ones.
        talk: what was said lately, oldest first.
        lore: who the companion is; None where nobody described it.
        care: instruction for the words after the help text; the prompt then has no memory.
        watch: what a model is to look for in the message; empty for nothing.
    """

    message: IncomingMessage
    settings: Settings
    companion_name: str
    context_tokens: int
    find: Callable[[str], Memory | None]
    talk: Sequence[Exchange] = ()
    lore: Lore | None = None
    care: str = ""
    watch: str = ""

    @cached_property
    def lines(self) -> MemoryLines:
        """The writer of memories."""
        return MemoryLines(self.message.memory, self.companion_name)

    @cached_property
    def prompts(self) -> Prompts:
        """The prompts of the person's language."""
        return Prompts(self.language, self.settings.prompts)

    @property
    def language(self) -> Language:
        """The person's language."""
        return self.message.memory.profile.language

    @cached_property
    def memory_tokens(self) -> int:
        """The room for memories."""
        return min(self.settings.memory_tokens, int(self.context_tokens * MEMORY_SHARE))

    @cached_property
    def fits_whole_life(self) -> bool:
        """True while all words of the person fit into the room for memories."""
        sums = accumulate(estimate_tokens(turn.query) for turn in self._turns())
        return not self.care and all(tokens <= self.memory_tokens for tokens in sums)

    @cached_property
    def _history(self) -> _TalkWriter:
        """The newest exchanges of the talk for which there is room, as they are written.

        The talk is replayed: whenever a message had no room, the older half left. So the same
        exchanges stay from one message to the next.
        """
        told = list(self._turns()) if self.fits_whole_life else []
        system = estimate_tokens(self._render_system(told)) + MESSAGE_TOKENS
        room = min(self.context_tokens // 2 - system - LEAST_RECALLED_TOKENS, TALK_TOKENS)
        talk = self._talk
        start, written = 0, _TalkWriter.of(self, talk)
        for number, query in enumerate([*(it.query for it in talk), self.message.text]):
            needed = estimate_tokens(query) + MESSAGE_TOKENS
            while start < number and needed + sum(written.costs[: number - start]) > room:
                start = number - (number - start) // 2
                written = _TalkWriter.of(self, talk[start:])
        return written

    @cached_property
    def _talk(self) -> Sequence[Exchange]:
        """The talk without messages that got no answer and were sent again."""
        sent_next = [*(it.query for it in self.talk[1:]), self.message.text]
        return [
            exchange
            for exchange, following in zip(self.talk, sent_next, strict=False)
            if exchange.response.strip() or exchange.query != following
        ]

    @cached_property
    def turn_ids(self) -> frozenset[str]:
        """The ids of the turns that stand in the prompt as the talk."""
        repeated = {it.id for it in self.talk} - {it.id for it in self._talk}
        return frozenset({it.id for it in self._history.exchanges} | repeated) - {""}

    @cached_property
    def turns_before_talk(self) -> Sequence[Turn]:
        """The turns that stand before the talk because everything told does, oldest first."""
        if not self.fits_whole_life:
            return ()
        return [turn for turn in self._turns() if turn.id not in self.turn_ids]

    def complete(
        self, found: Sequence[Used] = (), own_story: str = ""
    ) -> tuple[list[Message], tuple[Used, ...]]:
        """Build the messages with what was recalled for the new one, as much as there is room for.

        Args:
            found: what was recalled and what is due, best first.
            own_story: what of the companion's own story bears on the message.

        Returns:
            The system message, the talk and the new message; and what was given of ``found``.
        """
        system, history = self._render_system(self.turns_before_talk), self._history
        writer = _TalkWriter(self, {*history.shown, *self.turn_ids})
        used = writer.choose(found, self._room_for_recalled(system))
        new = Exchange(
            self.message.text,
            "",
            used=used,
            time=self.message.now,
            metadata=self.message.style.metadata,
        )
        wished = (self.message.style.wish(self.language), self.care, self.watch)
        wishes = join(filter(None, wished), "\n\n")
        words = [*history.messages, writer.message(new, own_story, wishes)]
        talk = as_messages([*history.exchanges, new], words)
        return [Message("system", system), *talk], used

    def recalled_words(self, found: Sequence[Used]) -> str:
        """Write the memories of the prompt for the message, without the rest of the prompt."""
        earlier = self.turns_before_talk
        writer = _TalkWriter(self, {*self.turn_ids, *(turn.id for turn in earlier)})
        used = writer.choose(found, self._recalled_tokens)
        memories = [memory for it in used if (memory := self.find(it.id))]
        new = [memory for memory in memories if memory.id not in writer.shown]
        lines = self.lines
        return join(
            (
                lines.by_day(earlier, self.message.now),
                lines.known(memories, self.message.now),
                lines.by_day(new, self.message.now, self.message.text),
            )
        )

    @property
    def _recalled_tokens(self) -> int:
        share = RECALLED_LATER_SHARE if self.talk else RECALLED_SHARE
        return max(LEAST_RECALLED_TOKENS, int(self.memory_tokens * share))

    def _room_for_recalled(self, system: str) -> int:
        """Return the tokens left of half the context; for a very long message, of the whole."""
        tokens = sum(estimate_tokens(it) + MESSAGE_TOKENS for it in (system, self.message.text))
        tokens += sum(self._history.costs)
        answer = min(self.settings.max_tokens, self.context_tokens // 3)
        whole = min(LEAST_RECALLED_TOKENS, self.context_tokens - answer - tokens)
        return max(0, min(self._recalled_tokens, max(whole, self.context_tokens // 2 - tokens)))

    def _turns(self) -> Iterable[Turn]:
        """The turns that a prompt may hold, oldest first, without the one that is answered."""
        own = self.message.turn.id if self.message.turn else ""
        turns = self.message.memory.turns()
        return (it for it in turns if it.id != own and it.trace.is_active and may_stand(it))

    def _render_system(self, told: Sequence[Turn]) -> Escaped:
        memory, message = self.message.memory, self.message
        profile = memory.profile
        share = int(self.memory_tokens * PORTRAIT_SHARE)
        return self.prompts.render(
            "chat",
            companion_name=self.companion_name,
            person=profile.called,
            persona=persona_prompt(
                self.lore,
                profile.language,
                self.prompts,
                person=profile.called,
                most_tokens=int(self.context_tokens * PERSONA_SHARE),
            ),
            about_person=describe_profile(profile.meta_information) or None,
            overall_history=_portrait(memory.overall_history, share),
            overall_personality=_portrait(memory.overall_personality, share),
            manner=message.style.instructions(
                profile.language, profile.called, self.companion_name
            ),
            told=self.lines.by_day(told, message.now) or None,
        )


@dataclass(slots=True)
class _TalkWriter:
    """Writes the messages of the person with what was recalled for each, every memory once.

    ``shown`` holds the ids of memories that stand already; ``messages`` and ``costs`` (in tokens, with the
    reply) belong to ``exchanges``.
    """

    plan: PromptPlan
    shown: set[str]
    exchanges: Sequence[Exchange] = ()
    messages: Sequence[str] = ()
    costs: Sequence[int] = ()

    @classmethod
    def of(cls, plan: PromptPlan, exchanges: Sequence[Exchange]) -> _TalkWriter:
        """Write the messages of a talk."""
        writer = cls(plan, {exchange.id for exchange in exchanges}, exchanges)
        writer.messages = [writer.message(exchange) for exchange in exchanges]
        writer.costs = [
            sum(estimate_tokens(words) + MESSAGE_TOKENS for words in (written, exchange.response))
            for written, exchange in zip(writer.messages, exchanges, strict=True)
        ]
        return writer

    def choose(self, found: Sequence[Used], tokens: int) -> tuple[Used, ...]:
        """Choose the memories for which there is room; those that stand already need none."""
        chosen, turns = list[Used](), 0
        for used in found:
            memory = self.plan.find(used.id)
            if memory is None or not may_stand(memory):
                continue
            if not self._stands(used, memory):
                cost = self.plan.lines.tokens(memory)
                turns += isinstance(memory, Turn)
                if cost > tokens or turns > MOST_RECALLED:
                    continue
                tokens -= cost
            chosen.append(used)
        return tuple(chosen)

    def message(self, exchange: Exchange, own_story: str = "", wishes: str = "") -> str:
        """Write a message behind what was recalled for it; without a time, the words alone."""
        if exchange.time is None:
            return escape_special_tokens(exchange.query)
        plan = self.plan
        profile = plan.message.memory.profile
        now = exchange.time.astimezone(profile.zone)
        due, memories = list[Escaped](), list[Memory]()
        for used in exchange.used:
            memory = None if plan.care else plan.find(used.id)
            if memory is None or not may_stand(memory) or self._stands(used, memory):
                continue
            self.shown.add(_key(used))
            if DUE in used.parts or GREETED in used.parts:
                due.append(self._due(used, memory))
            else:
                memories.append(memory)
        if any(DUE in used.parts for used in exchange.used) and due:
            due.append(escaped_text("prompts", "due.ask", plan.language))
        before = plan.prompts.render(
            "message",
            companion_name=plan.companion_name,
            person=profile.called,
            memories=plan.lines.by_day(memories, exchange.time, exchange.query) or None,
            known=plan.lines.known(memories, exchange.time) or None,
            due=join(due) or None,
            own_story=own_story or None,
            metadata=json.dumps(exchange.metadata, ensure_ascii=False)
            if exchange.metadata
            else None,
            wishes=wishes,
            now=humanize_moment(now, plan.language, last_talk(plan.message.memory, now.date())),
        )
        return Escaped(f"{before}\n\n{escape_special_tokens(exchange.query)}")

    def _stands(self, used: Used, memory: Memory) -> bool:
        """True for a memory that stands already, itself or all the turns it was made from."""
        if _key(used) in self.shown:
            return True
        if not isinstance(memory, Event | DaySummary):
            return False
        turns = memory.provenance.from_ids
        return bool(turns) and self.shown.issuperset(turns)

    def _due(self, used: Used, memory: Memory) -> Escaped:
        language = self.plan.language
        words = memory.query if isinstance(memory, Turn) else memory.text
        days = int(used.parts.get(DUE, 0))
        key = "today" if days == 0 else "ahead" if days > 0 else "past"
        return escaped_text(
            "prompts",
            "due.greeted" if GREETED in used.parts else f"due.{key}",
            language,
            person=self.plan.message.memory.profile.called,
            told=memory.date,
            days=abs(days),
            words=truncate(words, DUE_TOKENS),
        )


def describe_profile(meta_information: Mapping[str, Any]) -> Escaped:
    """Write the person's own starting portrait, a line a field."""
    lines = []
    for name, value in meta_information.items():
        words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        if words.strip():
            lines.append(escape_line(f"{name}: {words.strip()}"))
    return join(lines)


def _portrait(overall: Overall | None, tokens: int) -> str | None:
    """Return a text of the portrait, where no rules wrote it."""
    if overall is None or overall.provenance.made_by == OFFLINE:
        return None
    return sentences_within(overall.text, tokens, estimate_tokens) or None


def _key(used: Used) -> str:
    """Return the key of a memory in a prompt; a due plan may be in it as a memory too."""
    return f"{DUE}:{used.id}" if DUE in used.parts or GREETED in used.parts else used.id
