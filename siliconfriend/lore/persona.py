"""What a model is told of the companion itself."""

from __future__ import annotations

import re

from siliconfriend.lore.lore import Lore
from siliconfriend.prompts import Prompts
from siliconfriend.texts import Language, text

_MARK = re.compile(r"<(?=\s*/?\s*[a-z_]+\s*>)", re.IGNORECASE)


def persona_text(lore: Lore | None, language: Language, prompts: Prompts | None = None) -> str:
    """The part of a prompt about who the companion is and how it speaks.

    Args:
        lore: the companion; None for one that nobody described.
        language: of the person.
        prompts: of that language, where an operator has their own.

    Returns:
        Empty where neither persona nor style was written. Marks inside the operator's words
        are made harmless, since they could end those of the prompt.
    """
    if lore is None:
        return ""
    persona, style = lore.persona(language), lore.speaking_style(language)
    if not persona and not style:
        return ""
    nothing = text("lore", "nothing_told", language)
    return (prompts or Prompts(language)).render(
        "persona",
        persona=_MARK.sub("‹", persona) or nothing,
        speaking_style=_MARK.sub("‹", style) or nothing,
    )
