"""All that a model hears for one reply: the briefing, the talk that goes on, what was just said.

Together with the answer it must fit the model's context. The person's own words always
stay whole; of the talk the oldest leave first, of the memories the least fitting.
"""

from __future__ import annotations

from collections.abc import Sequence

from siliconfriend.config import Settings
from siliconfriend.dialogue.attempt import Attempt
from siliconfriend.dialogue.briefing import briefing
from siliconfriend.dialogue.live import Exchange, as_messages, within
from siliconfriend.models.base import Message
from siliconfriend.models.tokens import tokens_of, tokens_of_all
from siliconfriend.prompts import Prompts
from siliconfriend.recall.composing import Composed, compose

MEMORY_TOKENS = 3000
"""Most tokens of recalled memories and portraits in a prompt, however large the context."""
LIVE_TOKENS = 3000
"""Most tokens of the talk that goes on."""


def conversation(
    attempt: Attempt,
    talk: Sequence[Exchange],
    *,
    settings: Settings,
    companion_name: str,
    context_tokens: int,
) -> list[Message]:
    """The messages of a reply; notes in ``attempt`` which memories they hold.

    Args:
        attempt: the reply that is being made.
        talk: what was said lately, oldest first.
        settings: for the length of the answer and the operator's own prompts.
        companion_name: what the companion calls itself.
        context_tokens: what prompt and answer may take together.
    """
    memory = attempt.before
    profile = memory.profile
    prompts = Prompts(profile.language, settings.prompts)

    def system(composed: Composed | None) -> str:
        return briefing(
            prompts,
            profile,
            companion_name=companion_name,
            now=attempt.now,
            newcomer=attempt.newcomer,
            remembered={} if composed is None else {**composed.sections, "dates": composed.dates},
        )

    answer = min(settings.max_tokens, context_tokens // 3)
    room = context_tokens - answer - tokens_of(system(None)) - tokens_of(attempt.said)
    spoken = as_messages(within(talk, min(LIVE_TOKENS, room // 2)), attempt.said)
    composed = compose(
        attempt.recollection,
        memory,
        language=profile.language,
        now=attempt.now,
        zone=profile.zone,
        companion_name=companion_name,
        budget_tokens=max(0, min(MEMORY_TOKENS, room - tokens_of_all(spoken))),
    )
    attempt.used, attempt.dropped = composed.used, composed.dropped
    return [Message("system", system(composed)), *spoken]
