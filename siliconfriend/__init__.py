"""The public names of the package, loaded when they are first used.

So ``import siliconfriend`` loads none of the heavy libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from siliconfriend.dialogue.companion import Companion as Companion
    from siliconfriend.forgetting.curve import retention as retention
    from siliconfriend.forgetting.policy import ForgettingPolicy as ForgettingPolicy
    from siliconfriend.person.bank import MemoryBank as MemoryBank
    from siliconfriend.seeds.from_memory import expand as expand

_HOMES = {
    "Companion": "siliconfriend.dialogue.companion",
    "ForgettingPolicy": "siliconfriend.forgetting.policy",
    "MemoryBank": "siliconfriend.person.bank",
    "expand": "siliconfriend.seeds.from_memory",
    "retention": "siliconfriend.forgetting.curve",
}

__all__ = ["Companion", "ForgettingPolicy", "MemoryBank", "expand", "retention"]
__version__ = "1.0.0"


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_HOMES[name]), name)
