"""A reply on its way: what is known of it at each step, so that it can be kept at any."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from siliconfriend.dialogue.reply_style import ReplyStyle
from siliconfriend.memory.records import PersonMemory, Turn, Used
from siliconfriend.recall.results import RecallResult


@dataclass(slots=True)
class ReplyInProgress:
    """One message and the reply that is being made to it.

    Attributes:
        said: the person's words.
        now: when, aware and in UTC.
        before: what was remembered before these words.
        turn: as it lies on disk without a reply; None off the record.
        style: how the reply is to be given.
        to_read: turns before it wait to be read.
        recollection: what the words brought to mind.
        own_story: what of the companion's own lore they did; None without lore.
        used, dropped: of it, what the reply was given and what had no room.
        answered: the words of the reply so far.
        finished: the reply came to its own end.
    """

    said: str
    now: datetime
    before: PersonMemory
    turn: Turn | None
    style: ReplyStyle = field(default_factory=ReplyStyle)
    to_read: bool = False
    own_story: RecallResult | None = None
    recollection: RecallResult = field(init=False)
    used: tuple[Used, ...] = ()
    dropped: tuple[str, ...] = ()
    answered: str = ""
    finished: bool = False

    def __post_init__(self) -> None:
        self.recollection = RecallResult(self.said, "", self.now)

    @property
    def newcomer(self) -> bool:
        """Nothing was ever said before."""
        return not any(day.turns or day.summary for day in self.before.days.values())
