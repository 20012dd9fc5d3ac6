"""What a model is told before the talk: who it is and what it remembers.

Everything remembered goes in between marks, with a sentence that it is a record and
holds no orders. So that nothing remembered can end its own fence, marks of that form
are made harmless wherever they stand in a person's words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from siliconfriend.dialogue.spoken_days import spoken_moment
from siliconfriend.memory.records import Profile
from siliconfriend.prompts import Prompts
from siliconfriend.texts import text

FENCES = ("overall_history", "personality_and_reply_strategy", "about_the_person", "memories")
_MARK = re.compile(rf"<(\s*/?\s*(?:{'|'.join(FENCES)}))", re.IGNORECASE)


def fenced(words: str) -> str:
    """The words with every mark that could end a fence made harmless."""
    return _MARK.sub(r"‹\1", words)


def about(meta_information: Mapping[str, Any]) -> str:
    """The person's own starting portrait, a line a field."""
    lines = []
    for name, value in meta_information.items():
        words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        if words.strip():
            lines.append(f"{name}: {words.strip()}")
    return "\n".join(lines)


def briefing(
    prompts: Prompts,
    profile: Profile,
    *,
    companion_name: str,
    now: datetime,
    newcomer: bool,
    remembered: Mapping[str, str],
) -> str:
    """The system prompt.

    Args:
        prompts: of the person's language.
        profile: who they are.
        companion_name: what the companion calls itself.
        now: aware.
        newcomer: nothing was ever said before.
        remembered: ``overall_history``, ``overall_personality``, ``memories`` and ``dates``;
            what is empty or missing is said to be.
    """
    nothing = text("dialogue", "nothing_yet", profile.language)
    names = ("overall_history", "overall_personality", "memories", "dates")
    return prompts.render(
        "chat_newcomer" if newcomer else "chat",
        companion_name=companion_name,
        person=profile.name,
        now=spoken_moment(now.astimezone(profile.zone), profile.language),
        about_person=fenced(about(profile.meta_information)) or nothing,
        **{name: fenced(remembered.get(name, "").strip()) or nothing for name in names},
    )
