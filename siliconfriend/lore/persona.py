"""Render the part of the prompt that describes the companion.

Where the model's context is small, a long persona is cut to its first sentences: one that took
all the room would leave none for what is being said.
"""

from __future__ import annotations

from siliconfriend.lore.lore import Lore
from siliconfriend.models.tokens import estimate_prompt_tokens, estimate_tokens
from siliconfriend.prompts.escape import Escaped
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.composing import sentences_within
from siliconfriend.texts import Language, text

UNBOUNDED = 1_000_000
"""More tokens than any persona has."""


def persona_prompt(
    lore: Lore | None,
    language: Language,
    prompts: Prompts | None = None,
    *,
    person: str | None = None,
    most_tokens: int = UNBOUNDED,
) -> Escaped:
    """The part of a prompt about who the companion is and how it speaks.

    Args:
        lore: the companion; None for one that nobody described.
        language: of the person.
        prompts: of that language, where an operator has their own.
        person: whom it talks with, for the macros of a character card.
        most_tokens: what the part may take; a quarter of it at most is for how it speaks.

    Returns:
        Empty where neither persona nor style was written, or where there is no room.
    """
    if lore is None:
        return Escaped()
    persona, style = lore.persona(language, person), lore.speaking_style(language, person)
    if not persona and not style:
        return Escaped()
    nothing = text("lore", "nothing_told", language)
    prompts = prompts or Prompts(language)
    missing = {"persona": nothing, "speaking_style": nothing}
    room = most_tokens - estimate_prompt_tokens(prompts.source("persona"), missing)
    if room <= 0:
        return Escaped()
    style = sentences_within(style, room // 4)
    persona = sentences_within(persona, room - estimate_tokens(style))
    speakers = {"person": person, "companion_name": lore.called(language)}
    return prompts.render(
        "persona",
        persona=persona or nothing,
        speaking_style=style or nothing,
        **{role: name for role, name in speakers.items() if name},
    )
