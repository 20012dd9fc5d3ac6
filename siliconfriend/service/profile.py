"""``get_user_profile``: who the person is, as far as their memory tells."""

from __future__ import annotations

from typing import Any

from siliconfriend.service.arguments import GetUserProfile
from siliconfriend.service.knowledge import assistant_knowledge, told, user_knowledge
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
        answer["assistant_knowledge"] = told(assistant_knowledge(memory))
        answer["assistant_knowledge_count"] = len(answer["assistant_knowledge"])
    return answer
