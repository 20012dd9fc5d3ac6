"""Turns: a message of the person with the reply."""

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

QueueState = Literal["live", "pending", "noted", "extracted"]
"""State of a turn in the present conversation; see :class:`Turn`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish in a message about how to talk.

    Attributes:
        act: ``name``, ``language``, ``timezone``, ``birthday``, ``correct`` (an earlier message),
            ``allow`` (a standing wish no longer holds), or a standing wish: ``style`` (how to answer)
            or ``silence`` (what not to mention).
        words: the sentences with the wish.
        is_whole: the message contains nothing else.
    """

    act: str
    words: str
    is_whole: bool = True

    @property
    def stands(self) -> bool:
        """True for a standing wish: it holds until its turn is outdated, put away or erased."""
        return self.act in ("style", "silence")


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of the person with its reply.

    Attributes:
        id: see :mod:`siliconfriend.memory.scope`.
        date: ISO day in the person's time zone.
        position: 0-based index within its day at creation; never changes.
        query: the person's words.
        response: the companion's words; empty until the reply is complete.
        time: moment of the message; None if only the day is known (it then counts as noon).
        trace: its forgetting state.
        origin: ``chat`` or ``import``.
        brought_from: its position in the imported file, if that position was taken here.
        sources: keys of the imported messages or of the request it was made from, 16 hex digits
            each, used to recognize repeats.
        replied_by: the model that answered (``openai:NAME``, ``offline``); empty for an import.
        interrupted: the reply was cut off and is incomplete.
        used: the memories in the prompt of its reply.
        edited: the person corrected its words.
        unkept: the person asked not to remember it; the next night erases it.
        distress: it mentions self-harm or suicide; it is kept but never recalled, summarised or
            extracted.
        is_helped: its reply began with sources of help; it is recalled on request only, and never
            summarised.
        asked: the wish about how to talk that was carried out; None for none.
        context: ``live`` in the current conversation, ``pending`` after leaving it, ``extracted``
            after extraction, ``noted`` after extraction by rules alone.
        scene_over: the person ended the scene (of a role play) with it.
        spoken_of: days on which the companion mentioned it first.
        ties: its effects on earlier turns about the same matter.
        outdated_by: id of the later turn that made its statement untrue; empty for none.
        metadata: JSON from the calling program; shown to the model as data.
        place: its place in a client program's chat; None for this program's own conversations.
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
    context: QueueState = "live"
    scene_over: bool = False
    spoken_of: tuple[str, ...] = ()
    ties: tuple[Tie, ...] = ()
    outdated_by: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    place: ChatPlace | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def moment(self) -> datetime:
        """Moment of the message, by which turns are sorted; noon if only the day is known."""
        return self.time or self.trace.created

    @property
    def text(self) -> str:
        """Message and reply, one per line."""
        return "\n".join(words for words in (self.query, self.response) if words)

    @property
    def besides_wish(self) -> str:
        """The person's words without those of a standing wish."""
        asked = self.asked
        return self.query.replace(asked.words, "").strip() if asked and asked.stands else self.query

    @property
    def is_left_alone(self) -> bool:
        """True if no text may be derived from it: unkept, put away, of self-harm, or only a wish."""
        is_wish = self.asked is not None and self.asked.is_whole and self.asked.act != "birthday"
        return self.unkept or self.distress or self.trace.forgotten is not None or is_wish

    @property
    def is_quiet(self) -> bool:
        """True if it is never quoted unasked or summarised: left alone, or answered with help."""
        return self.is_left_alone or self.is_helped

    @property
    def is_read(self) -> bool:
        """True if its events and facts were extracted."""
        return self.context in ("noted", "extracted")
