"""Provenance of derived texts, and the place of a turn in a client's chat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from siliconfriend.clock import Moment

OFFLINE = "offline"
"""Who wrote a text where there was no model, by rules and quotations; a night has a model write
a derived text anew, and a reply made so says nothing new."""
BY_PERSON = "person"
"""Maker of a text that the person corrected; the night keeps it."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Sources of a derived text.

    Attributes:
        made_by: the model (``openai:NAME``), :data:`OFFLINE`, :data:`BY_PERSON` or ``import``.
        made_at: when.
        from_ids: the memories it rests on.
        inputs: SHA-256 of the words it was made from; a stage is due when it differs.
    """

    made_by: str
    made_at: Moment
    from_ids: tuple[str, ...] = ()
    inputs: str = ""


@dataclass(frozen=True, slots=True)
class Used:
    """A memory that entered the prompt of a reply.

    Attributes:
        id: the memory's.
        score: what it was ranked by.
        parts: what the score is made of, by name.
        retention: R when it was recalled, before that strengthened it; None where no recall
            found it, or the policy has no curve.
    """

    id: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    retention: float | None = None


@dataclass(frozen=True, slots=True)
class ChatPlace:
    """Place of a turn in a client program's chat.

    Attributes:
        chat: the client's id of the chat, or one made here where it sends none.
        message: the client's id of the message; empty where it sends none.
        attempt: how often the message was answered anew.
    """

    chat: str
    message: str = ""
    attempt: int = 0
