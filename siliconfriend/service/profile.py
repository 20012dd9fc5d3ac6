"""``get_user_profile``: who the person is, as far as their memory tells."""

from __future__ import annotations

from typing import Any

from siliconfriend.lore.companions import Companions
from siliconfriend.lore.entries import Entry, entries_in
from siliconfriend.memory.records import PersonMemory
from siliconfriend.service.arguments import GetUserProfile
from siliconfriend.service.knowledge import MOST, assistant_knowledge, told, user_knowledge
from siliconfriend.service.moments import shown
from siliconfriend.service.served import Served


def profile(served: Served, asked: GetUserProfile) -> dict[str, Any]:
    """The portrait, empty where no night has made one, and the knowledge that is wanted.

    Raises:
        StoreError: the memory cannot be read.
    """
    memory = served.memory()
    portrait = memory.overall_personality
    answer: dict[str, Any] = {
        "status": "success",
        "timestamp": shown(served.now(memory), memory.profile.zone),
        "user_id": served.scope.person,
        "assistant_id": served.scope.companion,
        "user_profile": portrait.text if portrait else "",
    }
    if asked.include_knowledge:
        answer["user_knowledge"] = told(user_knowledge(memory))
        answer["user_knowledge_count"] = len(answer["user_knowledge"])
    if asked.include_assistant_knowledge:
        known = [*assistant_knowledge(memory), *_own_story(served, memory)]
        answer["assistant_knowledge"] = told(known[:MOST])
        answer["assistant_knowledge_count"] = len(answer["assistant_knowledge"])
    return answer


def _own_story(served: Served, memory: PersonMemory) -> list[Entry]:
    """The lore of the companion in the person's language."""
    companions, companion = Companions(served.settings.home), served.scope.companion
    lore = companions.lore(companion) if companions.exists(companion) else None
    return [] if lore is None else entries_in(lore, memory.profile.language)
