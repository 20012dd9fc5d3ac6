"""The common form of all formats: messages of chats, with who said them and when.

Readers know a format and nothing of memories; everything behind them knows memories and
nothing of formats. Both meet in these records alone, so that a format is one file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime

Said = datetime | date
"""When something was said: aware where the file knows the moment, naive where it has the clock
of the place it was exported at, a mere date where it has only the day."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        speaker: who said it, as the file names them.
        said: when.
        text: the words as they stand in the file, without its marks.
        service_id: the service's own id of the message; empty where it has none.
        edited: the file says that its words were changed after they were sent.
    """

    speaker: str
    said: Said
    text: str
    service_id: str = ""
    edited: bool = False


@dataclass(slots=True)
class Chat:
    """A talk, in the order of its file. A reader fills it message by message.

    Attributes:
        source: the file it stands in, for a person to read.
        messages: what was said.
        person: the speaker who is the person, where the file tells; else empty.
        companion: the speaker who is the other one, where the file tells; else empty.
        is_group: the file says that more than two belong to it.
        skipped: what was left out, counted by reason (a key of ``texts``' ``skipped``).
    """

    source: str
    messages: list[Message] = field(default_factory=list)
    person: str = ""
    companion: str = ""
    is_group: bool = False
    skipped: Counter[str] = field(default_factory=Counter)

    def speakers(self) -> list[str]:
        """Everyone who said something, whoever said most first."""
        return [name for name, _ in Counter(it.speaker for it in self.messages).most_common()]
