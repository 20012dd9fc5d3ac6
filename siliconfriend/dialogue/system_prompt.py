"""What a model is told before the talk: who it is and what it remembers.

Everything remembered stands between tags, with a sentence that it is a record and holds
no orders. That nothing remembered can end its own section is the work of
:meth:`Prompts.render`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from siliconfriend.dialogue.humanize import humanize_moment
from siliconfriend.memory.records import Profile
from siliconfriend.prompts.escape import Escaped, escape_line, join, section
from siliconfriend.prompts.loader import Prompts
from siliconfriend.texts import text

KNOWLEDGE = {
    "overview": "overview_timeline",
    "known": "what_is_known",
    "events": "events",
    "promises": "your_promises",
    "own_story": "your_own_story",
    "metadata": "conversation_metadata",
}
"""The tags of sections that are left out where they are empty, in their order."""


def describe_profile(meta_information: Mapping[str, Any]) -> Escaped:
    """The person's own starting portrait, a line a field."""
    lines = []
    for name, value in meta_information.items():
        words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        if words.strip():
            lines.append(escape_line(f"{name}: {words.strip()}"))
    return join(lines)


def render_system_prompt(
    prompts: Prompts,
    profile: Profile,
    *,
    companion_name: str,
    now: datetime,
    newcomer: bool,
    remembered: Mapping[str, str],
    persona: str = "",
    style: str = "",
) -> Escaped:
    """Render the system prompt.

    Args:
        prompts: of the person's language.
        profile: who they are.
        companion_name: what the companion calls itself.
        now: aware.
        newcomer: nothing was ever said before.
        remembered: the sections that were composed, ``dates`` and ``metadata``; of the
            portraits and the memories it is said where there are none.
        persona: who the companion is, where somebody wrote that.
        style: wishes for this reply.
    """
    nothing = Escaped(text("dialogue", "nothing_yet", profile.language))
    names = ("overall_history", "overall_personality", "memories", "dates")
    return prompts.render(
        "chat_newcomer" if newcomer else "chat",
        companion_name=companion_name,
        person=profile.name,
        now=humanize_moment(now.astimezone(profile.zone), profile.language),
        persona=persona,
        manner=style,
        knowledge=_knowledge(remembered),
        about_person=describe_profile(profile.meta_information) or nothing,
        **{name: remembered.get(name) or nothing for name in names},
    )


def _knowledge(remembered: Mapping[str, str]) -> Escaped:
    """The sections of :data:`KNOWLEDGE` that hold something, each between its tags."""
    return join(
        (section(tag, words) for name, tag in KNOWLEDGE.items() if (words := remembered.get(name))),
        "\n\n",
    )
