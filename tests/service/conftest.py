"""The tools of one person in this process, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.service.served import Served
from siliconfriend.service.tools import Tools
from siliconfriend.testing import MovingClock

Call = Callable[..., dict[str, Any]]
ADA = Scope.of("Ada")


@pytest.fixture
def served(settings: Settings, clock: MovingClock) -> Served:
    """Ada's memory, not begun yet."""
    return Served(replace(settings, user="Ada"), clock)


@pytest.fixture
def call(served: Served) -> Call:
    """Call a tool by its name."""
    tools = Tools(served)
    return lambda name, **given: tools.call(name, given)


def kept(settings: Settings) -> PersonMemory:
    """What the disk holds of Ada, read by a store that knows nothing yet."""
    return FileStore(settings.home).load(ADA)
