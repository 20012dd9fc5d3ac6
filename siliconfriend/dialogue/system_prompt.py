"""What a model is told before the talk: who it is and what it remembers.

Everything remembered stands between tags, with a sentence that it is a record and holds
no orders. That nothing remembered can end its own section is the work of
:meth:`Prompts.render`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from siliconfriend.dialogue.humanize import humanize_moment
from siliconfriend.memory.records import Profile
from siliconfriend.models.tokens import estimate_prompt_tokens
from siliconfriend.prompts.escape import Escaped, escape_line, join, section
from siliconfriend.prompts.loader import Prompts
from siliconfriend.texts import text

OPTIONAL_SECTIONS = {
    "overview": "overview_timeline",
    "known": "what_is_known",
    "events": "events",
    "promises": "your_promises",
    "due": "due",
    "own_story": "your_own_story",
    "metadata": "conversation_metadata",
}
"""The tags of sections that are left out where they are empty, in their order."""
_PORTRAITS = ("overall_history", "overall_personality")


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPrompt:
    """The system prompt of one reply, to which only what is remembered is still missing.

    Attributes:
        prompts: of the person's language.
        profile: who the person is.
        companion_name: what the companion calls itself.
        now: aware.
        is_first: nothing was ever said before.
        task: what to do with the memories.
        persona: who the companion is, where somebody wrote that.
        style: wishes for this reply.
        metadata: what the program around knows about the talk, as JSON.
    """

    prompts: Prompts
    profile: Profile
    companion_name: str
    now: datetime
    is_first: bool
    task: str = ""
    persona: str = ""
    style: str = ""
    metadata: str = ""

    def estimate_tokens(self) -> int:
        """Estimate its tokens with nothing remembered, without rendering it."""
        return estimate_prompt_tokens(self.prompts.source(self._name), self._variables({}))

    def longest_task(self, tasks: Iterable[str]) -> int:
        """Estimate the tokens of the longest of the prompts that may become its task."""
        named = {"person": self.profile.name}
        return max(estimate_prompt_tokens(self.prompts.source(it), named) for it in tasks)

    def with_task(self, name: str) -> SystemPrompt:
        """The same with the prompt ``name`` as its task."""
        return replace(self, task=self.prompts.render(name, person=self.profile.name))

    def render(self, remembered: Mapping[str, str]) -> Escaped:
        """Render the system prompt.

        Args:
            remembered: the sections that were composed, and their ``dates``. Where nothing
                bears on the message, the memories say so; any other empty section is left out.
        """
        return self.prompts.render(self._name, **self._variables(remembered))

    @property
    def _name(self) -> str:
        return "chat_newcomer" if self.is_first else "chat"

    def _variables(self, remembered: Mapping[str, str]) -> dict[str, str | None]:
        language = self.profile.language
        sections = {**remembered, "metadata": self.metadata}
        return {
            "companion_name": self.companion_name,
            "person": self.profile.name,
            "now": humanize_moment(self.now.astimezone(self.profile.zone), language),
            "task": self.task,
            "persona": self.persona,
            "manner": self.style,
            "about_person": describe_profile(self.profile.meta_information) or None,
            "knowledge": join(self._knowledge(sections), "\n\n"),
            **{name: sections.get(name) or None for name in _PORTRAITS},
            "memories": sections.get("memories")
            or Escaped(text("dialogue", "no_memory", language)),
            "dates": sections.get("dates"),
        }

    def _knowledge(self, sections: Mapping[str, str]) -> Iterator[Escaped]:
        """The sections that hold something; what to do with one stands below it, outside its tags."""
        for name, tag in OPTIONAL_SECTIONS.items():
            if sections.get(name):
                yield section(tag, sections[name], (self.profile.name, self.companion_name))
                if name == "due":
                    yield Escaped(text("dialogue", "due.note", self.profile.language))


def describe_profile(meta_information: Mapping[str, Any]) -> Escaped:
    """Write the person's own starting portrait, a line a field."""
    lines = []
    for name, value in meta_information.items():
        words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        if words.strip():
            lines.append(escape_line(f"{name}: {words.strip()}"))
    return join(lines)
