"""All that a model hears for one reply: the system prompt, the talk so far, the new message.

Together with the answer it must fit the model's context. The person's own words always
stay whole; of the talk the oldest leave first, of the memories the least fitting. The room
is shared out by estimates of the single parts, so that the system prompt is rendered once,
when everything that enters it is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from siliconfriend.config import Settings
from siliconfriend.dialogue.chat_history import Exchange, newest_within, to_messages
from siliconfriend.dialogue.due_section import due_section
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.dialogue.system_prompt import SystemPrompt
from siliconfriend.language.long_texts import beginning_and_end
from siliconfriend.lore.lore import Lore
from siliconfriend.lore.persona import persona_prompt
from siliconfriend.memory.used import Used
from siliconfriend.models.base import Message
from siliconfriend.models.tokens import estimate_message_tokens, estimate_tokens
from siliconfriend.prompts.escape import join
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.composing import Composed, compose
from siliconfriend.recall.cue import asks_memory

MEMORY_TOKENS = 3000
"""Most tokens of everything remembered in a prompt, however large the context."""
LIVE_TOKENS = 3000
"""Most tokens of the talk that goes on."""
TASKS = ("chat_question", "chat_question_untold", "chat_remark")
"""The prompts that say what to do with the memories."""
PERSONA_SHARE = 0.75
"""Most of what a small context leaves that goes to who the companion is."""


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """The messages of one reply.

    Attributes:
        messages: the system prompt, the talk, and last the person's new message.
        used: the memories that are in it, best first.
        dropped: ids of those that were recalled and had no room.
    """

    messages: Sequence[Message]
    used: tuple[Used, ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PromptPlan:
    """A prompt before anything is recalled: what of the talk it holds and what room is left.

    Attributes:
        message: what is answered.
        system: the system prompt without memories.
        history: the newest exchanges of the talk for which there is room, oldest first.
        memory_tokens: the room for memories.
        overview_events: most events in the overview.
    """

    message: IncomingMessage
    system: SystemPrompt
    history: Sequence[Exchange]
    memory_tokens: int
    overview_events: int

    @property
    def turn_ids(self) -> frozenset[str]:
        """The ids of the turns that stand in the prompt as the talk."""
        return frozenset(exchange.id for exchange in self.history if exchange.id)

    def complete(self, retrieved: Retrieved) -> ChatPrompt:
        """Build the prompt with as much of what was retrieved as there is room for."""
        language = self.message.memory.profile.language
        due, matters = due_section(
            retrieved.due,
            language,
            live=self.turn_ids,
            budget_tokens=self.memory_tokens,
            said_first=retrieved.said_first,
        )
        room = replace(self, memory_tokens=self.memory_tokens - estimate_tokens(due))
        composed = room.compose(retrieved)
        sections = {**composed.sections, "due": due, "dates": composed.dates}
        system = self.system
        if not self.message.is_first:
            system = system.with_task(_task_of(self.message, retrieved))
        messages = [
            Message("system", system.render(sections)),
            *to_messages(self.history, self.message.text),
        ]
        known = {it.id for it in composed.used}
        asked = (Used(it.turn.id, 0.0, {"due": 0.0}) for it in matters if it.turn.id not in known)
        return ChatPrompt(messages, (*composed.used, *asked), composed.dropped)

    def compose(self, retrieved: Retrieved) -> Composed:
        """Put what was retrieved into the sections of the prompt, as much as there is room for."""
        profile = self.message.memory.profile
        return compose(
            retrieved.memories,
            self.message.memory,
            language=profile.language,
            now=self.message.now,
            zone=profile.zone,
            companion_name=self.system.companion_name,
            budget_tokens=self.memory_tokens,
            lore=retrieved.own_story,
            live=self.turn_ids,
            overview_events=self.overview_events,
        )


def plan_prompt(
    message: IncomingMessage,
    talk: Sequence[Exchange],
    settings: Settings,
    *,
    companion_name: str,
    context_tokens: int,
    lore: Lore | None = None,
    care: str = "",
) -> PromptPlan:
    """Plan a prompt: share out its tokens among persona, history and memories.

    Args:
        message: what is answered.
        talk: what was said lately, oldest first. What has no room is to be recalled like
            anything that was said earlier.
        settings: for the length of the answer and the operator's own prompts.
        companion_name: what the companion calls itself.
        context_tokens: what prompt and answer may take together.
        lore: who the companion is; None where nobody described it.
        care: how to go on after the words that say where help is, escaped; empty where there
            are none.
    """
    profile = message.memory.profile
    prompts = Prompts(profile.language, settings.prompts)
    answer = min(settings.max_tokens, context_tokens // 3)
    room = context_tokens - answer - estimate_tokens(message.text)
    wishes = message.style.instructions(profile.language, profile.name, companion_name)
    system = SystemPrompt(
        prompts=prompts,
        profile=profile,
        companion_name=companion_name,
        now=message.now,
        is_first=message.is_first,
        style=join((it for it in (wishes, care) if it), "\n\n"),
        metadata=message.style.metadata_json(),
    )
    most = max(0, int((room - system.estimate_tokens()) * PERSONA_SHARE))
    persona = persona_prompt(lore, profile.language, prompts, person=profile.name, most_tokens=most)
    system = replace(system, persona=persona)
    room -= system.estimate_tokens() + system.longest_task(TASKS)
    history = newest_within(talk, min(LIVE_TOKENS, room // 2))
    spoken = estimate_message_tokens(to_messages(history, message.text))
    return PromptPlan(
        message=message,
        system=system,
        history=history,
        memory_tokens=max(0, min(MEMORY_TOKENS, room - spoken)),
        overview_events=settings.overview_events,
    )


def _task_of(message: IncomingMessage, retrieved: Retrieved) -> str:
    """The prompt that says what to do with the memories; of a question, by what recall makes of it.

    A small model that is to find out for itself whether something was told takes what lies
    nearest for it.
    """
    if not asks_memory(beginning_and_end(message.text)):
        return "chat_remark"
    return "chat_question" if retrieved.may_be_told else "chat_question_untold"
