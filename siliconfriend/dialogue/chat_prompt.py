"""All that a model hears for one reply: the system prompt, the talk that goes on, what was just said.

Together with the answer it must fit the model's context. The person's own words always
stay whole; of the talk the oldest leave first, of the memories the least fitting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from siliconfriend.config import Settings
from siliconfriend.dialogue.chat_history import Exchange, to_messages, within
from siliconfriend.dialogue.reply_in_progress import ReplyInProgress
from siliconfriend.dialogue.system_prompt import render_system_prompt
from siliconfriend.lore.lore import Lore
from siliconfriend.lore.persona import persona_prompt
from siliconfriend.models.base import Message
from siliconfriend.models.tokens import estimate_message_tokens, estimate_tokens
from siliconfriend.prompts.escape import Escaped
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.composing import Composed, compose

MEMORY_TOKENS = 3000
"""Most tokens of everything remembered in a prompt, however large the context."""
LIVE_TOKENS = 3000
"""Most tokens of the talk that goes on."""
PERSONA_SHARE = 0.75
"""Most of what a small context leaves that goes to who the companion is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPrompt:
    """What one reply is made from.

    Attributes:
        attempt: the reply that is being made.
        talk: what was said lately, oldest first.
        settings: for the length of the answer and the operator's own prompts.
        companion_name: what the companion calls itself.
        context_tokens: what prompt and answer may take together.
        lore: who the companion is; None where nobody described it.
    """

    attempt: ReplyInProgress
    talk: Sequence[Exchange]
    settings: Settings
    companion_name: str
    context_tokens: int
    lore: Lore | None = None

    def spoken(self) -> list[Exchange]:
        """As much of the talk as the prompt has room for, the newest first to stay.

        What has none is to be recalled like anything that was said earlier.
        """
        return within(self.talk, min(LIVE_TOKENS, self._room() // 2))

    def messages(self) -> list[Message]:
        """The messages of the reply; notes in the attempt which memories they hold."""
        attempt, profile = self.attempt, self.attempt.before.profile
        talk = self.spoken()
        spoken = to_messages(talk, attempt.said)
        composed = compose(
            attempt.recollection,
            attempt.before,
            language=profile.language,
            now=attempt.now,
            zone=profile.zone,
            companion_name=self.companion_name,
            budget_tokens=max(
                0, min(MEMORY_TOKENS, self._room() - estimate_message_tokens(spoken))
            ),
            lore=attempt.own_story,
            live={exchange.id for exchange in talk if exchange.id},
            overview_events=self.settings.overview_events,
        )
        attempt.used, attempt.dropped = composed.used, composed.dropped
        return [Message("system", self._system(composed)), *spoken]

    def _room(self) -> int:
        """Tokens for the talk and the memories."""
        return self._left(self._system(None))

    def _left(self, system: str) -> int:
        """Tokens beside this system prompt, the answer and what was just said."""
        answer = min(self.settings.max_tokens, self.context_tokens // 3)
        return (
            self.context_tokens
            - answer
            - estimate_tokens(system)
            - estimate_tokens(self.attempt.said)
        )

    def _system(self, composed: Composed | None) -> Escaped:
        room = self._left(self._told(None, persona=""))
        persona = persona_prompt(
            self.lore,
            self.attempt.before.profile.language,
            self._prompts(),
            most_tokens=max(0, int(room * PERSONA_SHARE)),
        )
        return self._told(composed, persona=persona)

    def _prompts(self) -> Prompts:
        return Prompts(self.attempt.before.profile.language, self.settings.prompts)

    def _told(self, composed: Composed | None, *, persona: str) -> Escaped:
        attempt, profile = self.attempt, self.attempt.before.profile
        remembered = {"metadata": attempt.style.metadata_json()}
        if composed is not None:
            remembered |= {**composed.sections, "dates": composed.dates}
        return render_system_prompt(
            self._prompts(),
            profile,
            companion_name=self.companion_name,
            now=attempt.now,
            newcomer=attempt.newcomer,
            remembered=remembered,
            persona=persona,
            style=attempt.style.instructions(profile.language, profile.name),
        )
