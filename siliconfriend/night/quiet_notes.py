"""The protocol of where notes of quiet people are kept, and what a note says.

A note rests on the *state* of what is kept of a person: a sequence of characters that is another
one after any change, and that is told without opening their memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, BaseModel, ConfigDict

from siliconfriend.memory.scope import Scope


class QuietNote(BaseModel):
    """What a night that found nothing to do knows of one person.

    Attributes:
        since: the moment of that night.
        until: up to here time alone makes nothing due.
        timezone: the person's.
        state: of what is kept of them, at that night's end.
        stages, skipped: as in that night's report.
    """

    model_config = ConfigDict(frozen=True)

    since: AwareDatetime
    until: AwareDatetime
    timezone: ZoneInfo
    state: str
    stages: dict[str, dict[str, int]]
    skipped: tuple[str, ...]


class QuietNotes(Protocol):
    """The notes that were made under the same conditions as hold now; a cache, no words, no names."""

    def state(self, scope: Scope) -> str | None:
        """What is kept of a person, as it is now; None where nothing may be noted of them."""
        ...

    def get(self, scope: Scope) -> QuietNote | None:
        """The note of a person; None where there is none."""
        ...

    def put(self, scope: Scope, note: QuietNote | None) -> None:
        """Put a note in the place of the one there is; None for no note."""
        ...

    def save(self, scopes: Sequence[Scope]) -> None:
        """Keep the notes of those who are there still; called at a night's end.

        Raises:
            ConfigurationError, StoreError: they cannot be written.
        """
        ...
