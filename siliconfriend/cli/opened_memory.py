"""One user's memory, opened for a command that is about it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.memory.scope import Scope

from .app import App, known_scope
from .options import companion_option, user_option

if TYPE_CHECKING:
    from siliconfriend.control.listing import MemoryRow
    from siliconfriend.forgetting.policy import ForgettingPolicy
    from siliconfriend.memory.store import MemoryStore
    from siliconfriend.runtime import Runtime


@dataclass(frozen=True)
class OpenedMemory:
    """One user's memory, opened for a command.

    Attributes:
        runtime: with the command's companion.
        scope: whose memory it is.
        memory: as it was when the command began.
    """

    runtime: Runtime
    scope: Scope
    memory: PersonMemory

    @classmethod
    def of(
        cls, app: App, user: str | None, companion: str | None, *, in_their_language: bool = True
    ) -> OpenedMemory:
        """Open the memory of a user who is known, and go on in their language.

        ``in_their_language=False``: nothing but notices to whoever runs the command follow.
        """
        runtime = app.runtime(companion=companion)
        scope = known_scope(runtime, user)
        memory = runtime.store.load(scope)
        if in_their_language:
            app.speak_with(memory, runtime.settings)
        return cls(runtime, scope, memory)

    @property
    def store(self) -> MemoryStore:
        """Where the memory is kept."""
        return self.runtime.store

    @property
    def policy(self) -> ForgettingPolicy:
        """The forgetting policy."""
        return self.runtime.policy

    @cached_property
    def now(self) -> datetime:
        """The moment of the command in UTC."""
        return self.runtime.now(self.memory)

    @property
    def head(self) -> dict[str, Any]:
        """The first fields of every JSON answer about memories."""
        scope = self.scope
        return {
            "user": scope.person,
            "companion": scope.companion,
            "policy": self.runtime.settings.policy,
        }

    def rows(self) -> list[MemoryRow]:
        """List every memory with when it fades, oldest first."""
        from siliconfriend.control.listing import memory_rows

        return list(memory_rows(self.memory, self.policy, self.now))

    def rows_of(self, records: list[Memory]) -> list[MemoryRow]:
        """List the rows of some records, in their order."""
        known = {row.memory.id: row for row in self.rows()}
        return [known[record.id] for record in records]


def memory_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--user`` and ``--companion``, and pass the memory they name as ``opened``."""

    @functools.wraps(command)
    def opening(*, user: str | None, companion: str | None, **given: Any) -> Any:
        app = click.get_current_context().find_object(App)
        assert app is not None
        return command(opened=OpenedMemory.of(app, user, companion), **given)

    return user_option()(companion_option()(opening))
