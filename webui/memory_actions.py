"""What the panels share of doing something: the switches of every event, and erasing with its proof."""

from __future__ import annotations

from typing import Any

from siliconfriend.control.erasure.erase import erase
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .backend import Backend
from .labels import say

PRIVATE: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}


def erase_now(backend: Backend, scope: Scope, identifier: str, language: Language) -> str:
    """Erase one memory with all that was made of it; returns the sentence that proves it."""
    done = erase(
        backend.store,
        scope,
        [identifier],
        home=backend.settings.home,
        rewrite_index=backend.runtime.rewrite_index,
        jobs=backend.runtime.shared.jobs,
    )
    return say("erased", language, searched=done.searched, left=done.left)
