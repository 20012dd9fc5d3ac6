"""Where a derived text comes from: without it nothing could be made again, corrected or erased."""

from __future__ import annotations

from dataclasses import dataclass

from siliconfriend.clock import Moment

OFFLINE = "offline"
"""Who wrote a text where there was no model, by rules and quotations; a night has a model write
a derived text anew, and a reply made so says nothing new."""
BY_PERSON = "person"
"""What a text says it was made by where the person put it right; the night leaves it alone."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a derived text was made from.

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
