"""What the requests of the chat view bring, validated before anything is done with it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..access.asked import Asked

LONGEST_MESSAGE = 100_000
"""Characters of a message, as many as by HTTP."""

Id = Annotated[str, Field(max_length=200)]


class Shown(Asked):
    """What a tab shows.

    Attributes:
        since: id of its first line; empty where it shows none.
    """

    since: Id = ""


class Saying(Asked):
    """A message, or other words for the last one."""

    key: str = Field(pattern=r"^[A-Za-z0-9-]{1,64}$")
    words: str = Field("", max_length=LONGEST_MESSAGE)
    off_record: bool = False
    again: Id = ""


class Line(Asked):
    """A line of the talk."""

    id: Id


class Lines(Asked):
    """Some lines of the talk."""

    ids: list[Id] = Field(max_length=100)


class Waiting(Asked):
    """A message that waits."""

    key: str = Field(max_length=64)
