"""The tools as a whole: called by name, answered with an object, whatever goes wrong.

A model reads the answer, so an error is an answer too: ``status`` is ``error`` and
``message`` one sentence in the user's language. Nothing of it goes to standard output,
which belongs to the protocol.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from siliconfriend.errors import SiliconFriendError, StoreError
from siliconfriend.service.add_memory import add_memory
from siliconfriend.service.arguments import (
    BY_TOOL,
    AddMemory,
    ChangeScene,
    ForgetMemory,
    GetUserProfile,
    PinMemory,
    RetrieveMemory,
    SearchMemories,
    schema_of,
    validate_arguments,
)
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.get_user_profile import get_user_profile
from siliconfriend.service.manage_memories import (
    change_scene,
    forget_memory,
    pin_memory,
    search_memories,
)
from siliconfriend.service.retrieve_memory import retrieve_memory
from siliconfriend.texts import area, text

_LOG = logging.getLogger(__name__)


class Tools:
    """The tools over one user's memory; safe between threads.

    Attributes:
        context: whose memory, as given.
    """

    def __init__(self, context: ServiceContext) -> None:
        self.context = context
        self._idle = threading.Condition()
        self._running = 0

    def describe(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Yield name, description and JSON schema of the arguments of each tool."""
        texts = area("service", self.context.language)["tools"]
        for name in BY_TOOL:
            yield (
                name,
                texts[name]["description"],
                schema_of(name, texts[name].get("arguments", {})),
            )

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool; an error is an answer too.

        Raises:
            KeyError: there is no such tool.
        """
        tool = _CALLS[name]
        with self._counting():
            try:
                return tool(self.context, arguments)
            except StoreError as error:
                message = error.message(self.context.known_language)
            except SiliconFriendError as error:
                message = error.message(self.context.language)
            except Exception as error:
                # A fault of ours must not end the server under a client that talks with it.
                _LOG.exception("%s failed", name)
                cause = type(error).__name__
                message = text("service", "unexpected", self.context.known_language, cause=cause)
        return {"status": "error", "message": message}

    def wait(self) -> None:
        """Wait until no call is running."""
        with self._idle:
            self._idle.wait_for(lambda: self._running == 0)

    @contextmanager
    def _counting(self) -> Iterator[None]:
        with self._idle:
            self._running += 1
        try:
            yield
        finally:
            with self._idle:
                self._running -= 1
                self._idle.notify_all()


_CALLS: Mapping[str, Callable[[ServiceContext, Mapping[str, Any]], dict[str, Any]]] = {
    "add_memory": lambda context, given: add_memory(context, validate_arguments(AddMemory, given)),
    "retrieve_memory": lambda context, given: retrieve_memory(
        context, validate_arguments(RetrieveMemory, given)
    ),
    "get_user_profile": lambda context, given: get_user_profile(
        context, validate_arguments(GetUserProfile, given)
    ),
    "search_memories": lambda context, given: search_memories(
        context, validate_arguments(SearchMemories, given)
    ),
    "forget_memory": lambda context, given: forget_memory(
        context, validate_arguments(ForgetMemory, given)
    ),
    "pin_memory": lambda context, given: pin_memory(context, validate_arguments(PinMemory, given)),
    "change_scene": lambda context, given: change_scene(
        context, validate_arguments(ChangeScene, given)
    ),
}
