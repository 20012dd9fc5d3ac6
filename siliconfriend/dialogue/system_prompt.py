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

from siliconfriend.dialogue.humanize import humanize_moment
from siliconfriend.memory.records import Profile
from siliconfriend.prompts import Prompts
from siliconfriend.texts import text

FENCES = ("overall_history", "personality_and_reply_strategy", "about_the_person", "memories")
KNOWLEDGE = {
    "overview": "overview_timeline",
    "known": "what_is_known",
    "events": "events",
    "promises": "your_promises",
    "own_story": "your_own_story",
    "metadata": "conversation_metadata",
}
"""The marks of sections that are left out where they are empty, in their order."""
_MARK = re.compile(rf"<(\s*/?\s*(?:{'|'.join((*FENCES, *KNOWLEDGE.values()))}))", re.IGNORECASE)


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


def system_prompt(
    prompts: Prompts,
    profile: Profile,
    *,
    companion_name: str,
    now: datetime,
    newcomer: bool,
    remembered: Mapping[str, str],
    persona: str = "",
    manner: str = "",
) -> str:
    """The system prompt.

    Args:
        prompts: of the person's language.
        profile: who they are.
        companion_name: what the companion calls itself.
        now: aware.
        newcomer: nothing was ever said before.
        remembered: the sections that were composed, ``dates`` and ``metadata``; of the
            portraits and the memories it is said where there are none.
        persona: who the companion is, where somebody wrote that.
        manner: wishes for this reply.
    """
    nothing = text("dialogue", "nothing_yet", profile.language)
    names = ("overall_history", "overall_personality", "memories", "dates")
    told = prompts.render(
        "chat_newcomer" if newcomer else "chat",
        companion_name=companion_name,
        person=profile.name,
        now=humanize_moment(now.astimezone(profile.zone), profile.language),
        persona=persona,
        manner=manner,
        knowledge=_knowledge(remembered),
        about_person=fenced(about(profile.meta_information)) or nothing,
        **{name: fenced(remembered.get(name, "").strip()) or nothing for name in names},
    )
    return re.sub(r"\n{3,}", "\n\n", told).strip()


def _knowledge(remembered: Mapping[str, str]) -> str:
    """The sections of :data:`KNOWLEDGE` that hold something, each between its marks."""
    return "\n\n".join(
        f"<{mark}>\n{fenced(words)}\n</{mark}>"
        for name, mark in KNOWLEDGE.items()
        if (words := remembered.get(name, "").strip())
    )
