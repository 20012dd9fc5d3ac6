"""Turns: what a person said, and the reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from siliconfriend.clock import Moment
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.knowledge import (
    ChatPlace,
    Tie,
    Used,
)

Context = Literal["live", "pending", "noted", "extracted"]
"""State of a turn in the present conversation; see :class:`Turn`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish about how to talk that a message holds.

    Attributes:
        act: ``name``, ``language``, ``timezone``, ``birthday``, ``correct`` (an earlier message),
            or what holds from then on: ``style`` (how to answer) and ``silence`` (what not to
            bring up).
        words: the sentences that say it.
        is_whole: the message says nothing else.
    """

    act: str
    words: str
    is_whole: bool = True

    @property
    def stands(self) -> bool:
        """True if it holds until it is withdrawn, by putting its turn away or erasing it."""
        return self.act in ("style", "silence")


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of the person with its reply.

    Attributes:
        id: see :mod:`siliconfriend.memory.scope`.
        date: the person's day it was said on.
        position: 0-based number within its day at creation; never shifts.
        query: the person's words.
        response: the companion's words; empty until the reply ends.
        time: when it was said; None where only the day is known (it then counts as noon).
        trace: its state for forgetting.
        origin: ``chat`` or ``import``.
        brought_from: its position in the file it was imported from, where that place was taken.
        sources: keys of the messages of another program's export, or of the request, that it was
            made of: 16 hex digits each, by which they are known when they come again.
        replied_by: the model that answered (``openai:NAME``, ``offline``), empty for an import.
        interrupted: the reply was cut off and holds what was said so far.
        used: the memories its reply was given.
        edited: the person corrected its words.
        unkept: the person asked not to remember it; the next night removes it.
        distress: its words speak of hurting or killing oneself; it is kept, and never recalled,
            summed up or extracted.
        is_helped: its reply began with where help is, since it may mean danger to a life; it is
            recalled when asked for, and never quoted unasked or summed up.
        asked: the wish about how to talk that was carried out; None for none.
        context: ``live`` while it belongs to the talk that goes on, ``pending`` once it waits
            on its way out of it, ``extracted`` when its events and facts were taken, ``noted``
            when that was done by rule and a model has not read it yet.
        scene_over: the person said that the scene ends with it; what follows is another.
        spoken_of: days on which the companion spoke of it first, unasked.
        ties: earlier turns about the same matter, and what it changes of what they told.
        outdated_by: id of the later turn after which its words no longer hold as they were told,
            by one of that turn's ties; empty while they may.
        metadata: what the program around told about it, as JSON; shown to the model as data.
        place: where in a client program's chat it stands; None for the program's own talk.
        extra: unknown fields of an imported dialogue, kept for its export.
    """

    id: str
    date: str
    position: int
    query: str
    response: str
    time: Moment | None
    trace: Trace
    origin: Literal["chat", "import"] = "chat"
    brought_from: int | None = None
    sources: tuple[str, ...] = ()
    replied_by: str = ""
    interrupted: bool = False
    used: tuple[Used, ...] = ()
    edited: bool = False
    unkept: bool = False
    distress: bool = False
    is_helped: bool = False
    asked: Asked | None = None
    context: Context = "live"
    scene_over: bool = False
    spoken_of: tuple[str, ...] = ()
    ties: tuple[Tie, ...] = ()
    outdated_by: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    place: ChatPlace | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def moment(self) -> datetime:
        """When it was said: by this turns are ordered. Noon where only the day is known."""
        return self.time or self.trace.created

    @property
    def text(self) -> str:
        """The words of both, a line each."""
        return "\n".join(words for words in (self.query, self.response) if words)

    @property
    def is_left_alone(self) -> bool:
        """True if nothing may be made of it: unkept, put away, of self-harm, or only a wish."""
        is_wish = self.asked is not None and self.asked.is_whole and self.asked.act != "birthday"
        return self.unkept or self.distress or self.trace.forgotten is not None or is_wish

    @property
    def is_quiet(self) -> bool:
        """True if it is never quoted unasked or summed up: left alone, or answered with help."""
        return self.is_left_alone or self.is_helped

    @property
    def is_read(self) -> bool:
        """True if the turn has left the dialogue and its events and facts were extracted."""
        return self.context in ("noted", "extracted")
