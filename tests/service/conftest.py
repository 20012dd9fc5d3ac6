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
from siliconfriend.runtime import Runtime
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.tools import Tools
from siliconfriend.testing import MovingClock

Call = Callable[..., dict[str, Any]]
ADA = Scope.of("Ada")


@pytest.fixture
def context(settings: Settings, clock: MovingClock) -> ServiceContext:
    """Ada's memory, not begun yet."""
    return ServiceContext(Runtime(replace(settings, user="Ada"), clock))


@pytest.fixture
def call(context: ServiceContext) -> Call:
    """Call a tool by its name."""
    tools = Tools(context)
    return lambda name, **given: tools.call(name, given)


def kept(settings: Settings) -> PersonMemory:
    """What the disk holds of Ada, read by a store that knows nothing yet."""
    return FileStore(settings.home).load(ADA)
