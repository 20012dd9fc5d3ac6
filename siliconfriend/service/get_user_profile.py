"""The tool ``get_user_profile``: who the user is, as far as their memory tells."""

from __future__ import annotations

from typing import Any

from siliconfriend.lore.entries import Entry
from siliconfriend.lore.lore import Lore
from siliconfriend.memory.records import PersonMemory
from siliconfriend.service.arguments import GetUserProfile
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.knowledge import MOST, assistant_knowledge, serialize, user_knowledge
from siliconfriend.service.timestamps import format_timestamp


def get_user_profile(context: ServiceContext, arguments: GetUserProfile) -> dict[str, Any]:
    """Answer with the portrait, empty before the first night, and the knowledge asked for.

    Raises:
        StoreError: the memory cannot be read.
    """
    memory = context.memory()
    portrait = memory.overall_personality
    answer: dict[str, Any] = {
        "status": "success",
        "timestamp": format_timestamp(context.now(memory), memory.profile.zone),
        "user_id": context.scope.person,
        "assistant_id": context.scope.companion,
        "user_profile": portrait.text if portrait else "",
    }
    if arguments.include_knowledge:
        answer["user_knowledge"] = serialize(user_knowledge(memory))
        answer["user_knowledge_count"] = len(answer["user_knowledge"])
    if arguments.include_assistant_knowledge:
        entries = [*assistant_knowledge(memory), *_own_story(context, memory)]
        answer["assistant_knowledge"] = serialize(entries[:MOST])
        answer["assistant_knowledge_count"] = len(answer["assistant_knowledge"])
    return answer


def _own_story(context: ServiceContext, memory: PersonMemory) -> list[Entry]:
    """The lore of the companion in the user's language."""
    lore = Lore(context.settings.home, context.scope.companion, embedder=None)
    return lore.entries(memory.profile.language, context.scope.person)
