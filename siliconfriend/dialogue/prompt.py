"""Build the messages of one reply within one budget: the rules, the memories, the talk, the message.

A prompt takes at most two thirds of the context. The budget is spent in this order:

1. the rules, the persona and the new message;
2. memories, up to :attr:`Settings.memory_tokens` and half of the remaining room: all the person's
   words if they fit, else the portrait and the memories recalled for the message;
3. the talk, newest first;
4. memories recalled for earlier messages of the talk.

The system message is the same all day. Memories recalled for a message stay before that message,
rebuilt from the ids in ``Turn.used``. So a prompt only grows until the talk exceeds its budget.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, get_args

from siliconfriend.characters.lore import Lore, persona_prompt
from siliconfriend.clock import day_of
from siliconfriend.config import Settings
from siliconfriend.dialogue.chat_history import Exchange, as_messages
from siliconfriend.dialogue.message_writer import MessageWriter
from siliconfriend.dialogue.prompt_talk import WrittenTalk
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import RestsOn
from siliconfriend.dialogue.standing import standing_instructions
from siliconfriend.language.sentences import sentences_within
from siliconfriend.memory.knowledge import OFFLINE, Used
from siliconfriend.memory.records import Memory, Overall, Turn
from siliconfriend.models.base import Message
from siliconfriend.models.tokens import MESSAGE_TOKENS, PORTRAIT_TOKENS, estimate_tokens
from siliconfriend.prompts.escape import Escaped, escape_line, escaped_text, join
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.memory_lines import (
    REPLY_TOKENS,
    Excerpt,
    MemoryLines,
    may_stand,
)
from siliconfriend.recall.silenced import silenced_names, speaks_of
from siliconfriend.recall.time_words import label_day
from siliconfriend.texts import Language

PROMPT_SHARE, PERSONA_SHARE = 2 / 3, 1 / 5
"""Largest shares of the context for the whole prompt and for the persona."""

LEAST_RECALLED_TOKENS = 120
"""Tokens reserved for recalled memories, even if the full history fills the memory budget."""

TALK_TOKENS = 8000
"""Maximum tokens of the talk, for any context size."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A finished prompt.

    Attributes:
        messages: the system message, the talk and the new message.
        used: the recalled memories in the prompt, best first.
        memories: the lines of all memories in it, for measuring.
        rests_on: whether the prompt has the full history or a portrait.
    """

    messages: list[Message]
    used: tuple[Used, ...]
    memories: str
    rests_on: tuple[RestsOn, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PromptPlan:
    """A prompt before anything is recalled for the new message.

    Attributes:
        message: what is answered.
        settings: for prompts of the operator's own and the room for memories.
        companion_name: what the companion calls itself.
        context_tokens: maximum tokens of prompt and answer together.
        find: returns a memory (own or shared) by its id, or None.
        talk: what was said lately, oldest first.
        lore: the companion's description; None if there is none.
        care: instruction for the words after the help text; the prompt then has no memory.
        watch: instruction to check the message for danger; empty for none.
        before: the talk as the last prompt held it.
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
    before: WrittenTalk | None = None

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
    def turn_ids(self) -> frozenset[str]:
        """The ids of the turns shown in the prompt as the talk."""
        repeated = {exchange.id for exchange in self.talk} - {
            exchange.id for exchange in self._answered
        }
        return frozenset({exchange.id for exchange in self.written_talk.shown} | repeated) - {""}

    def complete(self, found: Sequence[Used] = (), own_story: str = "") -> Prompt:
        """Build the prompt with the recalled memories that fit the budget.

        Args:
            found: recalled and due memories, best first.
            own_story: entries of the companion's story that match the message.
        """
        talk = self.written_talk
        told = self._told or ()
        shown = {exchange.id: exchange.response for exchange in self.talk}
        shown = {turn: shown[turn] for turn in self.turn_ids} | talk.writer.shown
        memories = [*talk.writer.memories]
        writer = replace(talk.writer, shown=shown, memories=memories)
        used = () if self.care else tuple(found)
        asked = Exchange(self.message.text, "", used=used, time=self.message.now)
        asked = replace(asked, metadata=self.message.style.metadata)
        wished = (self.message.style.wish(self.language), self.care, self.watch)
        last = writer.write(asked, own_story, join(filter(None, wished), "\n\n"))
        messages = as_messages([*talk.shown, asked], [*talk.messages, last])
        ids = {excerpt.memory.id for excerpt in told} | self.turn_ids
        memories = [self.lines.by_day(told, self.message.now, shown=ids), *memories]
        system = Message("system", self._system(told, ids))
        stands = {"told": bool(told), "portrait": any(self._portrait.values())}
        rests_on = tuple(key for key in get_args(RestsOn) if stands[key])
        return Prompt([system, *messages], writer.used, "\n".join(memories), rests_on)

    # The budget

    @cached_property
    def _needed(self) -> int:
        """Tokens of the rules, the persona and the new message."""
        message = self._writer(0, {}).write(
            Exchange(self.message.text, "", time=self.message.now), "", self.care + self.watch
        )
        words = (message, self.message.style.style_hint)
        return self._rules + sum(estimate_tokens(part) + MESSAGE_TOKENS for part in words)

    @cached_property
    def _rules(self) -> int:
        """Tokens of the system message without memories."""
        return estimate_tokens(self._render()) + MESSAGE_TOKENS

    @cached_property
    def _free(self) -> int:
        """Token budget of memories: half of the room after rules and message.

        After a very long message, the budget is the rest of the whole context; 0 with care
        instructions.
        """
        answer = min(self.settings.max_tokens, self.context_tokens // 3)
        free = self.context_tokens - answer - self._needed
        half = (int(self.context_tokens * PROMPT_SHARE) - self._needed) // 2
        return 0 if self.care else max(0, min(max(half, LEAST_RECALLED_TOKENS), free))

    @property
    def _memory_tokens(self) -> int:
        """Token budget of memories from the settings."""
        return min(self.settings.memory_tokens, self._free)

    @cached_property
    def _portrait(self) -> dict[str, str | None]:
        """The texts of the portrait that a model wrote: newest first where room is short."""
        memory = self.message.memory
        texts = {name: getattr(memory, name) for name in ("overall_history", "overall_personality")}
        return {name: _within(text, self._portrait_tokens) for name, text in texts.items()}

    @property
    def _portrait_tokens(self) -> int:
        return min(PORTRAIT_TOKENS, self._memory_tokens // 4)

    @cached_property
    def _told(self) -> tuple[Excerpt, ...] | None:
        """All the person's words before this talk, and replies; None if over the budget.

        All replies get some room before one gets more, the newest first. Beside them stands how to
        reply to the person, but not the redundant story so far. The result stays the same while the
        talk goes on.
        """
        room = self._memory_tokens - estimate_tokens(self._portrait["overall_personality"] or "")
        told = list[Excerpt]()
        for excerpt, tokens in self._costs(
            Excerpt(turn, room, REPLY_TOKENS[-1]) for turn in self._turns()
        ):
            told.append(excerpt)
            room -= tokens
            if room < 0:
                return None
        for replied in REPLY_TOKENS[-2::-1]:
            for at, shorter in reversed([*enumerate(told)]):
                longer = replace(shorter, replied=replied)
                more = self.lines.tokens(longer) - self.lines.tokens(shorter)
                if more <= room:
                    told[at], room = longer, room - more
        return tuple(told)

    def _costs(self, excerpts: Iterable[Excerpt]) -> Iterator[tuple[Excerpt, int]]:
        """Yield excerpts with their tokens; the first of each time includes its label."""
        before = ""
        for excerpt in excerpts:
            label = self.lines.label(excerpt.memory, self.message.now)
            tokens = 0 if label == before else estimate_tokens(label) + 2
            yield excerpt, self.lines.tokens(excerpt) + tokens
            before = label

    @cached_property
    def _recalled_tokens(self) -> int:
        """Token budget for one message's recalled memories, after the full history or portrait."""
        if self._told is not None:
            taken = sum(tokens for _, tokens in self._costs(self._told))
        else:
            taken = sum(estimate_tokens(words or "") for words in self._portrait.values())
        return max(min(LEAST_RECALLED_TOKENS, self._free), self._memory_tokens - taken)

    @cached_property
    def written_talk(self) -> WrittenTalk:
        """The newest exchanges of the talk that fit the budget, as written."""
        system = estimate_tokens(self._system(self._told or ())) + MESSAGE_TOKENS
        most = int(self.context_tokens * PROMPT_SHARE) - system - self._recalled_tokens
        talk, told, memory = self._answered, self._told or (), self.message.memory
        shown = {
            excerpt.memory.id: self.lines.reply(excerpt.memory, excerpt.replied)
            for excerpt in told
            if isinstance(excerpt.memory, Turn)
        }
        room, levels = self._recalled_tokens, tuple(excerpt.replied for excerpt in told)
        frame = (self.companion_name, memory.profile, len(memory.erased), levels)
        written = WrittenTalk(lambda: self._writer(room, dict(shown)), frame)
        if not self.care:
            written.resume(self.before, talk)
        for exchange in talk[len(written.exchanges) :]:
            needed = estimate_tokens(exchange.query) + MESSAGE_TOKENS
            written.fit(min(most - needed, TALK_TOKENS))
            written.append(exchange, is_plain=bool(self.care))
        written.fit(min(most - (self._needed - self._rules), TALK_TOKENS))
        return written

    def _writer(self, room: int, shown: dict[str, str]) -> MessageWriter:
        return MessageWriter(
            lines=self.lines, prompts=self.prompts, find=self.find, room=room, shown=shown
        )

    @cached_property
    def _answered(self) -> Sequence[Exchange]:
        """The talk without unanswered messages that were sent again."""
        sent_next = [*(exchange.query for exchange in self.talk[1:]), self.message.text]
        return [
            exchange
            for exchange, following in zip(self.talk, sent_next, strict=False)
            if exchange.response.strip() or exchange.query != following
        ]

    def _turns(self) -> Iterable[Turn]:
        """The turns before this talk that a prompt may hold, oldest first."""
        own = {self.message.turn.id if self.message.turn else ""}
        own |= {exchange.id for exchange in self.talk}
        turns, names = self.message.memory.turns(), self._silenced
        return (
            turn
            for turn in turns
            if turn.id not in own and turn.trace.is_active and may_stand(turn)
            if not (names and speaks_of(f"{turn.besides_wish}\n{turn.response}", names))
        )

    @cached_property
    def _silenced(self) -> tuple[str, ...]:
        return silenced_names(self.message.memory, self.message.text)

    # The system message

    def _system(self, told: Sequence[Excerpt], shown: Collection[str] = ()) -> Escaped:
        """Render the system message with the portrait and the history before the talk."""
        portrait = self._portrait
        if self._told is not None:
            portrait = {**portrait, "overall_history": None}
        written = self.lines.by_day(told, self.message.now, shown=shown)
        return self._render(told=written or None, **portrait)

    @cached_property
    def _standing(self) -> Escaped:
        """The wishes of the person about how to talk, which hold until they are withdrawn."""
        memory, now = self.message.memory, self.message.now
        today = day_of(now, memory.profile.zone)
        written = standing_instructions(memory, memory.profile.language, today)
        return join(escape_line(line) for line in written.splitlines())

    def _render(self, **memories: str | None) -> Escaped:
        profile = self.message.memory.profile
        persona = persona_prompt(
            self.lore,
            profile.language,
            self.prompts,
            person=profile.called,
            most_tokens=int(self.context_tokens * PERSONA_SHARE),
        )
        manner = self.message.style.instructions(
            profile.language, profile.called, self.companion_name
        )
        manner = join((manner, self._standing))
        none = dict.fromkeys(("overall_history", "overall_personality", "told"))
        return self.prompts.render(
            "chat",
            companion_name=self.companion_name,
            person=profile.called,
            acquaintance=self._acquaintance(),
            character=None if persona else self._text("character"),
            initiative=self._text(
                f"initiative.{'no' if self.settings.speaks_first == 'no' else 'yes'}"
            ),
            persona=persona,
            about_person=describe_profile(profile.meta_information) or None,
            manner=manner,
            **none | memories,
        )

    def _acquaintance(self) -> Escaped:
        """Write how long the two have known each other; constant during a day."""
        memory, language = self.message.memory, self.language
        today = day_of(self.message.now, memory.profile.zone)
        days = [day for day in memory.days if day < today.isoformat()]
        if not days:
            return self._text("acquaintance.first")
        first = label_day(date.fromisoformat(days[0]), today, language)
        return self._text("acquaintance.later", day=first, number=len(days) + 1)

    def _text(self, key: str, **values: object) -> Escaped:
        person = self.message.memory.profile.called
        return escaped_text("prompts", key, self.language, person=person, **values)


def describe_profile(meta_information: Mapping[str, Any]) -> Escaped:
    """Write the person's own starting portrait, a line a field."""
    lines = []
    for name, value in meta_information.items():
        words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        if words.strip():
            lines.append(escape_line(f"{name}: {words.strip()}"))
    return join(lines)


def _within(overall: Overall | None, tokens: int) -> str | None:
    """Return a text of the portrait, truncated to its newest sentences; None if rules made it."""
    if overall is None or overall.provenance.made_by == OFFLINE:
        return None
    return sentences_within(overall.text, tokens, estimate_tokens, keep_end=True) or None
